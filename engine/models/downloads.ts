// Model downloads that the API requests: one at a time, on a separate thread. An installed model can be chosen
// at once. A download interrupted by a shutdown resumes when it is requested again.
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

  /** @throws Error with a message for the operator */
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
    // A download must not keep a stopping process alive.
    worker.unref();
    const [outcome] = (await once(worker, 'message')) as [InstallOutcome];
    await worker.terminate();
    if (!outcome.ok) throw new Error(outcome.message);
    this.#log.info({ engine }, 'model installed: choose it, or start anew');
  }
}
