// Raw PCM from an HTTP answer: signed 16 bit little-endian mono in chunks of any length, which may cut a sample in two.
// A WAV file is understood as well.
import { joinSamples } from '../../media/frame.ts';
import { Resampler } from '../../media/resample.ts';
import type { Vendor } from '../vendors/vendor.ts';
import { VendorError } from '../vendors/vendor.ts';
import type { SpeechSink } from './tts.ts';

const WAV_HEADER_MAX_BYTES = 4_096;
/** Small chunks that arrive within this time are joined, so that a fast server does not cause a message for each. */
const GATHER_MS = 20;

/**
 * Reads the whole body and gives `sink` its samples at `toHz` as they arrive.
 * @throws {VendorError} `garbled` when the body is not audio
 */
export async function readPcm(
  vendor: Vendor,
  answer: Response,
  rates: { fromHz: number; toHz: number },
  sink: SpeechSink,
): Promise<void> {
  const type = answer.headers.get('content-type') ?? '';
  if (/^(text\/|application\/json)/.test(type) || !answer.body) {
    // A proxy's page with status 200.
    await answer.body?.cancel().catch(() => undefined);
    throw new VendorError('garbled', `${vendor.name} answered ${type.split(';')[0] || 'nothing'} instead of audio`);
  }
  const samples = new SampleReader(rates, sink);
  try {
    for await (const chunk of answer.body) {
      if (sink.signal.aborted) return;
      samples.take(chunk);
    }
    samples.end();
  } finally {
    samples.stop();
  }
}

class SampleReader {
  readonly #toHz: number;
  readonly #sink: SpeechSink;
  #fromHz: number;
  #resampler: Resampler | null = null;
  #rest: Buffer = Buffer.alloc(0);
  #isHeaderRead = false;
  #gathered: Int16Array[] = [];
  #flushedAtMs = Number.NEGATIVE_INFINITY;
  #flush: NodeJS.Timeout | null = null;

  constructor({ fromHz, toHz }: { fromHz: number; toHz: number }, sink: SpeechSink) {
    this.#fromHz = fromHz;
    this.#toHz = toHz;
    this.#sink = sink;
  }

  take(chunk: Uint8Array): void {
    let bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : Buffer.from(chunk);
    if (!this.#isHeaderRead) {
      const skip = this.#readHeader(bytes);
      if (skip === null) {
        this.#rest = bytes;
        return;
      }
      bytes = bytes.subarray(skip);
    }
    const even = bytes.length - (bytes.length % 2);
    this.#rest = bytes.subarray(even);
    if (even === 0) return;
    const samples = new Int16Array(even / 2);
    for (let n = 0; n < samples.length; n++) samples[n] = bytes.readInt16LE(n * 2);
    this.#emit(samples);
  }

  /** Flushes the filter. A remaining half sample is dropped. */
  end(): void {
    if (this.#resampler) this.#emit(new Int16Array(this.#resampler.delayInputSamples));
    this.#send();
  }

  stop(): void {
    if (this.#flush) clearTimeout(this.#flush);
    this.#flush = null;
  }

  #emit(samples: Int16Array): void {
    if (this.#fromHz === this.#toHz) {
      this.#gather(samples);
      return;
    }
    this.#resampler ??= new Resampler(this.#fromHz, this.#toHz);
    const out = new Int16Array(this.#resampler.maxOutput(samples.length));
    this.#gather(out.slice(0, this.#resampler.process(samples, out)));
  }

  /** Passes on the first samples after a pause at once, and joins those that follow closely. */
  #gather(samples: Int16Array): void {
    this.#gathered.push(samples);
    const waitMs = this.#flushedAtMs + GATHER_MS - performance.now();
    if (waitMs <= 0) this.#send();
    else this.#flush ??= setTimeout(() => this.#send(), waitMs);
  }

  #send(): void {
    this.stop();
    this.#flushedAtMs = performance.now();
    const pieces = this.#gathered.splice(0);
    if (pieces.length > 0) this.#sink.onAudio(joinSamples(pieces));
  }

  /** Bytes to skip: 0 for raw PCM; null while more bytes are needed to decide. */
  #readHeader(bytes: Buffer): number | null {
    if (bytes.length < 4) return null;
    if (bytes.toString('latin1', 0, 4) !== 'RIFF') {
      this.#isHeaderRead = true;
      return 0;
    }
    const data = bytes.indexOf('data', 12, 'latin1');
    if (data < 0 || bytes.length < data + 8) return bytes.length > WAV_HEADER_MAX_BYTES ? this.#noHeader() : null;
    this.#fromHz = bytes.readUInt32LE(24);
    this.#isHeaderRead = true;
    return data + 8;
  }

  #noHeader(): number {
    this.#isHeaderRead = true;
    return 0;
  }
}
