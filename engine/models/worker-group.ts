// The workers of one kind that run one engine. A worker that dies is started again. A group that another one replaces
// is retired: each of its workers ends when the calls that use it have ended.
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Logger } from 'pino';
import { messageOf } from '../../db/domain/unexpected.ts';
import type { Environment } from '../../db/shared/settings/environment.ts';
import { ModelWorker, type WorkerKind } from '../../models/workers/model-worker.ts';
import type { EngineDescription } from '../../models/workers/worker-task.ts';
import { type Clock, sleep } from '../clock.ts';
import type { MeasuredGroup } from './cost-measurements.ts';

const RESTART_DELAYS_MS = [100, 500, 2_000, 5_000];

interface WorkerGroupOptions {
  kind: WorkerKind;
  engine: string;
  environment: Environment;
  workers: number;
  realTime: boolean;
  clock: Clock;
  log: Logger;
  /** A lost worker is back: whoever used it needs a new port. */
  onRestarted(index: number, connect: () => MessagePort): void;
}

export class WorkerGroup implements MeasuredGroup {
  readonly engine: string;
  readonly environment: Environment;
  /** As measured; null: not yet. */
  factor: number | null = null;
  readonly #options: WorkerGroupOptions;
  readonly #workers: Array<ModelWorker | null>;
  #description: EngineDescription = {};
  #isEnding = false;
  #turn = 0;

  private constructor(options: WorkerGroupOptions) {
    this.engine = options.engine;
    this.environment = options.environment;
    this.#options = options;
    this.#workers = new Array<ModelWorker | null>(options.workers).fill(null);
  }

  /** All workers or none. @throws the error of the first engine that cannot be loaded */
  static async start(options: WorkerGroupOptions): Promise<WorkerGroup> {
    const group = new WorkerGroup(options);
    const starts = await Promise.allSettled(group.#workers.map((_, index) => group.#start(index)));
    const failed = starts.find((start) => start.status === 'rejected');
    if (!failed) return group;
    await group.stop();
    throw failed.reason;
  }

  /** The engine, as its workers report it. */
  get description(): EngineDescription {
    return this.#description;
  }

  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** One trial of each worker, all at once, as under load; null for one that was disturbed or is being restarted. */
  measure(): Promise<Array<number | null>> {
    return Promise.all(this.#workers.map((worker) => worker?.measure() ?? null));
  }

  get size(): number {
    return this.#workers.length;
  }

  /** The longest delay of a worker, ms; one that is being restarted counts as 0. */
  get backlogMs(): number {
    return Math.max(0, ...this.#workers.map((worker) => worker?.backlogMs ?? 0));
  }

  /** A new port to a worker, round robin. @throws Error while none of them runs */
  connect(): MessagePort {
    const running = this.#workers.filter((worker) => worker !== null);
    const worker = running[this.#turn++ % Math.max(1, running.length)];
    if (!worker) throw new Error(`the ${this.#options.kind} worker is being restarted`);
    return worker.connect();
  }

  /** A new port to each worker. */
  ports(): MessagePort[] {
    return this.#workers.map((worker) => portTo(worker));
  }

  /** A new port to the worker with this index, counted round. */
  portAt(index: number): MessagePort {
    return portTo(this.#workers[index % this.#workers.length] ?? null);
  }

  /** A port to the worker with this index, counted round, that was made before the worker. */
  adopt(index: number, port: MessagePort): void {
    const worker = this.#workers[index % this.#workers.length];
    if (worker) worker.adopt(port);
    else port.close();
  }

  /** Resolves when every worker has ended, which may be as late as the end of the calls that use it. */
  async retire(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(this.#workers.map((worker) => worker?.retire()));
  }

  async stop(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(this.#workers.map((worker) => worker?.stop()));
  }

  async #start(index: number): Promise<void> {
    const { kind, engine, environment, workers, realTime, log } = this.#options;
    const worker = await ModelWorker.start({
      kind,
      engine,
      environment,
      realTime,
      workers: kind === 'stt' || kind === 'tts' ? workers : 1,
      onLost: (error) => {
        this.#workers[index] = null;
        if (this.#isEnding) return;
        log.error({ model: kind, engine, error: error.message }, 'model worker lost, restarting it');
        void this.#restart(index);
      },
    });
    if (this.#isEnding) return worker.stop();
    this.#workers[index] = worker;
    this.#description = worker.engine;
  }

  async #restart(index: number): Promise<void> {
    const { kind, clock, log, onRestarted } = this.#options;
    for (let attempt = 0; !this.#isEnding; attempt++) {
      await sleep(clock, RESTART_DELAYS_MS[Math.min(attempt, RESTART_DELAYS_MS.length - 1)] ?? 0);
      if (this.#isEnding) return;
      try {
        await this.#start(index);
        if (!this.#isEnding) onRestarted(index, () => this.portAt(index));
        return;
      } catch (error) {
        log.error({ model: kind, error: messageOf(error) }, 'model worker did not start');
      }
    }
  }
}

/** A port to the worker. While it is being restarted, an unconnected port: the shards get another when it is back. */
function portTo(worker: ModelWorker | null): MessagePort {
  return worker ? worker.connect() : new MessageChannel().port1;
}
