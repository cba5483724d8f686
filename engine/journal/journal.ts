// What another process needs to go on with each established call of this one, written as the call goes on: a file a
// call when something of it has changed, and a pulse of all calls several times a second. Off the audio path: the
// shards tell their pulse, the control thread describes its calls, and a thread of its own writes.
import { mkdirSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { sharedClockMs } from '../../db/shared/shared-clock.ts';
import type { Clock } from '../clock.ts';
import type { CallPulse } from '../shard/protocol.ts';
import { JournalFiles } from './journal-files.ts';
import type { JournalCommand, JournalFault, JournalWorkerData } from './journal-worker.ts';

/** The pulse file. Times are by the threads' common clock. */
export interface Pulses {
  /** When this process went on with the calls of the one before; 0: there were none. */
  beganAtMs: number;
  /** How many processes before it died soon after that, one after the other. */
  deaths: number;
  /** The process has left its calls to another one, and has not died. */
  handedOver?: true;
  /** The call that the control thread was last busy with. */
  active: string | null;
  /** The last pulse of each shard. */
  shards: Array<{ atMs: number; calls: CallPulse[] }>;
}

/** Changes of one turn of the event loop, and of a few more, are one write. */
const GATHER_MS = 40;
const SAME_FAULT_MS = 60_000;
/** A disk that takes longer has the pulses twice, and perhaps the wrong one. */
const FINISH_WITHIN_MS = 1_000;

export interface CallJournal {
  /**
   * The call is established. `describe` is asked again whenever it has changed; null: nobody can go on with it now.
   */
  follow(callId: string, describe: () => object | null): void;
  changed(callId: string): void;
  /** What happens now is this call's. */
  busyWith(callId: string): void;
  /** The call is over. */
  forget(callId: string): void;
}

export class Journal implements CallJournal {
  /** What an earlier process has written. */
  readonly files: JournalFiles;
  readonly #worker: Worker;
  readonly #clock: Clock;
  readonly #calls = new Map<string, { describe: () => object | null; written: string | null }>();
  readonly #changed = new Set<string>();
  readonly #pulses = new Map<number, Pulses['shards'][number]>();
  #cancel: (() => void) | null = null;
  readonly #finished = Promise.withResolvers<void>();
  #isOver = false;
  #active: string | null = null;
  #began: Pick<Pulses, 'beganAtMs' | 'deaths'> = { beganAtMs: 0, deaths: 0 };

  constructor(options: { folder: string; key: Buffer; clock: Clock; onFault: (message: string) => void }) {
    this.#clock = options.clock;
    mkdirSync(options.folder, { recursive: true, mode: 0o700 });
    this.files = new JournalFiles(options.folder, options.key);
    const workerData: JournalWorkerData = { folder: options.folder, key: options.key };
    this.#worker = new Worker(new URL('./journal-worker.ts', import.meta.url), { workerData });
    let quietUntilMs = 0;
    this.#worker.on('message', ({ message }: JournalFault) => {
      if (message === null) return this.#finished.resolve();
      // A full disk refuses every write.
      if (options.clock.monotonicMs() < quietUntilMs) return;
      quietUntilMs = options.clock.monotonicMs() + SAME_FAULT_MS;
      options.onFault(message);
    });
    this.#worker.on('error', (error) => options.onFault(error.message));
    this.#worker.unref();
  }

  follow(callId: string, describe: () => object | null): void {
    this.#calls.set(callId, { describe, written: null });
    this.changed(callId);
  }

  busyWith(callId: string): void {
    this.#active = callId;
  }

  /** This process goes on with the calls of another one from now on. */
  begin(deaths: number): void {
    this.#began = { beganAtMs: sharedClockMs(), deaths };
    this.#writePulses();
  }

  /** There was no call to go on with. */
  beginEmpty(): void {
    this.#began = { beganAtMs: 0, deaths: 0 };
    this.#writePulses();
  }

  /** Another process goes on with the calls, which have been left: everything is on the disk when this resolves. */
  async handOver(): Promise<void> {
    this.#cancel?.();
    this.#isOver = true;
    // What the thread has yet to write must not come afterwards.
    const cancelLimit = this.#clock.after(FINISH_WITHIN_MS, this.#finished.resolve);
    this.#worker.ref();
    this.#worker.postMessage({ type: 'finish' } satisfies JournalCommand);
    await this.#finished.promise;
    cancelLimit();
    for (const [callId, { describe }] of this.#calls) {
      const described = describe();
      if (described !== null) this.files.writeCall(callId, JSON.stringify(described));
    }
    this.files.writePulse(JSON.stringify({ ...this.#allPulses, handedOver: true } satisfies Pulses));
  }

  /** An error that nobody has caught is about to end the process. */
  blame(): void {
    if (this.#active !== null) this.files.writeSuspect(this.#active);
  }

  changed(callId: string): void {
    if (!this.#calls.has(callId)) return;
    this.#changed.add(callId);
    this.#cancel ??= this.#clock.after(GATHER_MS, () => this.#flush());
  }

  forget(callId: string): void {
    const call = this.#calls.get(callId);
    this.#calls.delete(callId);
    this.#changed.delete(callId);
    if (call?.written != null) this.#post({ type: 'forget', callId });
  }

  /** Of one shard's calls. */
  pulse(shardIndex: number, atMs: number, calls: CallPulse[]): void {
    this.#pulses.set(shardIndex, { atMs, calls });
    this.#writePulses();
  }

  async stop(): Promise<void> {
    this.#cancel?.();
    await this.#worker.terminate();
  }

  #writePulses(): void {
    this.#post({ type: 'pulse', json: JSON.stringify(this.#allPulses) });
  }

  get #allPulses(): Pulses {
    return { ...this.#began, active: this.#active, shards: [...this.#pulses.values()] };
  }

  #flush(): void {
    this.#cancel = null;
    for (const callId of this.#changed) {
      const call = this.#calls.get(callId);
      if (!call) continue;
      const described = call.describe();
      const json = described === null ? null : JSON.stringify(described);
      if (json === call.written) continue;
      call.written = json;
      this.#post(json === null ? { type: 'forget', callId } : { type: 'call', callId, json });
    }
    this.#changed.clear();
  }

  #post(command: JournalCommand): void {
    if (!this.#isOver) this.#worker.postMessage(command);
  }
}
