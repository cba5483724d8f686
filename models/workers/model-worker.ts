// Starts one model worker. `connect` gives it a new port, `stop` lets it finish its current work, and a lost worker is
// reported so that its owner can start another.
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { BACKLOG_EVERY_MS, type EngineDescription, type WorkerStatus, type WorkerTask } from './worker-task.ts';

export type WorkerKind = 'vad' | 'stt' | 'tts' | 'turn-end' | 'speech-to-speech';

interface ModelWorkerOptions {
  kind: WorkerKind;
  /** Built-in engine or `module:/absolute/path.ts`. */
  engine: string;
  environment: Record<string, string | undefined>;
  /** For voice activity detection: run in real time if the process may; true if left out. */
  realTime?: boolean;
  /** Workers of this kind altogether; 1 if left out. */
  workers?: number;
  /** How long its thread may be stuck before it is ended and reported as lost, ms; 60 s if left out. */
  stuckMs?: number;
  /** The worker ended without `stop`. Called once. */
  onLost: (error: Error) => void;
}

/** An engine may load weights of several hundred megabytes from a cold disk. */
const READY_TIMEOUT_MS = 60_000;
/** After it a trial says nothing; the thread may go on with it. */
const MEASURE_TIMEOUT_MS = 30_000;
/** Long enough for a thread at nice 19 on an overloaded machine. */
const STUCK_MS = 60_000;

export class ModelWorker {
  readonly kind: WorkerKind;
  readonly engine: EngineDescription;
  readonly #pool: Piscina;
  readonly #control: MessagePort;
  readonly #done: Promise<void>;
  #stopping = false;
  #isRetired = false;
  #watchdog: NodeJS.Timeout | null = null;
  /** The worker's last reported backlog, and its time; null for workers that report none. */
  #backlog: { ms: number; atMs: number } | null = null;

  private constructor(
    kind: WorkerKind,
    engine: EngineDescription,
    pool: Piscina,
    control: MessagePort,
    done: Promise<void>,
  ) {
    this.kind = kind;
    this.engine = engine;
    this.#pool = pool;
    this.#control = control;
    this.#done = done;
    if (kind === 'stt') this.#backlog = { ms: 0, atMs: performance.now() };
  }

  /**
   * Resolves when the engine is loaded.
   * @throws when the engine cannot be loaded or its thread ends first
   */
  static async start(options: ModelWorkerOptions): Promise<ModelWorker> {
    const { port1: control, port2 } = new MessageChannel();
    const pool = new Piscina({
      filename: new URL(`../${options.kind}/worker.ts`, import.meta.url).href,
      minThreads: 1,
      maxThreads: 1,
      idleTimeout: Number.POSITIVE_INFINITY,
      // The thread waits on message ports; a blocking wait between tasks would delay them.
      atomics: 'disabled',
    });
    let isReady = false;
    let worker: ModelWorker | null = null;
    const { engine, environment, realTime = true, workers = 1 } = options;
    const task: WorkerTask = { control: port2, engine, environment, realTime, workers };
    const running = pool.run(task, { transferList: [port2] }).then(() => undefined);
    const ended = running.then(
      () => new Error(`the ${options.kind} worker ended`),
      (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
    );
    const done = ended.then((error) => {
      if (!isReady || worker?.isStopping) return;
      void pool.destroy().catch(() => undefined);
      options.onLost(error);
    });
    let description: EngineDescription;
    try {
      description = await ready(control, ended);
    } catch (error) {
      control.postMessage({ type: 'stop' });
      control.close();
      void pool.destroy().catch(() => undefined);
      throw error;
    }
    isReady = true;
    worker = new ModelWorker(options.kind, description, pool, control, done);
    worker.#watch(options.stuckMs ?? STUCK_MS);
    return worker;
  }

  /** It was asked to end. */
  get isStopping(): boolean {
    return this.#stopping || this.#isRetired;
  }

  /** The worker's backlog, ms. It grows from the last report on if no further one arrives. */
  get backlogMs(): number {
    if (this.#backlog === null) return 0;
    const silentMs = performance.now() - this.#backlog.atMs - BACKLOG_EVERY_MS;
    return Math.max(this.#backlog.ms, silentMs);
  }

  /** A new port to the worker, to be transferred to the thread that exchanges messages with it. */
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.adopt(port2);
    return port1;
  }

  /** The worker's end of a port on which messages may have come already. */
  adopt(port: MessagePort): void {
    this.#control.postMessage({ type: 'connect', port }, [port]);
  }

  /**
   * STT and TTS: seconds of one core per second of audio, by one trial. For an idle worker of an engine that computes
   * here; null when the trial was disturbed.
   */
  measure(): Promise<number | null> {
    if (this.isStopping) return Promise.resolve(null);
    return new Promise((resolve) => {
      const settle = (factor: number | null): void => {
        clearTimeout(timer);
        this.#control.off('message', take);
        resolve(factor);
      };
      const take = (status: WorkerStatus): void => {
        if (status.type === 'measured') settle(status.factor);
      };
      const timer = setTimeout(() => settle(null), MEASURE_TIMEOUT_MS);
      timer.unref();
      this.#control.on('message', take);
      void this.#done.then(() => settle(null));
      this.#control.postMessage({ type: 'measure' });
    });
  }

  /** Asks the worker to end, waits for that, and then destroys the thread. */
  async stop(): Promise<void> {
    if (this.#stopping) return this.#done;
    this.#stopping = true;
    if (this.#watchdog) clearInterval(this.#watchdog);
    this.#control.postMessage({ type: 'stop' });
    await this.#ended();
  }

  /** As `stop`, once nobody is connected any more. A worker that gets stuck meanwhile is ended. */
  async retire(): Promise<void> {
    if (this.isStopping) return this.#done;
    this.#isRetired = true;
    this.#control.postMessage({ type: 'retire' });
    await this.#done;
    if (this.#watchdog) clearInterval(this.#watchdog);
    if (!this.#stopping) await this.#ended();
  }

  async #ended(): Promise<void> {
    await this.#done;
    this.#control.close();
    await this.#pool.destroy();
  }

  /** Pings the thread four times in `stuckMs`; a thread that answers none is ended, and so reported as lost. */
  #watch(stuckMs: number): void {
    let unanswered = 0;
    this.#control.on('message', (status: WorkerStatus) => {
      if (status.type === 'pong') unanswered = 0;
      if (status.type === 'backlog') this.#backlog = { ms: status.ms, atMs: performance.now() };
    });
    this.#watchdog = setInterval(() => {
      if (unanswered++ < 4) {
        this.#control.postMessage({ type: 'ping' });
        return;
      }
      if (this.#watchdog) clearInterval(this.#watchdog);
      void this.#pool.destroy().catch(() => undefined);
    }, stuckMs / 4);
    this.#watchdog.unref();
  }
}

async function ready(control: MessagePort, ended: Promise<Error>): Promise<EngineDescription> {
  let timer: NodeJS.Timeout | null = null;
  try {
    return await new Promise<EngineDescription>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error('the model worker did not become ready')), READY_TIMEOUT_MS);
      control.once('message', (status: WorkerStatus) =>
        status.type === 'ready'
          ? resolve(status.engine)
          : reject(new Error(status.type === 'failed' ? status.message : 'not ready')),
      );
      void ended.then(reject);
    });
  } finally {
    if (timer) clearTimeout(timer);
  }
}
