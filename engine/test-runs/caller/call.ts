// One simulated caller: a SIP dialog, an RTP stream with its own pacing, and detection of when the agent's sound
// starts and stops. Times are this process's performance.now(), taken when a packet is sent or arrives.

import { createSocket, type Socket } from 'node:dgram';
import type { VoiceCodecName } from '../../../db/domain/trunk-defaults.ts';
import { FRAME_MS, frameSamples } from '../../../media/frame.ts';
import { Resampler } from '../../../media/resample.ts';
import { CODEC_RATES, MAX_PACKET_SAMPLES, openVoiceCodec, type VoiceCodec } from '../../../media/rtp/voice-codec.ts';
import { VoiceSender } from '../../../media/rtp/voice-stream.ts';
import type { Line } from './line.ts';
import type { PhoneEvent, SipTarget } from './phone/phone-call.ts';
import type { Media } from './phone/sip-text.ts';
import { type CallDialog, callerDialog } from './sip.ts';

/** The caller speaks and listens at it, whatever its codec. */
const RATE_HZ = 8_000;
export const FRAME_SAMPLES = frameSamples(RATE_HZ);
const MAX_PAYLOAD_BYTES = 1_400;
/** RMS (scale 32,768) above which an agent frame is sound: its silence is digital zero, and comfort noise is below. */
const SOUND_RMS = 60;
/** Longer than any pause within a sentence. */
const SOUND_GAP_MS = 400;

export type CallerEvent =
  | { type: 'ringing'; status: number }
  | { type: 'answered'; atMs: number }
  | { type: 'agent-started'; atMs: number }
  | { type: 'agent-stopped'; atMs: number }
  | { type: 'referred'; target: string }
  | { type: 'ended'; by: 'local' | 'remote'; status: number; reason: string; atMs: number };

export interface HeardFrame {
  atMs: number;
  sequence: number;
  ssrc: number;
  /** RMS of 16-bit samples. */
  rms: number;
  isSound: boolean;
}

export interface SpeakOptions {
  /** The first packet was sent. */
  onStart?(atMs: number): void;
  /** G.711 only: changes the codes of the clip's n-th frame. */
  mark?(codes: Uint8Array, frame: number): void;
}

interface QueuedClip extends SpeakOptions {
  samples: Int16Array;
  offset: number;
  onSent(atMs: number): void;
}

export interface CallOptions {
  target: SipTarget;
  localAddress: string;
  from: string;
  onEvent(event: CallerEvent): void;
  /** Called for each RTP packet of the agent, with its 8 kHz samples. */
  onFrame?(frame: HeardFrame, samples: Int16Array): void;
  /** Keeps the heard and spoken audio for a recording. */
  record: boolean;
  /** Accepts a REFER and reports success. */
  acceptsRefer?: boolean;
  /** More headers of the INVITE. */
  headers?: readonly string[];
  /** The only offered codec; PCMU if left out. */
  codec?: VoiceCodecName;
  /** Noise, echo, loss and delay; without one, the line is perfect. */
  line?: Line;
  /** Where it sends its audio, whatever address the other side has described. */
  mediaHost?: string;
  /** Takes each RTP packet of voice as it is sent or arrives. */
  onPacket?(packet: Buffer, way: 'sent' | 'received', atMs: number): void;
  /** The signalling of an incoming call, in place of a call to `target`. */
  dialog?(rtpPort: number, onEvent: (event: PhoneEvent) => void): CallDialog;
}

export class SimulatedCall {
  readonly #options: CallOptions;
  readonly #rtp: Socket;
  #sip: CallDialog | null = null;
  /** Null before `place`. */
  #voice: { codec: VoiceCodec; sender: VoiceSender; toCaller: Resampler } | null = null;
  readonly #decoded = new Int16Array(MAX_PACKET_SAMPLES);
  readonly #frameUnits: number;
  #remote: Media | null = null;
  #sequence = Math.floor(Math.random() * 60_000);
  #timestamp = Math.floor(Math.random() * 2 ** 31);
  readonly #ssrc = Math.floor(Math.random() * 2 ** 32);
  #queue: QueuedClip[] = [];
  #digits: Array<{ code: number; sent: number; timestamp: number }> = [];
  #lastSoundAtMs = 0;
  #agentSpeaking = false;
  #nextFrameAtMs = 0;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;
  #isOver = false;
  readonly heard: Int16Array[] = [];
  readonly said: Int16Array[] = [];
  answeredAtMs: number | null = null;
  packetsReceived = 0;
  localRtpPort = 0;

