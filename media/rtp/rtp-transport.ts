// A telephone call's audio over RTP: one of four codecs in both directions, digits as RFC 4733 events, comfort noise as
// silence. Until `start` the call follows its codec's rate; from then on its rate is fixed.
//
//   socket ─► latch ─► RtpSession.onPacket ─┬─ audio ─► VoiceReceiver ─► JitterBuffer ─► pull() by the pacer
//                                           ├─ comfort noise ─► pause
//                                           └─ telephone-event ─► DtmfReceiver ─► onDigit
//   send() by the pacer ─► DtmfSender or VoiceSender ─► RtpSession.send

import type { VoiceCodecName } from '../../db/domain/trunk-defaults.ts';
import type { AudioTransport, TransportStats } from '../audio-transport.ts';
import { FRAME_MS, msToSamples } from '../frame.ts';
import { DtmfReceiver, DtmfSender } from './dtmf.ts';
import { DtmfTones } from './dtmf-tones.ts';
import { type FrameKind, JitterBuffer, type LateArrivals } from './jitter-buffer.ts';
import { RTP_HEADER_BYTES, type RtpHeader } from './packet.ts';
import { RtpSession, type RtpSockets } from './session.ts';
import type { RtpStream } from './stream.ts';
import { CODEC_RATES, openVoiceCodec, type VoiceCodec } from './voice-codec.ts';
import { VoiceReceiver, VoiceSender } from './voice-stream.ts';

/** Samples a second, narrowband or wideband. */
type CallRate = 8_000 | 16_000;

/** The result of offer and answer. */
export interface RtpAudio {
  remoteAddress: string;
  remotePort: number;
  remoteRtcpPort: number;
  codec: VoiceCodecName;
  payloadType: number;
  /** Null if the peer does not support telephone events (RFC 4733). */
  telephoneEventPayloadType: number | null;
  /** Clock rate of the telephone events; 8,000 if absent. */
  telephoneEventClockHz?: number;
  comfortNoisePayloadType: number | null;
  /** From our side: `recvonly` and `inactive` mean that the peer holds us. */
  direction: 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';
  /** base64 of master key and salt for each direction; null for plain RTP. */
  srtp: { localKeySalt: string; remoteKeySalt: string } | null;
  /** Addresses and CIDRs that packets may come from, besides `remoteAddress`. */
  sources: readonly string[];
}

export interface RtpTransportOptions {
  sockets: RtpSockets;
  /** RTCP's canonical name (RFC 3550, 6.5.1). */
  cname: string;
  onDigit: (digit: string) => void;
  onFault: (error: unknown) => void;
  /** Any monotonic clock, ms. */
  now: () => number;
  /** The expected rate of the codec; 8,000 if absent. */
  sampleRateHz?: CallRate;
  /** The call began elsewhere, and this transport continues it at that rate. */
  isSettled?: boolean;
  /** Its stream there, which goes on. */
  resume?: RtpStream;
}

/** The codec of one agreement. */
interface Voice {
  codec: VoiceCodec;
  receiver: VoiceReceiver;
  sender: VoiceSender;
}

// Static payload type of comfort noise (RFC 3551). Some peers send it without having offered it.
const COMFORT_NOISE = 13;
const NARROWBAND_HZ = 8_000;
/** The INFO of a key whose tone was heard comes within a second. */
const INFO_AFTER_TONE_FRAMES = 1_000 / FRAME_MS;

export class RtpTransport implements AudioTransport {
  readonly #session: RtpSession;
  #jitter: JitterBuffer;
  #dtmfIn = new DtmfReceiver(NARROWBAND_HZ);
  #dtmfOut = new DtmfSender(NARROWBAND_HZ);
  /** The current or last key of the peer. */
  #lastKey: NonNullable<RtpStream['lastKey']> | null;
  /** Null where the peer sends telephone events, or keys by INFO. */
  #tones: DtmfTones | null = null;
  #hasInfoKeys = false;
  /** The last key that was heard as a tone, and frames since. */
  #lastTone: { key: string; frames: number } | null = null;
  readonly #onDigit: (digit: string) => void;
  readonly #onFault: (error: unknown) => void;
  /** Null before the first `connect`. */
  #audio: RtpAudio | null = null;
  #rateHz: CallRate;
  /** The call has begun, so its rate is fixed. */
  #isSettled: boolean;
  /** Null before the first `connect`, and until libopus is loaded. */
  #voice: Voice | null = null;
  /** The codec of the earlier agreement, which the peer uses until it has our answer. */
  #earlier: Voice | null = null;
  /** Counts agreements, so that a codec that loads too late is closed. */
  #agreement = 0;
  /** Time stamp units in 20 ms. */
  #frameUnits = msToSamples(FRAME_MS, NARROWBAND_HZ);
  #timestamp: number;
  /** The next packet starts a talk spurt: it is the first, or follows a gap or digits. */
  #marker = true;

