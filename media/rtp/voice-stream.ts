// The two directions of a call's voice between packets and the samples of the call. A call keeps its initial rate; if
// its codec changes to another rate during the call, the stream is resampled here.
//
//   packet ─► in order? ─► (recover the lost one) ─► decode ─► (resample) ─► jitter buffer, by sample number
//   frame ─► (resample) ─► encode ─► packet
import { Resampler } from '../resample.ts';
import type { JitterBuffer } from './jitter-buffer.ts';
import { type RtpHeader, sequenceDistance, timestampDistance } from './packet.ts';
import { CODEC_RATES, MAX_PACKET_SAMPLES, type VoiceCodec } from './voice-codec.ts';

/** A larger step of the sequence number means a new stream, not loss. */
const MAX_RECOVERY_GAP = 50;
// Senders that only round their time stamps are not silent.
const SHORTEST_PAUSE_MS = 60;

/** RTP time stamps as positions in samples of the call; both are modulo 2^32. */
class SampleClock {
  readonly #clockRateHz: number;
  readonly #sampleRateHz: number;
  #last: number | null = null;
  /** The last time stamp without wrapping. */
  #unwrapped = 0;

  constructor(clockRateHz: number, sampleRateHz: number) {
    this.#clockRateHz = clockRateHz;
    this.#sampleRateHz = sampleRateHz;
  }

  position(timestamp: number): number {
    if (this.#clockRateHz === this.#sampleRateHz) return timestamp;
    this.#unwrapped = this.#last === null ? timestamp : this.#unwrapped + timestampDistance(this.#last, timestamp);
    this.#last = timestamp;
    // This order is exact: one sample too few would make a packet overlap the previous one.
    return Math.floor((this.#unwrapped * this.#sampleRateHz) / this.#clockRateHz) >>> 0;
  }
}

export class VoiceReceiver {
  readonly payloadType: number;
  readonly #codec: VoiceCodec;
  readonly #clock: SampleClock;
  readonly #toCall: Resampler | null;
  readonly #callRateHz: number;
  /** Samples of one packet, at the codec's rate and at the call's. */
  readonly #decoded = new Int16Array(MAX_PACKET_SAMPLES);
  readonly #resampled: Int16Array;
  #newestSequence: number | null = null;
  /** Position after the newest packet, in the call's samples; null before the first. */
  #newestEnd: number | null = null;
  /** Samples in the newest packet, at the codec's rate. */
  #packetSamples = 0;

  constructor(codec: VoiceCodec, payloadType: number, callRateHz: number) {
    const { sampleRateHz, clockRateHz } = CODEC_RATES[codec.name];
    this.payloadType = payloadType;
    this.#codec = codec;
    this.#callRateHz = callRateHz;
    this.#clock = new SampleClock(clockRateHz, callRateHz);
    this.#toCall = sampleRateHz === callRateHz ? null : new Resampler(sampleRateHz, callRateHz);
    this.#resampled = this.#toCall ? new Int16Array(this.#toCall.maxOutput(MAX_PACKET_SAMPLES)) : this.#decoded;
  }

  /** Position of a packet's time stamp in the call's samples. */
  position(timestamp: number): number {
    return this.#clock.position(timestamp);
  }

  /** From now on another source sends. */
  reset(): void {
    this.#newestSequence = null;
    this.#newestEnd = null;
  }

  /** Passes a packet's samples to `jitter`, after those of a lost packet before it if the codec can recover them. */
  receive(datagram: Buffer, header: RtpHeader, jitter: JitterBuffer, nowMs: number): void {
    const { payloadOffset, payloadBytes, sequence, timestamp, marker } = header;
    const ahead = this.#newestSequence === null ? 1 : sequenceDistance(this.#newestSequence, sequence);
    const { order, recover } = this.#codec;
    if ((order !== 'any' && ahead === 0) || (order === 'ascending' && ahead < 0)) return;
    if (ahead > 0) this.#newestSequence = sequence;
    const position = this.position(timestamp);
    // The next packet of a later time: none was lost, so the sender was silent, whether or not it marks that.
    const sinceEnd = this.#newestEnd === null ? 0 : timestampDistance(this.#newestEnd, position);
    const hasPaused = ahead === 1 && sinceEnd >= (this.#callRateHz * SHORTEST_PAUSE_MS) / 1_000;
    if (recover !== null && ahead > 1 && ahead < MAX_RECOVERY_GAP && this.#packetSamples > 0) {
      const samples = recover(datagram, payloadOffset, payloadBytes, this.#packetSamples, this.#decoded);
      const before = (position - (samples * this.#callRateHz) / CODEC_RATES[this.#codec.name].sampleRateHz) >>> 0;
      if (samples > 0) jitter.push(this.#resampled, this.#resample(samples), before, false, nowMs);
    }
    const samples = this.#codec.decode(datagram, payloadOffset, payloadBytes, this.#decoded);
    if (samples === 0) return;
    this.#packetSamples = samples;
    const count = this.#resample(samples);
    if (ahead > 0) this.#newestEnd = (position + count) >>> 0;
    jitter.push(this.#resampled, count, position, marker || hasPaused, nowMs, hasPaused);
  }

  #resample(samples: number): number {
    return this.#toCall ? this.#toCall.process(this.#decoded.subarray(0, samples), this.#resampled) : samples;
  }
}

export class VoiceSender {
  readonly payloadType: number;
  readonly #codec: VoiceCodec;
  readonly #toCodec: Resampler | null;
  readonly #frame: Int16Array;

  constructor(codec: VoiceCodec, payloadType: number, callRateHz: number) {
    const { sampleRateHz } = CODEC_RATES[codec.name];
    this.payloadType = payloadType;
    this.#codec = codec;
    this.#toCodec = sampleRateHz === callRateHz ? null : new Resampler(callRateHz, sampleRateHz);
    this.#frame = new Int16Array(this.#toCodec?.maxOutput(callRateHz / 50) ?? 0);
  }

  /** Encodes 20 ms of the call into `out` from `outOffset`. Returns the number of bytes. */
  encode(samples: Int16Array, out: Buffer, outOffset: number): number {
    if (this.#toCodec === null) return this.#codec.encode(samples, out, outOffset);
    const count = this.#toCodec.process(samples, this.#frame);
    return this.#codec.encode(this.#frame.subarray(0, count), out, outOffset);
  }
}
