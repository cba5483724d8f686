// Brings finished recordings to the object store: from this engine's disk, oldest first, for as long as it takes. The
// rows are the queue, so a restart goes on where the last engine was, with the files of its own disk only. While the
// store is away one recording is tried at a time, at most a minute apart. Without a store recordings stay where they
// are, and only those of erased calls are removed.

import { readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Logger } from 'pino';
import { DAY_MS } from '../../db/domain/hours/durations.ts';
import { messageOf } from '../../db/domain/unexpected.ts';
import type { Outage } from '../../db/faults/outage.ts';
import {
  settledRecordings,
  type UnstoredRecording,
  unstoredRecordings,
  waitingRecordings,
} from '../../db/queries/calls/ended/recordings.ts';
import type { Db } from '../../db/schema.ts';
import { contentTypeOf, type Files, FilesError } from '../../db/shared/files/files.ts';
import type { Writer } from '../../db/writing/writer.ts';
import { recoverRecording } from '../../media/recorder.ts';
import { type Clock, every, sleep } from '../clock.ts';

const AT_ONCE = 4;
const LOOK_LIMIT = 100;
const FIRST_RETRY_MS = 1_000;
/** The store is back for a minute at most before the first recording goes there. */
const RETRY_MAX_MS = 60_000;
/** A recording that the store refuses stands back so long, so that it does not hold up the others. */
const ASIDE_MS = 60_000;
const LOOK_EVERY_MS = 60_000;
const TIDY_EVERY_MS = 300_000;
/** Without a store the folder has all recordings, and whoever erases a call asks for its file to be deleted. */
const TIDY_ALL_EVERY_MS = DAY_MS;
/** A stored recording stays on the disk for so long, for those who read it there. */
const KEPT_MS = 3_600_000;
const TIDY_BATCH = 100;
const TIDY_REST_MS = 20;

interface RecordingUploadsOptions {
  read: Db;
  writer: Pick<Writer, 'runDurably'>;
  files: Pick<Files, 'kind' | 'put' | 'head'>;
  recordingsDir: string;
  /** Of recordings on this disk. */
  state: string;
  /** The call or its after-call work is under way: its file may still change. */
  isBusy(callId: string): boolean;
  /** Of a call that was cut off: what is private in it; false: that failed, and the file is removed. */
  silence(callId: string, path: string): Promise<boolean>;
  clock: Clock;
  log: Pick<Logger, 'info' | 'warn'>;
  outage: Pick<Outage, 'explains'>;
}

export class RecordingUploads {
  readonly #options: RecordingUploadsOptions;
  readonly #aside = new Map<string, number>();
  readonly #storedAt = new Map<string, number>();
  readonly #stopTimers: Array<() => void> = [];
  #failures = 0;
  #cancelRetry: (() => void) | null = null;
  #running: Promise<void> | null = null;
  #tidying: Promise<void> | null = null;
  #isWoken = false;
  /** The log says once that the store is away, and once that it is back. */
  #isAway = false;
  #isStopped = false;
  #waiting = 0;

  constructor(options: RecordingUploadsOptions) {
    this.#options = options;
  }

  /** Recordings of ended calls that are on this disk only, as last counted. */
  get waiting(): number {
    return this.#waiting;
  }

