// The stereo recording of a call: caller left, agent right, one frame of each per tick of the pacer, so the channels
// cannot drift. Samples are collected into batches of 1 s, each written at its own file position: a batch that the disk
// refused leaves silence of the same length, never a shift. A killed process loses at most the last batch.
//
//   pacer ──► write(caller, agent) ──► batch (1 s, interleaved) ──► fs.write at position ──► close: header
//                                       at most 8 waiting, then dropped
import { close, constants, fstat, fsync, open, unlink, write } from 'node:fs';
import { open as openFile, rm } from 'node:fs/promises';
import { frameSamples } from './frame.ts';
import { WAV_HEADER_BYTES, WavError, wavHeader, wavLayout } from './wav.ts';

// 1 s: 200 calls cost 200 small writes a second, and a kill costs at most 1 s of audio.
const BATCH_MS = 1000;
// Up to 8 s are held in memory while the disk does not answer (256 KiB per call at 8 kHz). Later audio is dropped.
const MAX_PENDING_BATCHES = 8;

class RecorderError extends Error {
  readonly code: 'RECORDER_OPEN_FAILED' | 'RECORDER_WRITE_FAILED';
  constructor(code: RecorderError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RecorderError';
    this.code = code;
  }
}

interface RecordingSummary {
  /** Null if no audio was kept because of a disk fault or a failed thread: then there is no file. */
  path: string | null;
  /** Length in samples per channel, including dropped batches, which are silence. */
  samples: number;
  durationMs: number;
  /** Samples per channel that the disk refused. */
  droppedSamples: number;
}

interface RecorderOptions {
  path: string;
  sampleRateHz: number;
  /** Continues an existing file at this sample of each channel. A gap before it becomes silence. */
  resumeAtSamples?: number;
  /** Called once, at the first failure of the disk. The call goes on without the rest of its recording. */
  onFault?: (error: RecorderError) => void;
}