  constructor(options: CallOptions) {
    this.#options = options;
    this.#frameUnits = CODEC_RATES[options.codec ?? 'PCMU'].clockRateHz / 50;
    this.#rtp = createSocket({ type: 'udp4', lookup: (host, _options, done) => done(null, host, 4) });
    this.#rtp.on('message', (packet) => this.#receive(packet));
    this.#rtp.on('error', () => this.hangUp());
  }

  /** The methods of the other side's requests, including repeated ones. */
  get requests(): readonly string[] {
    return this.#sip?.requests ?? [];
  }

  /** Where the other side's audio is; null before the answer. */
  get remote(): Readonly<Media> | null {
    return this.#remote;
  }

  get agentSpeaking(): boolean {
    return this.#agentSpeaking;
  }

  async place(): Promise<void> {
    const { target, localAddress, from, acceptsRefer = false, headers = [], dialog } = this.#options;
    const { codec: name = 'PCMU' } = this.#options;
    const codec = await openVoiceCodec(name);
    const toCaller = new Resampler(CODEC_RATES[name].sampleRateHz, RATE_HZ);
    this.#voice = { codec, sender: new VoiceSender(codec, 0, RATE_HZ), toCaller };
    await new Promise<void>((resolve) => this.#rtp.bind(0, localAddress, resolve));
    this.localRtpPort = this.#rtp.address().port;
    const { localRtpPort: rtpPort } = this;
    const onEvent = (event: PhoneEvent): void => this.#onSip(event);
    this.#sip =
      dialog?.(rtpPort, onEvent) ??
      callerDialog({ target, localAddress, rtpPort, from, acceptsRefer, headers, codec: name, onEvent });
    await this.#sip.invite();
  }

  #onSip(event: PhoneEvent): void {
    if (event.type === 'ringing' || event.type === 'referred') return this.#options.onEvent(event);
    if (event.type === 'ended') return this.#ended(event);
    this.#remote = event;
    if (event.type === 'moved') return;
    this.answeredAtMs = performance.now();
    this.#nextFrameAtMs = this.answeredAtMs;
    this.#tick();
    this.#options.onEvent({ type: 'answered', atMs: this.answeredAtMs });
  }