  constructor(options: RtpTransportOptions) {
    this.#onDigit = options.onDigit;
    this.#onFault = options.onFault;
    this.#rateHz = options.sampleRateHz ?? NARROWBAND_HZ;
    this.#isSettled = options.isSettled ?? false;
    this.#jitter = new JitterBuffer(this.#rateHz);
    const { resume } = options;
    this.#lastKey = resume?.lastKey ?? null;
    this.#timestamp = resume?.timestamp ?? Math.floor(Math.random() * 2 ** 31);
    this.#session = new RtpSession({
      sockets: options.sockets,
      ssrc: resume?.ssrc ?? Math.floor(Math.random() * 2 ** 32),
      ...(resume ? { resume } : {}),
      clockRateHz: resume?.clockRateHz ?? NARROWBAND_HZ,
      cname: options.cname,
      onPacket: (datagram, header, isNewSource, nowMs) => this.#receive(datagram, header, isNewSource, nowMs),
      onFault: options.onFault,
      now: options.now,
    });
  }

  get sampleRateHz(): CallRate {
    return this.#rateHz;
  }

  /** For a transport that goes on with this stream elsewhere. */
  get stream(): RtpStream {
    return { ...this.#session.stream(this.#timestamp), lastKey: this.#lastKey };
  }

  /** Datagrams that were neither RTP nor RTCP. */
  get malformedPackets(): number {
    return this.#session.stats.malformedPackets;
  }

  get delayMs(): number {
    return this.#jitter.depthMs;
  }

  get lastAudioAtMs(): number {
    return this.#jitter.newestAtMs;
  }

  get missingMs(): number {
    return this.held ? 0 : this.#jitter.missingMs;
  }

  get lastLifeMs(): number {
    return this.#session.lastLifeMs;
  }

  get held(): boolean {
    return this.#audio?.direction === 'recvonly' || this.#audio?.direction === 'inactive';
  }

  /** Sets or changes the negotiated audio. Before `start` it also sets the call's rate. @throws {SrtpError} */
  connect(audio: RtpAudio): void {
    const before = this.#audio;
    const { sampleRateHz, clockRateHz } = CODEC_RATES[audio.codec];
    this.#audio = audio;
    if (!this.#isSettled && sampleRateHz !== this.#rateHz) this.#changeRate(sampleRateHz);
    const eventClockHz = audio.telephoneEventClockHz ?? NARROWBAND_HZ;
    if (eventClockHz !== (before?.telephoneEventClockHz ?? NARROWBAND_HZ)) {
      this.#dtmfIn = new DtmfReceiver(eventClockHz);
      this.#dtmfOut = new DtmfSender(eventClockHz);
    }
    const sendsEvents = audio.telephoneEventPayloadType !== null || this.#hasInfoKeys;
    this.#tones = sendsEvents ? null : (this.#tones ?? new DtmfTones(this.#rateHz));
    this.#frameUnits = msToSamples(FRAME_MS, clockRateHz);
    if (before?.codec !== audio.codec || before.payloadType !== audio.payloadType) this.#changeCodec(audio);
    const payloadTypes = [audio.payloadType, audio.comfortNoisePayloadType ?? COMFORT_NOISE];
    if (audio.telephoneEventPayloadType !== null) payloadTypes.push(audio.telephoneEventPayloadType);
    if (this.#earlier) payloadTypes.push(this.#earlier.receiver.payloadType);
    this.#session.connect({ ...audio, payloadTypes, clockRateHz });
  }

  #changeRate(rateHz: CallRate): void {
    this.#rateHz = rateHz;
    this.#tones = null;
    this.#jitter = new JitterBuffer(rateHz);
    // It would continue at the earlier rate.
    this.#voice?.codec.close();
    this.#voice = null;
  }

  #changeCodec({ codec, payloadType }: RtpAudio): void {
    const agreement = ++this.#agreement;
    this.#earlier?.codec.close();
    this.#earlier = this.#voice;
    this.#voice = null;
    const use = (opened: VoiceCodec): void => {
      if (agreement !== this.#agreement) return opened.close();
      this.#voice = {
        codec: opened,
        receiver: new VoiceReceiver(opened, payloadType, this.#rateHz),
        sender: new VoiceSender(opened, payloadType, this.#rateHz),
      };
    };
    const opened = openVoiceCodec(codec);
    if (opened instanceof Promise) opened.then(use).catch((error: unknown) => this.#onFault(error));
    else use(opened);
  }

  start(): void {
    this.#isSettled = true;
    this.#jitter.reset();
  }

  pull(out: Int16Array): FrameKind {
    const kind = this.#jitter.pull(out);
    if (this.#tones !== null) this.#hearTones(this.#tones, out);
    return kind;
  }

  #hearTones(tones: DtmfTones, samples: Int16Array): void {
    const key = tones.hear(samples);
    if (this.#lastTone !== null) this.#lastTone.frames++;
    if (key === null) return;
    this.#lastTone = { key, frames: 0 };
    this.#onDigit(key);
  }

  isNewInfoDigit(digit: string): boolean {
    this.#hasInfoKeys = true;
    this.#tones = null;
    const heard = this.#lastTone;
    this.#lastTone = null;
    return heard === null || heard.key !== digit || heard.frames > INFO_AFTER_TONE_FRAMES;
  }

  takeLate(): LateArrivals | null {
    return this.#jitter.takeLate();
  }

  send(samples: Int16Array, skippedFrames: number): void {
    this.#timestamp = (this.#timestamp + this.#frameUnits * (skippedFrames + 1)) >>> 0;
    const audio = this.#audio;
    const sender = this.#voice?.sender;
    if (!audio || !sender || audio.direction === 'recvonly' || audio.direction === 'inactive') {
      this.#marker = true;
      return;
    }
    const packet = this.#session.nextPacket();
    if (this.#dtmfOut.busy && audio.telephoneEventPayloadType !== null) {
      const event = this.#dtmfOut.next(this.#timestamp);
      if (event !== null && event !== 'pause') {
        event.payload.copy(packet, RTP_HEADER_BYTES);
        const type = audio.telephoneEventPayloadType;
        this.#session.send(packet, event.payload.length, type, event.marker, event.timestamp);
        this.#marker = true;
        return;
      }
    }
    const bytes = sender.encode(samples, packet, RTP_HEADER_BYTES);
    this.#session.send(packet, bytes, sender.payloadType, this.#marker, this.#timestamp);
    this.#marker = false;
  }

  /** RTP cannot take back sent audio. */
  flush(): void {}

  sendDigits(digits: string): boolean {
    if (!this.#audio || this.#audio.telephoneEventPayloadType === null) return false;
    this.#dtmfOut.enqueue(digits);
    return true;
  }

  housekeep(nowMs: number, wallMs: number): void {
    this.#session.report(nowMs, wallMs);
  }

  stats(): TransportStats {
    return {
      packetsReceived: this.#session.stats.packetsReceived,
      packetsSent: this.#session.stats.packetsSent,
      packetsLost: this.#session.packetsLost,
      packetsConcealed: this.#jitter.stats.concealedFrames,
      foreignPackets: this.#session.stats.foreignPackets,
      jitterMs: Math.round(this.#session.jitterMs * 10) / 10,
    };
  }

  /** Ends without a word: another transport goes on with this stream. */
  leave(): void {
    this.#session.leave();
  }

  close(wallMs: number): void {
    this.#session.close(wallMs);
    this.#agreement++;
    for (const voice of [this.#voice, this.#earlier]) voice?.codec.close();
    this.#voice = null;
    this.#earlier = null;
  }

  #receive(datagram: Buffer, header: RtpHeader, isNewSource: boolean, nowMs: number): void {
    const audio = this.#audio;
    if (!audio) return;
    if (isNewSource) {
      this.#jitter.reset();
      this.#dtmfIn.reset();
      // It was heard elsewhere, and its packets go on here.
      if (this.#lastKey?.ssrc === header.ssrc) this.#dtmfIn.goOn(this.#lastKey);
      this.#voice?.receiver.reset();
    }
    const { payloadType, payloadOffset, payloadBytes, timestamp } = header;
    if (payloadType === audio.payloadType) {
      this.#forgetEarlier();
      this.#voice?.receiver.receive(datagram, header, this.#jitter, nowMs);
      return;
    }
    if (payloadType === this.#earlier?.receiver.payloadType) {
      this.#earlier.receiver.receive(datagram, header, this.#jitter, nowMs);
      return;
    }
    this.#jitter.pause(this.#voice?.receiver.position(timestamp) ?? timestamp);
    if (payloadType !== audio.telephoneEventPayloadType) return;
    const digit = this.#dtmfIn.receive(datagram, payloadOffset, payloadBytes, timestamp, nowMs);
    const { last } = this.#dtmfIn;
    this.#lastKey = last && { ...last, ssrc: header.ssrc };
    if (digit !== null) this.#onDigit(digit);
  }

  /** The peer now uses the new agreement. */
  #forgetEarlier(): void {
    const earlier = this.#earlier;
    if (earlier === null || this.#voice === null) return;
    this.#earlier = null;
    earlier.codec.close();
    const clockOf = ({ codec }: Voice) => CODEC_RATES[codec.name].clockRateHz;
    // Time stamps with another clock cannot continue the stream.
    if (clockOf(earlier) !== clockOf(this.#voice)) this.#jitter.reset();
  }
}
