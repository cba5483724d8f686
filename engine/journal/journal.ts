// Writes a description of each call as it goes on, so that another process can go on with it: a file a call when
// something of it has changed, and a pulse of all calls several times a second. Off the audio path: the shards tell
// their pulse, the control thread describes its calls, and a thread of its own writes.
import { mkdirSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { sharedClockMs } from '../../db/shared/process/shared-clock.ts';
import type { Clock } from '../clock.ts';
import type { CallPulse } from '../shard/protocol.ts';
import { JournalFiles } from './journal-files.ts';
import type { JournalCommand, JournalTold, JournalWorkerData } from './journal-worker.ts';
import { SharedJournal, type SharedJournalOptions } from './shared-journal.ts';

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

/** Changes that come together, as at the end of a turn, are one write. */
const GATHER_MS = 100;
/** The pulses of all shards, which come one after the other, are one write. */
const PULSES_MS = 30;
/** By then each shard has told its own. */
const BEFORE_MS = 1_000;
const SAME_FAULT_MS = 60_000;

export interface CallJournal {
  /**
   * The call rings or is established. `describe` is asked again whenever it has changed; null: nobody can go on with it
   * now.
   */
  follow(callId: string, describe: () => object | null): void;
  /** `isUrgent`: what is on the disk would be wrong, and is replaced at once. */
  changed(callId: string, isUrgent?: boolean): void;
  /** The process now works on this call: it is the suspect if the process dies. */
  busyWith(callId: string): void;
  /** The call is over. */
  forget(callId: string): void;
}

export class Journal implements CallJournal {
  /** The files that an earlier process has written. */
  readonly files: JournalFiles;
  readonly #worker: Worker;
  readonly #clock: Clock;
  /** `written`: null if there is no file; undefined if an earlier process may have left one. */
  readonly #calls = new Map<string, { describe: () => object | null; written: string | null | undefined }>();
  readonly #changed = new Set<string>();
  readonly #pulses = new Map<number, Pulses['shards'][number]>();
  #cancel: (() => void) | null = null;
  #cancelPulse: (() => void) | null = null;
  /** A process that dies before its first pulse leaves those of the one before. */
  #before: Pulses['shards'] = [];
  #beforeUntilMs = 0;
  #onWritten: () => void = () => undefined;
  #active: string | null = null;
  /** The journal for other machines' engines; null where there are none. */
  #shared: SharedJournal | null = null;
  /** Null while the calls are another process's. */
  #began: Pick<Pulses, 'beganAtMs' | 'deaths'> | null = null;

  constructor(options: { folder: string; key: Buffer; clock: Clock; onFault: (message: string) => void }) {
    this.#clock = options.clock;
    mkdirSync(options.folder, { recursive: true, mode: 0o700 });
    this.files = new JournalFiles(options.folder, options.key);
    const workerData: JournalWorkerData = { folder: options.folder, key: options.key };
    this.#worker = new Worker(new URL('./journal-worker.ts', import.meta.url), { workerData });
    let quietUntilMs = 0;
    this.#worker.on('message', (told: JournalTold) => {
      if (told.type === 'told') return this.#onWritten();
      if (told.type === 'sealed') return this.#shared?.sealed(told.callId, told.sealed);
      // A full disk refuses every write.
      if (options.clock.monotonicMs() < quietUntilMs) return;
      quietUntilMs = options.clock.monotonicMs() + SAME_FAULT_MS;
      options.onFault(told.message);
    });
    this.#worker.on('error', (error) => options.onFault(error.message));
    this.#worker.unref();
  }

  follow(callId: string, describe: () => object | null): void {
    this.#calls.set(callId, { describe, written: this.#calls.get(callId)?.written });
    this.changed(callId);
  }

  /** Whatever is written from now on is told to other machines' engines, too, at their own pace. */
  share(options: SharedJournalOptions): void {
    this.#shared = new SharedJournal({
      ...options,
      clock: this.#clock,
      seal: (callId, json) => this.#post({ type: 'seal', callId, json }),
      pulseOf: (callId) => {
        for (const { atMs, calls } of this.#pulses.values()) {
          const pulse = calls.find((call) => call.callId === callId);
          if (pulse) return { ...pulse, atMs };
        }
        return null;
      },
    });
  }

  busyWith(callId: string): void {
    this.#active = callId;
  }

  /** This process goes on with the calls of another one from now on. `before`: that one's last pulses. */
  begin(deaths: number, before: Pulses['shards']): void {
    this.#began = { beganAtMs: sharedClockMs(), deaths };
    this.#before = before;
    this.#beforeUntilMs = this.#clock.monotonicMs() + BEFORE_MS;
    // Of its call to itself.
    this.#pulses.clear();
    this.#writePulses();
  }

  /** There was no call to go on with. */
  beginEmpty(): void {
    this.#began = { beganAtMs: 0, deaths: 0 };
    this.#writePulses();
  }

  /** Another process goes on with the calls, which have been left. Resolves when everything is on the disk. */
  async handOver(): Promise<void> {
    this.#cancel?.();
    this.#cancelPulse?.();
    this.#flush();
    this.#shared?.stop();
    this.#calls.clear();
    this.#post({ type: 'pulse', json: JSON.stringify({ ...this.#allPulses, handedOver: true } satisfies Pulses) });
    this.#worker.ref();
    await new Promise<void>((resolve) => {
      this.#onWritten = resolve;
      this.#post({ type: 'tell' });
    });
    this.#worker.unref();
  }

  /** An error that nobody has caught is about to end the process. */
  blame(): void {
    if (this.#active !== null) this.files.writeSuspect(this.#active);
  }

  changed(callId: string, isUrgent = false): void {
    if (!this.#calls.has(callId)) return;
    if (isUrgent) return this.#describe(callId);
    this.#changed.add(callId);
    this.#cancel ??= this.#clock.after(GATHER_MS, () => this.#flush());
  }

  forget(callId: string): void {
    const call = this.#calls.get(callId);
    this.#calls.delete(callId);
    this.#changed.delete(callId);
    this.#shared?.forget(callId);
    if (call && call.written !== null) this.#post({ type: 'forget', callId });
  }

  /** Of one shard's calls. */
  pulse(shardIndex: number, atMs: number, calls: CallPulse[]): void {
    this.#pulses.set(shardIndex, { atMs, calls });
    if (this.#clock.monotonicMs() > this.#beforeUntilMs) this.#before = [];
    this.#cancelPulse ??= this.#clock.after(PULSES_MS, () => this.#writePulses());
  }

  async stop(): Promise<void> {
    this.#cancel?.();
    this.#cancelPulse?.();
    this.#shared?.stop();
    await this.#worker.terminate();
  }

  #writePulses(): void {
    this.#cancelPulse?.();
    this.#cancelPulse = null;
    if (this.#began !== null) this.#post({ type: 'pulse', json: JSON.stringify(this.#allPulses) });
  }

  get #allPulses(): Pulses {
    return {
      beganAtMs: 0,
      deaths: 0,
      ...this.#began,
      active: this.#active,
      shards: [...this.#before, ...this.#pulses.values()],
    };
  }

  #flush(): void {
    this.#cancel = null;
    for (const callId of this.#changed) this.#describe(callId);
    this.#changed.clear();
  }

  #describe(callId: string): void {
    const call = this.#calls.get(callId);
    if (!call) return;
    const described = call.describe();
    const json = described === null ? null : JSON.stringify(described);
    if (json === call.written) return;
    call.written = json;
    this.#shared?.described(callId, described, json);
    this.#post(json === null ? { type: 'forget', callId } : { type: 'call', callId, json });
  }

  #post(command: JournalCommand): void {
    this.#worker.postMessage(command);
  }
}