  /** Queues 8 kHz samples; resolves with the time when the last sample's packet was sent, or the call had ended. */
  speak(samples: Int16Array, options: SpeakOptions = {}): Promise<number> {
    if (this.#isOver) return Promise.resolve(performance.now());
    return new Promise((resolve) => this.#queue.push({ ...options, samples, offset: 0, onSent: resolve }));
  }

  /** RFC 4733 events of 100 ms each. */
  press(digits: string): void {
    for (const digit of digits) {
      const code = '0123456789*#ABCD'.indexOf(digit.toUpperCase());
      if (code >= 0) this.#digits.push({ code, sent: 0, timestamp: 0 });
    }
  }

  /** The caller vanishes: its dialog stays, its audio stops. */
  stopSending(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  hangUp(): void {
    this.#sip?.hangUp();
  }

  close(): void {
    this.#isClosed = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#sip?.close();
    this.#voice?.codec.close();
    this.#voice = null;
    try {
      this.#rtp.close();
    } catch {
      // Already closed.
    }
  }

  #ended(event: { by: 'local' | 'remote'; status: number; reason: string }): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#isOver = true;
    for (const clip of this.#queue.splice(0)) clip.onSent(performance.now());
    this.#options.onEvent({
      type: 'ended',
      by: event.by,
      status: event.status,
      reason: event.reason,
      atMs: performance.now(),
    });
  }

  /** Drift-corrected 20 ms clock; a late tick sends only the due packets. */
  #tick(): void {
    const now = performance.now();
    let due = 0;
    while (this.#nextFrameAtMs <= now && due < 5) {
      this.#sendFrame();
      this.#nextFrameAtMs += FRAME_MS;
      due++;
    }
    if (this.#nextFrameAtMs < now - 100) this.#nextFrameAtMs = now;
    this.#timer = setTimeout(() => this.#tick(), Math.max(0, this.#nextFrameAtMs - performance.now()));
  }

  #sendFrame(): void {
    this.#sequence = (this.#sequence + 1) & 0xffff;
    this.#timestamp = (this.#timestamp + this.#frameUnits) >>> 0;
    const digit = this.#digits[0];
    if (digit && this.#remote?.eventPayloadType) return this.#sendDigit(digit, this.#remote.eventPayloadType);
    const frame = new Int16Array(FRAME_SAMPLES);
    const current = this.#queue[0];
    if (current) {
      if (current.offset === 0) current.onStart?.(performance.now());
      frame.set(current.samples.subarray(current.offset, current.offset + FRAME_SAMPLES));
      current.offset += FRAME_SAMPLES;
    }
    this.#options.line?.mix(frame);
    const coded = Buffer.alloc(MAX_PAYLOAD_BYTES);
    const payload = coded.subarray(0, this.#voice?.sender.encode(frame, coded, 0) ?? 0);
    current?.mark?.(payload, current.offset / FRAME_SAMPLES - 1);
    this.#sendRtp(this.#remote?.payloadType ?? 0, this.#timestamp, false, payload);
    if (this.#options.record) this.said.push(frame);
    if (current && current.offset >= current.samples.length) {
      this.#queue.shift();
      current.onSent(performance.now());
    }
  }

  #sendDigit(digit: { code: number; sent: number; timestamp: number }, payloadType: number): void {
    if (digit.sent === 0) digit.timestamp = this.#timestamp;
    digit.sent++;
    // Five packets of 20 ms, then the end packet three times (RFC 4733 2.5.1.4), then a pause.
    if (digit.sent > 10) {
      this.#digits.shift();
      return;
    }
    if (digit.sent > 8) return;
    const isEnd = digit.sent > 5;
    const duration = Math.min(digit.sent, 5) * this.#frameUnits;
    const payload = new Uint8Array([digit.code, isEnd ? 0x8a : 0x0a, duration >> 8, duration & 0xff]);
    this.#sendRtp(payloadType, digit.timestamp, digit.sent === 1, payload);
  }

  #sendRtp(payloadType: number, timestamp: number, marker: boolean, payload: Uint8Array): void {
    if (!this.#remote) return;
    const packet = Buffer.alloc(12 + payload.length);
    packet[0] = 0x80;
    packet[1] = payloadType | (marker ? 0x80 : 0);
    packet.writeUInt16BE(this.#sequence, 2);
    packet.writeUInt32BE(timestamp, 4);
    packet.writeUInt32BE(this.#ssrc, 8);
    packet.set(payload, 12);
    const { line } = this.#options;
    if (line) line.carry(packet, (carried) => this.#transmit(carried));
    else this.#transmit(packet);
  }

  #transmit(packet: Buffer): void {
    if (!this.#remote || this.#isClosed) return;
    this.#options.onPacket?.(packet, 'sent', performance.now());
    this.#rtp.send(packet, this.#remote.port, this.#options.mediaHost ?? this.#remote.address);
  }

  #receive(packet: Buffer): void {
    const atMs = performance.now();
    const voice = this.#voice;
    if (packet.length < 12 || !voice || ((packet[1] ?? 0) & 0x7f) !== (this.#remote?.payloadType ?? 0)) return;
    this.packetsReceived++;
    this.#options.onPacket?.(packet, 'received', atMs);
    const count = voice.codec.decode(packet, 12, packet.length - 12, this.#decoded);
    const samples = voice.toCaller.convert(this.#decoded.subarray(0, count)).slice();
    if (this.#options.record) this.heard.push(samples);
    this.#options.line?.hear(samples);
    let energy = 0;
    for (const sample of samples) energy += sample * sample;
    const rms = Math.sqrt(energy / Math.max(1, samples.length));
    const isSound = rms > SOUND_RMS;
    if (isSound) {
      this.#lastSoundAtMs = atMs;
      if (!this.#agentSpeaking) {
        this.#agentSpeaking = true;
        this.#options.onEvent({ type: 'agent-started', atMs });
      }
    } else if (this.#agentSpeaking && atMs - this.#lastSoundAtMs > SOUND_GAP_MS) {
      this.#agentSpeaking = false;
      this.#options.onEvent({ type: 'agent-stopped', atMs: this.#lastSoundAtMs });
    }
    this.#options.onFrame?.(
      { atMs, sequence: packet.readUInt16BE(2), ssrc: packet.readUInt32BE(8), rms, isSound },
      samples,
    );
  }
}
