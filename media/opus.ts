// Opus (RFC 6716) at 16 kHz mono by libopus in WebAssembly. libopus decodes and encodes at any of its rates, so nothing
// is resampled here, whatever bandwidth the far side sends. Handles are outside the garbage collector: close them.
import type { OpusDecoderHandle, OpusEncoderHandle } from 'libopus-wasm';

export const OPUS_RATE_HZ = 16_000;
/** Longest packet (RFC 6716, 2.1.4): 120 ms. */
export const OPUS_MAX_SAMPLES = (OPUS_RATE_HZ * 120) / 1000;

// Speech at 16 kHz is practically transparent at this rate, which leaves room for the redundancy of FEC.
const BITRATE = 24_000;
// Half the CPU time of 10; listeners hear no difference at this bit rate.
const COMPLEXITY = 5;
// libopus adds FEC only above some expected loss; at this bit rate 5 % is too little.
const EXPECTED_LOSS_PERCENT = 10;
// RFC 6716, 3.2.1: 1,275 bytes a frame; one of 20 ms at 24 kbit/s has about 60.
const MAX_PACKET_BYTES = 1275;

/** Both directions of one call. */
export class OpusCodec {
  readonly #encoder: OpusEncoderHandle;
  readonly #decoder: OpusDecoderHandle;

  private constructor(encoder: OpusEncoderHandle, decoder: OpusDecoderHandle) {
    this.#encoder = encoder;
    this.#decoder = decoder;
  }

  /**
   * The first in a thread compiles libopus, about 25 ms, of which the thread is blocked for 20. @throws Error when
   * libopus cannot be loaded or has no memory left
   */
  static async open(): Promise<OpusCodec> {
    const { Application, createDecoder, createEncoder, Signal } = await import('libopus-wasm');
    const encoder = await createEncoder({
      sampleRate: OPUS_RATE_HZ,
      channels: 1,
      application: Application.Voip,
      signal: Signal.Voice,
      bitrate: BITRATE,
      complexity: COMPLEXITY,
      fec: true,
      packetLossPercent: EXPECTED_LOSS_PERCENT,
    });
    try {
      return new OpusCodec(encoder, await createDecoder({ sampleRate: OPUS_RATE_HZ, channels: 1 }));
    } catch (error) {
      encoder.free();
      throw error;
    }
  }

  /** Encodes 20 ms (320 samples) into `out` from `outOffset`. @returns the number of bytes @throws OpusError */
  encode(frame: Int16Array, out: Uint8Array, outOffset: number): number {
    const packet = this.#encoder.encode(frame, { maxPacketBytes: MAX_PACKET_BYTES });
    out.set(packet, outOffset);
    return packet.length;
  }

  /**
   * Decodes a packet into `out`, which has room for `OPUS_MAX_SAMPLES`.
   * @returns the number of samples; 0 for bytes that are not Opus
   */
  decode(packet: Uint8Array, out: Int16Array): number {
    return take(out, () => this.#decoder.decode(packet));
  }

  /**
   * Decodes the lost packet before `packet` from the redundancy in `packet`. Call it before `packet` itself is decoded.
   * @param samples the length of the lost packet, a multiple of 2.5 ms
   * @returns the number of samples; 0 if the sender has included no redundancy
   */
  recover(packet: Uint8Array, samples: number, out: Int16Array): number {
    if (!hasRedundancy(packet)) return 0;
    return take(out, () => this.#decoder.decode(packet, { decodeFec: true, frameSize: samples }));
  }

  close(): void {
    this.#encoder.free();
    this.#decoder.free();
  }
}

/**
 * Whether a packet of one frame has its LBRR flag set (RFC 6716, 3.1 and 4.2.3); the flag follows the 1 to 3 voice
 * activity flags.
 */
function hasRedundancy(packet: Uint8Array): boolean {
  const [toc = 0, flags = 0] = packet;
  const configuration = toc >> 3;
  const isOneFrame = (toc & 3) === 0;
  // 0-11 are SILK at 10, 20, 40 and 60 ms, 12-15 hybrid at 10 and 20. CELT has no redundancy.
  if (configuration > 15 || !isOneFrame) return false;
  const activityFlags = configuration < 12 ? Math.max(1, configuration & 3) : 1;
  return ((flags >> (7 - activityFlags)) & 1) === 1;
}

/** A packet that libopus refuses counts as lost. */
function take(out: Int16Array, decode: () => Int16Array): number {
  try {
    const samples = decode();
    out.set(samples);
    return samples.length;
  } catch {
    return 0;
  }
}
