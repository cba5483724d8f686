// Speech from an HTTP answer as PCM: signed 16 bit little-endian mono is asked for, in chunks of any length. Some
// servers send another format than they were asked for: it is recognised and converted, or refused by its name.
import { messageOf } from '../../../db/domain/unexpected.ts';
import { joinSamples } from '../../../media/frame.ts';
import { Resampler } from '../../../media/resample.ts';
import type { Vendor } from '../../vendors/vendor.ts';
import { VendorError } from '../../vendors/vendor.ts';
import type { SpeechSink } from '../tts.ts';
import { decoderOf } from './sound-decoders.ts';
import { HEAD_MAX_BYTES, type Sound, type SoundDecoder, soundFormat } from './sound-format.ts';

/** Small chunks that arrive within this time are joined, so that a fast server does not cause a message for each. */
const GATHER_MS = 20;

/**
 * Reads the whole body and gives `sink` its samples at `toHz` as they arrive.
 * @throws {VendorError} `garbled` when the body is not audio, or of a format that nothing here decodes
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
  const output = new Output(rates.toHz, sink);
  const sound = new SoundReader(vendor, answer.headers, rates);
  try {
    for await (const chunk of answer.body) {
      if (sink.signal.aborted) return;
      output.emit(await sound.take(chunk));
    }
    output.emit(await sound.end());
    output.end();
  } finally {
    sound.close();
    output.stop();
  }
}

/** Finds the format in the first bytes, then decodes. */
class SoundReader {
  readonly #vendor: Vendor;
  readonly #headers: Headers;
  readonly #fromHz: number;
  readonly #toHz: number;
  #head: Buffer = Buffer.alloc(0);
  #decoder: SoundDecoder | null = null;

  constructor(vendor: Vendor, headers: Headers, { fromHz, toHz }: { fromHz: number; toHz: number }) {
    this.#vendor = vendor;
    this.#headers = headers;
    this.#fromHz = fromHz;
    this.#toHz = toHz;
  }

  async take(chunk: Uint8Array): Promise<Sound | null> {
    if (this.#decoder) return this.#decode(this.#decoder, chunk);
    this.#head = Buffer.concat([this.#head, chunk]);
    return this.#begin(this.#head.length >= HEAD_MAX_BYTES);
  }

  /** The samples of a stream that was too short to show its format before. */
  async end(): Promise<Sound | null> {
    return this.#decoder || this.#head.length === 0 ? null : this.#begin(true);
  }

  close(): void {
    this.#decoder?.close();
    this.#decoder = null;
  }

  async #begin(isAll: boolean): Promise<Sound | null> {
    const format = soundFormat(this.#head, this.#headers, this.#fromHz, isAll);
    if (format === null) return null;
    if (format.kind === 'unknown')
      throw new VendorError('garbled', `${this.#vendor.name} sent ${format.came} instead of PCM of 16 bits`);
    this.#decoder = await decoderOf(format, this.#toHz);
    const bytes = format.kind === 'pcm' ? this.#head.subarray(format.skipBytes) : this.#head;
    this.#head = Buffer.alloc(0);
    return this.#decode(this.#decoder, bytes);
  }

  #decode(decoder: SoundDecoder, bytes: Uint8Array): Sound {
    try {
      return decoder.take(bytes);
    } catch (error) {
      throw new VendorError('garbled', `${this.#vendor.name} sent broken audio: ${messageOf(error)}`);
    }
  }
}

/** Resamples, and passes on in pieces of some length. */
class Output {
  readonly #toHz: number;
  readonly #sink: SpeechSink;
  #fromHz = 0;
  #resampler: Resampler | null = null;
  #gathered: Int16Array[] = [];
  #flushedAtMs = Number.NEGATIVE_INFINITY;
  #flush: NodeJS.Timeout | null = null;

  constructor(toHz: number, sink: SpeechSink) {
    this.#toHz = toHz;
    this.#sink = sink;
  }

  /** A stream has one rate. */
  emit(sound: Sound | null): void {
    if (sound === null || sound.samples.length === 0) return;
    this.#fromHz = sound.rateHz;
    this.#emit(sound.samples);
  }

  /** Flushes the filter. */
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
}
