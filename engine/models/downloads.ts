// Downloads of models that the API asks for: one at a time, on a thread of their own. What is installed is used after
// the next start. A download that a shutdown breaks off is resumed when it is asked for again.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { InstallOutcome, InstallTask } from '../../models/install/install-worker.ts';
import { localName } from '../../models/install/local-models.ts';

export class ModelDownloads {
  readonly #modelsDir: string;
  readonly #log: Pick<Logger, 'info'>;
  #last: Promise<void> = Promise.resolve();

  constructor(modelsDir: string, log: Pick<Logger, 'info'>) {
    this.#modelsDir = modelsDir;
    this.#log = log;
  }

  /** @throws Error with what the operator should read */
  add(engine: string): Promise<void> {
    const installed = this.#last.then(() => this.#install(engine));
    this.#last = installed.catch(() => undefined);
    return installed;
  }

  async #install(engine: string): Promise<void> {
    const name = localName(engine);
    if (name === null) throw new Error(`${engine} has nothing to download`);
    const task: InstallTask = { name, modelsDir: this.#modelsDir };
    const worker = new Worker(new URL('../../models/install/install-worker.ts', import.meta.url), { workerData: task });
    // It must not keep a process alive that has been told to stop.
    worker.unref();
    const [outcome] = (await once(worker, 'message')) as [InstallOutcome];
    await worker.terminate();
    if (!outcome.ok) throw new Error(outcome.message);
    this.#log.info({ engine }, 'model installed, used after the next start');
  }
}
