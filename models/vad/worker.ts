// The VAD worker: reads every call's ring in shared memory and scores all windows that are full as one batch. It batches what
// is waiting and has no tick of its own, so a single call never waits and batches grow under load.
import type { MessagePort } from 'node:worker_threads';
import { SampleRing } from '../../media/ring.ts';
import { raiseThreadPriority } from '../priority.ts';
import { nameThread } from '../thread-name.ts';
import { unreachable } from '../unexpected.ts';
import { serveUntilStopped, type WorkerTask } from '../worker-task.ts';
import { Silero, VadStream, type VadWindow } from './silero.ts';
import { VAD_WINDOW_SAMPLES, type VadReply, type VadRequest } from './vad.ts';

/** Longest wait on a silent ring before the call is checked again; it may have been closed. */
const WAIT_MS = 1_000;
/** Calls per worker; the media path carries fewer. */
const MAX_CALLS = 4_096;

interface VadCall {
  port: MessagePort;
  callId: string;
  ring: SampleRing;
  stream: VadStream;
  samples: Int16Array;
  endSample: number;
  isWaiting: boolean;
  isClosed: boolean;
}

export interface VadScorer {
  score(windows: readonly VadWindow[]): Promise<Float32Array>;
}

export class VadHost {
  readonly #scorer: VadScorer;
  readonly #onFailure: (error: unknown) => void;
  readonly #ports = new Map<MessagePort, Map<string, VadCall>>();
  #calls: VadCall[] = [];
  #running: Promise<void> | null = null;
  #isClosed = false;

  /** `onFailure` is called when the model itself fails; then no call can be served any more. */
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
      case 'open':
        this.#open(port, message.callId, message.ring);
        return;
      case 'close':
        this.#close(port, message.callId);
        return;
      case 'stop':
        this.#disconnect(port);
        return;
      default:
        unreachable(message);
        return;
    }
  }

  #open(port: MessagePort, callId: string, shared: SharedArrayBuffer): void {
    this.#close(port, callId);
    if (this.#calls.length >= MAX_CALLS) {
      reply(port, { type: 'failed', message: 'too many calls for one worker' });
      return;
    }
    const call: VadCall = {
      port,
      callId,
      ring: new SampleRing(shared),
      stream: new VadStream(),
      samples: new Int16Array(VAD_WINDOW_SAMPLES),
      endSample: 0,
      isWaiting: false,
      isClosed: false,
    };
    this.#ports.get(port)?.set(callId, call);
    this.#calls.push(call);
    this.#watch(call);
  }

  #close(port: MessagePort, callId: string): void {
    const call = this.#ports.get(port)?.get(callId);
    if (!call) return;
    call.isClosed = true;
    this.#ports.get(port)?.delete(callId);
    this.#calls = this.#calls.filter((other) => other !== call);
  }

  #disconnect(port: MessagePort): void {
    for (const callId of [...(this.#ports.get(port)?.keys() ?? [])]) this.#close(port, callId);
    this.#ports.delete(port);
  }

  /** Waits until the ring holds a full window, then has it scored. */
  #watch(call: VadCall): void {
    while (!call.isWaiting && !call.isClosed && !this.#isClosed) {
      const { written } = call.ring;
      if (call.ring.available >= VAD_WINDOW_SAMPLES) {
        this.#pump();
        return;
      }
      const moved = call.ring.waitBeyond(written, WAIT_MS);
      if (moved === null) continue;
      call.isWaiting = true;
      void moved.then(() => {
        call.isWaiting = false;
        this.#watch(call);
      });
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
        for (const call of this.#calls) this.#watch(call);
      });
  }

  async #run(): Promise<void> {
    for (let due = this.#takeDue(); due.length > 0 && !this.#isClosed; due = this.#takeDue()) {
      const probabilities = await this.#scorer.score(due);
      const byPort = new Map<MessagePort, Extract<VadReply, { type: 'windows' }>['windows']>();
      due.forEach(({ callId, port, endSample, isClosed }, index) => {
        if (isClosed) return;
        const windows = byPort.get(port) ?? [];
        windows.push({ callId, probability: probabilities[index] ?? 0, endSample });
        byPort.set(port, windows);
      });
      for (const [port, windows] of byPort) reply(port, { type: 'windows', windows });
      // Lets messages in between two batches: a call may open or close.
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
  raiseThreadPriority();
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
