// Opus in Ogg (RFC 7845, pages by RFC 3533) as a stream. libopus mixes two channels to one and decodes at the rate of
// the line, so that nothing is resampled. Checksums of pages are not looked at: the bytes came by TCP.
import type { OpusDecoderHandle } from 'libopus-wasm';
import { joinSamples } from '../../../media/frame.ts';
import type { Sound, SoundDecoder } from './sound-format.ts';

const PAGE_HEADER_BYTES = 27;
/** A page has at most 255 segments of 255 bytes. */
const PAGE_MAX_BYTES = PAGE_HEADER_BYTES + 255 + 255 * 255;
/** RFC 7845, 4.2: pre-skip counts samples at 48 kHz. */
const CLOCK_HZ = 48_000;
const IDENTITY_BYTES = 19;
const RATES_HZ = [8_000, 12_000, 16_000, 24_000, 48_000] as const;

export class OggOpus implements SoundDecoder {
  readonly #decoder: OpusDecoderHandle;
  readonly #rateHz: number;
  #rest: Buffer = Buffer.alloc(0);
  #packet: Buffer[] = [];
  #packets = 0;
  #skip = 0;

  private constructor(decoder: OpusDecoderHandle, rateHz: number) {
    this.#decoder = decoder;
    this.#rateHz = rateHz;
  }

  static async open(toHz: number): Promise<OggOpus> {
    const { createDecoder } = await import('libopus-wasm');
    const sampleRate = RATES_HZ.find((rate) => rate === toHz) ?? CLOCK_HZ;
    return new OggOpus(await createDecoder({ sampleRate, channels: 1 }), sampleRate);
  }

  take(chunk: Uint8Array): Sound {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    const pieces: Int16Array[] = [];
    for (;;) {
      const page = pageIn(this.#rest);
      if (page === null) break;
      this.#rest = this.#rest.subarray(page.bytes);
      for (const { body, isEnd } of page.segments) {
        this.#packet.push(body);
        if (!isEnd) continue;
        const samples = this.#decode(Buffer.concat(this.#packet.splice(0)));
        if (samples.length > 0) pieces.push(samples);
      }
    }
    return { samples: joinSamples(pieces), rateHz: this.#rateHz };
  }

  close(): void {
    this.#decoder.free();
  }

  #decode(packet: Buffer): Int16Array {
    const index = this.#packets++;
    if (index === 0) {
      const family = packet[18];
      if (packet.length < IDENTITY_BYTES || family !== 0) throw new Error(`Ogg Opus of mapping family ${family}`);
      this.#skip = Math.round((packet.readUInt16LE(10) * this.#rateHz) / CLOCK_HZ);
    }
    // The second one holds the comments.
    if (index < 2) return new Int16Array(0);
    const samples = this.#decoder.decode(packet);
    const from = Math.min(this.#skip, samples.length);
    this.#skip -= from;
    return samples.subarray(from);
  }
}

interface Page {
  bytes: number;
  segments: Array<{ body: Buffer; isEnd: boolean }>;
}

/** The page at the beginning of `bytes`; null: it is not whole. */
function pageIn(bytes: Buffer): Page | null {
  if (bytes.length < PAGE_HEADER_BYTES) return null;
  if (bytes.toString('latin1', 0, 4) !== 'OggS') throw new Error('Ogg without a page where one should begin');
  const count = bytes[26] ?? 0;
  const table = bytes.subarray(PAGE_HEADER_BYTES, PAGE_HEADER_BYTES + count);
  const length = PAGE_HEADER_BYTES + count + table.reduce((sum, size) => sum + size, 0);
  if (bytes.length < Math.min(length, PAGE_MAX_BYTES) || table.length < count) return null;
  const segments: Page['segments'] = [];
  let at = PAGE_HEADER_BYTES + count;
  // A segment of 255 bytes goes on in the next one.
  for (const size of table) {
    segments.push({ body: bytes.subarray(at, at + size), isEnd: size < 255 });
    at += size;
  }
  return { bytes: length, segments };
}
