// The voice codecs of a telephone call behind one interface, with their RTP properties (RFC 3551, RFC 7587).
import type { VoiceCodecName } from '../../db/domain/trunk-defaults.ts';
import { decodeG711, encodeG711, type Law } from '../g711.ts';
import { G722_SAMPLES_PER_BYTE, G722Decoder, G722Encoder } from '../g722.ts';
import { OPUS_MAX_SAMPLES, OPUS_RATE_HZ, OpusCodec } from '../opus.ts';

interface CodecRates {
  /** Rate of its samples. */
  sampleRateHz: 8_000 | 16_000;
  /** Rate of its time stamps, and of the telephone events beside it (RFC 4733, 2.1). */
  clockRateHz: 8_000 | 48_000;
}

/**
 * RFC 3551, 4.5.2: the clock of G.722 was once assigned wrongly and stays at 8,000. RFC 7587, 4.1: the clock of Opus is
 * 48,000.
 */
export const CODEC_RATES: Readonly<Record<VoiceCodecName, CodecRates>> = {
  PCMU: { sampleRateHz: 8_000, clockRateHz: 8_000 },
  PCMA: { sampleRateHz: 8_000, clockRateHz: 8_000 },
  G722: { sampleRateHz: 16_000, clockRateHz: 8_000 },
  OPUS: { sampleRateHz: OPUS_RATE_HZ, clockRateHz: 48_000 },
};

/** The most samples in one decoded packet: 100 ms of G.711 or G.722, or 120 ms of Opus. */
export const MAX_PACKET_SAMPLES = OPUS_MAX_SAMPLES;
const MAX_G711_BYTES = 800;

/** One call's codec, both directions. Except for G.711, its output depends on earlier packets. */
export interface VoiceCodec {
  readonly name: VoiceCodecName;
  /**
   * `any`: packets may be decoded in any order, and twice. `once`: in any order, with a short disturbance. `ascending`:
   * an overtaken packet is useless.
   */
  readonly order: 'any' | 'once' | 'ascending';
  /** Encodes 20 ms at the codec's rate into `out` from `outOffset`. Returns the number of bytes. */
  encode(frame: Int16Array, out: Buffer, outOffset: number): number;
  /**
   * Decodes a payload into `out`, which has room for `MAX_PACKET_SAMPLES`. Returns the number of samples, 0 for a bad
   * payload.
   */
  decode(datagram: Buffer, offset: number, bytes: number, out: Int16Array): number;
  /** Decodes the lost packet before this one as `samples` samples; null for a codec without redundancy. */
  readonly recover:
    | ((datagram: Buffer, offset: number, bytes: number, samples: number, out: Int16Array) => number)
    | null;
  close(): void;
}

function openG711(name: VoiceCodecName, law: Law): VoiceCodec {
  return {
    name,
    order: 'any',
    encode(frame, out, outOffset) {
      encodeG711(law, frame, out, outOffset);
      return frame.length;
    },
    decode(datagram, offset, bytes, out) {
      if (bytes > MAX_G711_BYTES) return 0;
      decodeG711(law, datagram, offset, bytes, out);
      return bytes;
    },
    recover: null,
    close() {},
  };
}

function openG722(): VoiceCodec {
  const encoder = new G722Encoder();
  const decoder = new G722Decoder();
  return {
    name: 'G722',
    order: 'once',
    encode: (frame, out, outOffset) => encoder.encode(frame, out, outOffset),
    decode(datagram, offset, bytes, out) {
      if (bytes * G722_SAMPLES_PER_BYTE > MAX_PACKET_SAMPLES) return 0;
      return decoder.decode(datagram, offset, bytes, out);
    },
    recover: null,
    close() {},
  };
}

async function openOpus(): Promise<VoiceCodec> {
  const opus = await OpusCodec.open();
  const payload = (datagram: Buffer, offset: number, bytes: number) => datagram.subarray(offset, offset + bytes);
  return {
    name: 'OPUS',
    order: 'ascending',
    encode: (frame, out, outOffset) => opus.encode(frame, out, outOffset),
    decode: (datagram, offset, bytes, out) => opus.decode(payload(datagram, offset, bytes), out),
    recover: (datagram, offset, bytes, samples, out) => opus.recover(payload(datagram, offset, bytes), samples, out),
    close: () => opus.close(),
  };
}

/** Opus comes as a promise, since libopus is loaded with the first call that uses it; the others are ready at once. */
export function openVoiceCodec(name: VoiceCodecName): VoiceCodec | Promise<VoiceCodec> {
  switch (name) {
    case 'PCMU':
      return openG711(name, 'pcmu');
    case 'PCMA':
      return openG711(name, 'pcma');
    case 'G722':
      return openG722();
    case 'OPUS':
      return openOpus();
  }
}