export class Recorder {
  readonly #options: RecorderOptions;
  readonly #batchSamples: number;
  readonly #frameSamples: number;
  readonly #free: Int16Array[] = [];
  readonly #waiting: Array<{ batch: Int16Array; bytes: number; position: number }> = [];
  #batch: Int16Array;
  #filled = 0;
  /** Bytes of all batches so far: position of the next batch in the file's data. */
  #rotatedBytes = 0;
  #samples = 0;
  #droppedSamples = 0;
  #fd: number | null = null;
  #writing = false;
  #failed = false;
  #closing: ((summary: RecordingSummary) => void) | null = null;
  #closed: Promise<RecordingSummary> | null = null;
  /** Another process goes on with the file. */
  #isLeft = false;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#batchSamples = Math.round((options.sampleRateHz * BATCH_MS) / 1000);
    this.#frameSamples = frameSamples(options.sampleRateHz);
    this.#batch = new Int16Array(this.#batchSamples * 2);
    this.#samples = options.resumeAtSamples ?? 0;
    this.#rotatedBytes = this.#samples * 4;
    const flags =
      constants.O_RDWR | constants.O_CREAT | (options.resumeAtSamples === undefined ? constants.O_TRUNC : 0);
    open(options.path, flags, 0o640, (error, fd) => {
      if (error) return this.#fail('RECORDER_OPEN_FAILED', error);
      this.#fd = fd;
      const header = wavHeader({ sampleRateHz: options.sampleRateHz, channels: 2 }, 0);
      this.#writing = true;
      write(fd, header, 0, header.length, 0, (failure) => {
        this.#writing = false;
        if (failure) this.#fail('RECORDER_WRITE_FAILED', failure);
        else this.#drain();
      });
    });
  }

  /** Samples per channel so far: the position of the next frame. */
  get samples(): number {
    return this.#samples;
  }

  /** Adds one frame to each channel; null is silence. Both must have the same length. Never blocks. */
  write(caller: Int16Array | null, agent: Int16Array | null): void {
    if (this.#closed) return;
    const count = caller?.length ?? agent?.length ?? this.#frameSamples;
    for (let from = 0; from < count; ) {
      // In local variables: private fields cost more for each sample than its copy.
      const batch = this.#batch;
      let at = this.#filled;
      const to = Math.min(count, from + (batch.length - at) / 2);
      for (let i = from; i < to; i++) {
        batch[at++] = caller ? (caller[i] as number) : 0;
        batch[at++] = agent ? (agent[i] as number) : 0;
      }
      this.#filled = at;
      from = to;
      if (at === batch.length) this.#rotate();
    }
    this.#samples += count;
  }

  /** Writes the rest and the final header. Resolves after a fault too. Further calls return the same promise. */
  close(): Promise<RecordingSummary> {
    this.#closed ??= new Promise((resolve) => {
      if (this.#filled > 0) this.#rotate();
      this.#closing = resolve;
      this.#drain();
    });
    return this.#closed;
  }

  /**
   * Writes the rest of it, for a process that goes on with the file at a later position, and need not wait: the file's
   * end, and its safe arrival on the disk, are that one's.
   */
  leave(): Promise<RecordingSummary> {
    this.#isLeft = true;
    return this.close();
  }

  #rotate(): void {
    const bytes = this.#filled * 2;
    const position = WAV_HEADER_BYTES + this.#rotatedBytes;
    this.#rotatedBytes += bytes;
    this.#filled = 0;
    if (this.#failed || this.#waiting.length >= MAX_PENDING_BATCHES) {
      this.#droppedSamples += bytes / 4;
      return;
    }
    this.#waiting.push({ batch: this.#batch, bytes, position });
    this.#batch = this.#free.pop() ?? new Int16Array(this.#batchSamples * 2);
    this.#drain();
  }

  #drain(): void {
    if (this.#writing) return;
    const next = this.#waiting[0];
    if (!next || this.#failed) {
      if (this.#closing && (this.#fd !== null || this.#failed)) this.#finish();
      return;
    }
    if (this.#fd === null) return;
    this.#writing = true;
    this.#writeAll(this.#fd, new Uint8Array(next.batch.buffer, 0, next.bytes), next.position, (error) => {
      this.#writing = false;
      this.#waiting.shift();
      if (this.#free.length < 2) this.#free.push(next.batch);
      if (error) this.#fail('RECORDER_WRITE_FAILED', error);
      else this.#drain();
    });
  }

  #writeAll(fd: number, bytes: Uint8Array, position: number, done: (error: Error | null) => void): void {
    write(fd, bytes, 0, bytes.length, position, (error, written) => {
      if (error) return done(error);
      if (written >= bytes.length) return done(null);
      // A short write means that the disk is almost full; the next write fails with ENOSPC.
      this.#writeAll(fd, bytes.subarray(written), position + written, done);
    });
  }

  #fail(code: RecorderError['code'], cause: Error): void {
    if (!this.#failed) {
      this.#failed = true;
      for (const { bytes } of this.#waiting) this.#droppedSamples += bytes / 4;
      this.#waiting.length = 0;
      this.#options.onFault?.(new RecorderError(code, `recording stopped: ${cause.message}`, { cause }));
    }
    if (this.#closing) this.#finish();
  }

  #finish(): void {
    const resolve = this.#closing;
    this.#closing = null;
    if (!resolve) return;
    const { path, sampleRateHz } = this.#options;
    const summary: RecordingSummary = {
      path,
      samples: this.#samples,
      durationMs: Math.round((this.#samples * 1000) / sampleRateHz),
      droppedSamples: this.#droppedSamples,
    };
    const fd = this.#fd;
    this.#fd = null;
    if (fd === null) {
      resolve(this.#failed ? { ...summary, path: null } : summary);
      return;
    }
    if (this.#isLeft) return close(fd, () => resolve(summary));
    fstat(fd, (error, stats) => {
      // The call ended at once, or a fault came before the first block: no recording rather than an empty one.
      if (!error && stats.size <= WAV_HEADER_BYTES) {
        close(fd, () => unlink(path, () => resolve({ ...summary, path: null })));
        return;
      }
      const header = wavHeader({ sampleRateHz, channels: 2 }, this.#failed ? 0 : this.#rotatedBytes);
      // After a fault the header's length stays 0, and readers use the file's length, so the written part stays
      // playable.
      write(fd, header, 0, header.length, 0, () => fsync(fd, () => close(fd, () => resolve(summary))));
    });
  }
}

/**
 * Repairs the recording of a killed process: writes the file's real length into its header and cuts off a partial last
 * block. Idempotent.
 * @returns the length in ms and in samples per channel; 0 for a file without audio
 * @throws {WavError} if the file is not a recording, or shorter than a header
 */
export async function repairRecording(path: string): Promise<{ durationMs: number; samples: number }> {
  const file = await openFile(path, 'r+');
  try {
    const { size } = await file.stat();
    const head = Buffer.alloc(WAV_HEADER_BYTES);
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    if (bytesRead < WAV_HEADER_BYTES) throw new WavError('WAV_TRUNCATED', 'the header was never written');
    // Ignores the header's length: the file may be longer.
    head.writeUInt32LE(0, 40);
    const layout = wavLayout(head, size);
    const end = layout.dataOffset + layout.dataBytes;
    if (end !== size) await file.truncate(end);
    await file.write(wavHeader(layout, layout.dataBytes), 0, WAV_HEADER_BYTES, 0);
    await file.sync();
    const samples = layout.dataBytes / (layout.channels * 2);
    return { samples, durationMs: Math.round((samples * 1000) / layout.sampleRateHz) };
  } finally {
    await file.close();
  }
}

/**
 * Recovers the recording of a killed thread or process: repairs it, or removes it if it holds no audio.
 * @returns null if there is no recording
 * @throws {WavError} if the file is not a recording
 */
export async function recoverRecording(path: string): Promise<{ durationMs: number; samples: number } | null> {
  try {
    const repaired = await repairRecording(path);
    if (repaired.samples > 0) return repaired;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'ENOENT') return null;
    if (code !== ('WAV_TRUNCATED' satisfies WavError['code'])) throw error;
  }
  await rm(path, { force: true });
  return null;
}
