// The VAD worker: reads every call's ring in shared memory and scores all full windows as one batch. A shard rings its
// doorbell when all its calls have written. The worker scores all waiting windows and has no tick of its own, so a
// single call never waits and batches grow under load.
import type { MessagePort } from 'node:worker_threads';
import { unreachable } from '../../db/domain/unexpected.ts';
import { Doorbell } from '../../media/doorbell.ts';
import { SampleRing } from '../../media/ring.ts';
import { raiseThreadPriority } from '../workers/priority.ts';
import { nameThread } from '../workers/thread-name.ts';
import { serveUntilStopped, type WorkerTask } from '../workers/worker-task.ts';
import { Silero, VadStream, type VadWindow } from './silero.ts';
import { packWindows, type ScoredWindow, VAD_WINDOW_SAMPLES, type VadReply, type VadRequest } from './vad.ts';

/** Calls per worker; the media path carries fewer. */
const MAX_CALLS = 4_096;

interface VadCall {
  port: MessagePort;
  /** The shard's number for it. */
  number: number;
  ring: SampleRing;
  stream: VadStream;
  samples: Int16Array;
  endSample: number;
  isClosed: boolean;
}

interface VadScorer {
  score(windows: readonly VadWindow[]): Promise<Float32Array>;
}

export class VadHost {
  readonly #scorer: VadScorer;
  readonly #onFailure: (error: unknown) => void;
  readonly #ports = new Map<MessagePort, Map<number, VadCall>>();
  #calls: VadCall[] = [];
  #running: Promise<void> | null = null;
  #isClosed = false;

  /** `onFailure` is called when the model fails; from then on no call can be served. */
  constructor(scorer: VadScorer, onFailure: (error: unknown) => void) {
    this.#scorer = scorer;
    this.#onFailure = onFailure;
  }

  connect(port: MessagePort): void {
    this.#ports.set(port, new Map());
    port.on('message', (message: VadRequest) => this.#receive(port, message));
    port.on('close', () => this.#disconnect(port));
    reply(port, { type: 'ready' });
  }

  /** Resolves when no run is in progress; only then may the thread end. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const port of [...this.#ports.keys()]) this.#disconnect(port);
    await this.#running;
  }

  #receive(port: MessagePort, message: VadRequest): void {
    switch (message.type) {
      case 'doorbell':
        void this.#answer(port, new Doorbell(message.shared));
        return;
      case 'open':
        this.#open(port, message.stream, message.ring);
        return;
      case 'close':
        this.#close(port, message.stream);
        return;
      case 'stop':
        this.#disconnect(port);
        return;
      default:
        unreachable(message);
        return;
    }
  }

  #open(port: MessagePort, number: number, shared: SharedArrayBuffer): void {
    this.#close(port, number);
    if (this.#calls.length >= MAX_CALLS) {
      reply(port, { type: 'failed', message: 'too many calls for one worker' });
      return;
    }
    const call: VadCall = {
      port,
      number,
      ring: new SampleRing(shared),
      stream: new VadStream(),
      samples: new Int16Array(VAD_WINDOW_SAMPLES),
      endSample: 0,
      isClosed: false,
    };
    this.#ports.get(port)?.set(number, call);
    this.#calls.push(call);
    this.#pump();
  }

  #close(port: MessagePort, number: number): void {
    const call = this.#ports.get(port)?.get(number);
    if (!call) return;
    call.isClosed = true;
    this.#ports.get(port)?.delete(number);
    this.#calls = this.#calls.filter((other) => other !== call);
  }

  #disconnect(port: MessagePort): void {
    for (const number of [...(this.#ports.get(port)?.keys() ?? [])]) this.#close(port, number);
    this.#ports.delete(port);
  }

  /** Looks for full windows each time the shard has rung. */
  async #answer(port: MessagePort, bell: Doorbell): Promise<void> {
    while (this.#ports.has(port) && !this.#isClosed) {
      const seen = bell.rings;
      this.#pump();
      await bell.waitBeyond(seen);
    }
  }

  #pump(): void {
    if (this.#running || this.#isClosed) return;
    this.#running = this.#run()
      .catch((error: unknown) => {
        for (const port of this.#ports.keys()) reply(port, { type: 'failed', message: String(error) });
        this.#isClosed = true;
        this.#onFailure(error);
      })
      .finally(() => {
        this.#running = null;
        // Audio may have arrived after the last look.
        if (this.#calls.some(({ ring }) => ring.available >= VAD_WINDOW_SAMPLES)) this.#pump();
      });
  }

  async #run(): Promise<void> {
    for (let due = this.#takeDue(); due.length > 0 && !this.#isClosed; due = this.#takeDue()) {
      const probabilities = await this.#scorer.score(due);
      const byPort = new Map<MessagePort, ScoredWindow[]>();
      due.forEach(({ number, port, endSample, isClosed }, index) => {
        if (isClosed) return;
        const windows = byPort.get(port) ?? [];
        windows.push({ stream: number, probability: probabilities[index] ?? 0, endSample });
        byPort.set(port, windows);
      });
      for (const [port, windows] of byPort) reply(port, { type: 'windows', windows: packWindows(windows) });
      // Handles messages between two batches: a call may open or close.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #takeDue(): VadCall[] {
    const due = this.#calls.filter((call) => call.ring.read(call.samples));
    for (const call of due) call.endSample += VAD_WINDOW_SAMPLES;
    return due;
  }
}

/** Runs as the worker's one task, until `stop`. */
export default async function serveVad(task: WorkerTask): Promise<void> {
  raiseThreadPriority('vad', task.realTime);
  nameThread('vad');
  const silero = await Silero.load();
  let host: VadHost | null = null;
  const failed = new Promise<never>((_, reject) => {
    host = new VadHost(silero, reject);
  });
  const stopped = serveUntilStopped(task, (port) => host?.connect(port)).then(() => host?.close());
  await Promise.race([stopped, failed]);
  await silero.release();
}

function reply(port: MessagePort, message: VadReply): void {
  port.postMessage(message);
}