  get #hasStore(): boolean {
    return this.#options.files.kind === 's3';
  }

  start(): void {
    if (this.#isStopped) return;
    const { clock } = this.#options;
    const tidyEveryMs = this.#hasStore ? TIDY_EVERY_MS : TIDY_ALL_EVERY_MS;
    this.#stopTimers.push(every(clock, LOOK_EVERY_MS, () => this.wake()));
    this.#stopTimers.push(every(clock, tidyEveryMs, () => this.#tidySafely()));
    this.wake();
    this.#tidySafely();
  }

  /** A recording may be complete. */
  wake(): void {
    if (!this.#hasStore || this.#isStopped || this.#cancelRetry !== null) return;
    this.#isWoken = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    await this.#running;
    await this.#tidying;
  }

  /** Recordings that are not stored yet are taken up at the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const stop of this.#stopTimers.splice(0)) stop();
    this.#cancelRetry?.();
  }

  async #run(): Promise<void> {
    const { read, state, log, outage } = this.#options;
    try {
      while (this.#isWoken && !this.#isStopped) {
        this.#isWoken = false;
        const ready = await this.#ready();
        const batch = ready.slice(0, this.#failures > 0 ? 1 : AT_ONCE);
        const stored = await Promise.all(batch.map((recording) => this.#tryToStore(recording)));
        this.#waiting = (await waitingRecordings(read, state)).count;
        if (stored.includes(false)) return this.#retryLater();
        if (batch.length === 0) return;
        this.#failures = 0;
        if (this.#isAway) log.info('the object store is back: recordings are stored again');
        this.#isAway = false;
        this.#isWoken = true;
      }
    } catch (error) {
      if (!outage.explains(error)) log.warn({ error: messageOf(error) }, 'could not look for recordings to store');
      this.#retryLater();
    }
  }

  async #ready(): Promise<UnstoredRecording[]> {
    const { read, state, isBusy, clock } = this.#options;
    const nowMs = clock.monotonicMs();
    for (const [callId, untilMs] of this.#aside) if (untilMs <= nowMs) this.#aside.delete(callId);
    const unstored = await unstoredRecordings(read, { state, limit: LOOK_LIMIT + this.#aside.size });
    return unstored.filter(({ id }) => !this.#aside.has(id) && !isBusy(id));
  }

  #retryLater(): void {
    if (this.#isStopped) return;
    const delayMs = Math.min(RETRY_MAX_MS, FIRST_RETRY_MS * 2 ** Math.min(this.#failures, 10));
    this.#failures++;
    this.#cancelRetry = this.#options.clock.after(delayMs, () => {
      this.#cancelRetry = null;
      this.wake();
    });
  }

  /** False if it has to be tried again. */
  async #tryToStore(recording: UnstoredRecording): Promise<boolean> {
    const { clock, log } = this.#options;
    try {
      await this.#store(recording);
      return true;
    } catch (error) {
      const isAway = error instanceof FilesError && error.code === 'unreachable';
      if (!isAway) this.#aside.set(recording.id, clock.monotonicMs() + ASIDE_MS);
      if (!isAway || !this.#isAway) {
        log.warn(
          { callId: recording.id, error: messageOf(error) },
          'could not store a recording: it waits on the disk',
        );
      }
      this.#isAway ||= isAway;
      return false;
    }
  }

  async #recovered(callId: string, path: string): Promise<boolean> {
    return (await recoverRecording(path)) !== null && this.#options.silence(callId, path);
  }

  async #store({ id: callId, recordingPath, isCutOff }: UnstoredRecording): Promise<void> {
    const { files, writer, recordingsDir, clock, log } = this.#options;
    // DATA_DIR may have moved since the path was stored.
    const name = basename(recordingPath);
    const path = join(recordingsDir, name);
    const key = `recordings/${name}`;
    const isHere = isCutOff && name.endsWith('.wav') ? await this.#recovered(callId, path) : await isFile(path);
    const facts = isHere ? await files.put(key, path, contentTypeOf(name)) : await files.head(key);
    if (facts === null) {
      log.warn({ callId }, 'the recording was lost before it was stored');
      await writer.runDurably('loseRecording', { callId });
      return;
    }
    if (await writer.runDurably('storeRecording', { callId, key, bytes: facts.bytes })) {
      this.#storedAt.set(callId, clock.monotonicMs());
    } else {
      // Erased meanwhile.
      this.#aside.set(callId, clock.monotonicMs() + ASIDE_MS);
      await writer.runDurably('deleteFile', { key, nowMs: clock.nowMs() });
      await rm(path, { force: true });
    }
  }

  #tidySafely(): void {
    this.#tidying ??= this.#tidy()
      .catch((error: unknown) =>
        this.#options.log.warn({ error: messageOf(error) }, 'could not tidy the recordings folder'),
      )
      .finally(() => {
        this.#tidying = null;
      });
  }

  /** Removes files that are stored for an hour, and those of calls that another machine's API has erased. */
  async #tidy(): Promise<void> {
    const { read, recordingsDir, clock } = this.#options;
    const names = (await readdir(recordingsDir)).filter((name) => /\.(wav|mp3)$/.test(name));
    for (let at = 0; at < names.length && !this.#isStopped; at += TIDY_BATCH) {
      const batch = names.slice(at, at + TIDY_BATCH);
      const settled = await settledRecordings(read, batch.map(callIdOf));
      for (const name of batch) {
        const reason = settled.get(callIdOf(name));
        if (reason === 'erased' || (this.#hasStore && reason === 'stored' && (await this.#isOld(name))))
          await this.#remove(name);
      }
      if (names.length > TIDY_BATCH) await sleep(clock, TIDY_REST_MS);
    }
  }

  async #isOld(name: string): Promise<boolean> {
    const { recordingsDir, clock } = this.#options;
    const storedAt = this.#storedAt.get(callIdOf(name));
    if (storedAt !== undefined) return clock.monotonicMs() - storedAt >= KEPT_MS;
    const file = await stat(join(recordingsDir, name)).catch(() => null);
    return file !== null && clock.nowMs() - file.mtimeMs >= KEPT_MS;
  }

  async #remove(name: string): Promise<void> {
    await rm(join(this.#options.recordingsDir, name), { force: true });
    this.#storedAt.delete(callIdOf(name));
  }
}

const callIdOf = (name: string): string => name.slice(0, name.lastIndexOf('.'));

/** @throws if the disk does not say */
async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
