// Audio of a speech server in each of the formats that are understood, as mono PCM of 16 bits. Chunks have any length,
// and may cut a sample, a frame or a page in two.
import { decodeG711 } from '../../../media/g711.ts';
import { OggOpus } from './ogg-opus.ts';
import {
  isSmootherLittleEndian,
  type PcmFormat,
  type SampleForm,
  type Sound,
  type SoundDecoder,
  type SoundFormat,
} from './sound-format.ts';

/** @param toHz rate that the listener wants; a decoder that can choose gives it */
export async function decoderOf(
  format: Exclude<SoundFormat, { kind: 'unknown' }>,
  toHz: number,
): Promise<SoundDecoder> {
  if (format.kind === 'mp3') return mp3Decoder();
  if (format.kind === 'ogg-opus') return await OggOpus.open(toHz);
  return new PcmDecoder(format);
}

const FORM_BYTES: Readonly<Record<SampleForm, number>> = {
  u8: 1,
  s8: 1,
  pcmu: 1,
  pcma: 1,
  s16: 2,
  s24: 3,
  s32: 4,
  f32: 4,
  f64: 8,
};

class PcmDecoder implements SoundDecoder {
  readonly #format: PcmFormat;
  #rest: Buffer = Buffer.alloc(0);
  #leftBytes: number;
  #isLittleEndian: boolean | null;

  constructor(format: PcmFormat) {
    this.#format = format;
    this.#leftBytes = format.dataBytes ?? Number.POSITIVE_INFINITY;
    this.#isLittleEndian = format.isLittleEndian;
  }

  take(chunk: Uint8Array): Sound {
    const { form, channels, rateHz } = this.#format;
    // Chunks of a WAV file behind its samples are no sound.
    const piece = chunk.subarray(0, Math.min(chunk.length, this.#leftBytes));
    this.#leftBytes -= piece.length;
    const bytes = Buffer.concat([this.#rest, piece]);
    const frameBytes = FORM_BYTES[form] * channels;
    const frames = Math.floor(bytes.length / frameBytes);
    this.#rest = bytes.subarray(frames * frameBytes);
    const whole = bytes.subarray(0, frames * frameBytes);
    const values = samplesOf(form, whole, this.#orderOf(whole));
    return { samples: channels === 1 ? values : mixed(values, channels), rateHz };
  }

  close(): void {}

  #orderOf(bytes: Buffer): boolean {
    const size = FORM_BYTES[this.#format.form];
    if (this.#isLittleEndian === null && (size === 2 || size === 3 || size === 4))
      this.#isLittleEndian = isSmootherLittleEndian(bytes, size);
    return this.#isLittleEndian ?? true;
  }
}

function samplesOf(form: SampleForm, bytes: Buffer, isLittleEndian: boolean): Int16Array {
  const size = FORM_BYTES[form];
  const samples = new Int16Array(bytes.length / size);
  if (form === 'pcmu' || form === 'pcma') {
    decodeG711(form, bytes, 0, samples.length, samples);
    return samples;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const read = READERS[form];
  for (let n = 0; n < samples.length; n++) samples[n] = read(view, n * size, isLittleEndian);
  return samples;
}

const READERS: Readonly<
  Record<Exclude<SampleForm, 'pcmu' | 'pcma'>, (view: DataView, at: number, isLittleEndian: boolean) => number>
> = {
  u8: (view, at) => (view.getUint8(at) - 128) << 8,
  s8: (view, at) => view.getInt8(at) << 8,
  s16: (view, at, little) => view.getInt16(at, little),
  s24: (view, at, little) => view.getInt16(little ? at + 1 : at, little),
  s32: (view, at, little) => view.getInt16(little ? at + 2 : at, little),
  f32: (view, at, little) => ofFloat(view.getFloat32(at, little)),
  f64: (view, at, little) => ofFloat(view.getFloat64(at, little)),
};

/** Of -1 to 1; a value that is no number is silence. */
function ofFloat(value: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(value * 32_768))) || 0;
}

function mixed(values: Int16Array, channels: number): Int16Array {
  const mono = new Int16Array(values.length / channels);
  for (let n = 0; n < mono.length; n++) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++) sum += values[n * channels + channel] ?? 0;
    mono[n] = Math.round(sum / channels);
  }
  return mono;
}

/** The first in a thread compiles mpg123, some 80 ms. */
async function mp3Decoder(): Promise<SoundDecoder> {
  const { MPEGDecoder } = await import('mpg123-decoder');
  const decoder = new MPEGDecoder();
  await decoder.ready;
  return {
    take: (chunk) => {
      const { channelData, samplesDecoded, sampleRate, errors } = decoder.decode(chunk);
      if (samplesDecoded === 0 && errors.length > 0) throw new Error(`MP3: ${errors[0]?.message ?? 'broken'}`);
      const samples = new Int16Array(samplesDecoded);
      for (let n = 0; n < samplesDecoded; n++) {
        let sum = 0;
        for (const channel of channelData) sum += channel[n] ?? 0;
        samples[n] = ofFloat(sum / channelData.length);
      }
      return { samples, rateHz: sampleRate };
    },
    close: () => decoder.free(),
  };
}
