// The audio of a leg through FreeSWITCH:
//
//   peer ◄── SRTP or RTP, any codec ──► channel ◄── bridge ──► channel ◄── RTP, G.711 or G.722 ──► engine's RTP port
//
// The peer's channel follows the offers and answers of the call; the engine's stays as it was made.

import { messageOf } from '../../../../../db/domain/unexpected.ts';
import { CODEC_RATES } from '../../../../../media/rtp/voice-codec.ts';
import { describeFormats, isWideband, offeredFormats } from '../../../dialog/voice-formats.ts';
import { addressTowards } from '../../../stack/network/addressing.ts';
import { parseSdp, writeSdp } from '../../../stack/wire/sdp.ts';
import type { AudioCodec, AudioDirection, AudioFork, LocalAudio, NegotiatedAudio } from '../../../telephony.ts';
import type { Agreed, LegMedia, MediaListener, MediaPath, MediaTerms } from './leg-media.ts';
import { type Choice, chooseAudio, narrow, offerFrom, showTo, widen } from './narrow-sdp.ts';
import type { Channel, ChannelTimer } from './switch-host.ts';
import type { SwitchPool } from './switch-pool.ts';

/** Payload type of RFC 4733 events between FreeSWITCH and the engine. */
const EVENTS = { format: '101', clockHz: 8_000 } as const;

export class SwitchMedia implements MediaPath {
  readonly #pool: SwitchPool;

  readonly #externalIp: string | null;

  constructor(pool: SwitchPool, externalIp: string | null) {
    this.#pool = pool;
    this.#externalIp = externalIp;
  }

  get fault(): string | null {
    return this.#pool.fault;
  }

  rateOf(offer: string | null, terms: MediaTerms): 8_000 | 16_000 | null {
    const codec = offer === null ? terms.codecs[0] : chooseAudio(offer, terms, 'offer')?.codec;
    return codec === undefined ? null : CODEC_RATES[codec].sampleRateHz;
  }

  open(local: LocalAudio, terms: MediaTerms, listener: MediaListener): LegMedia {
    const show = (sdp: string): string => showTo(sdp, terms.peerAddress, this.#externalIp);
    return new SwitchLegMedia(this.#pool, local, terms, show, listener);
  }

  async start(): Promise<void> {
    this.#pool.start();
  }

  async stop(): Promise<void> {
    this.#pool.stop();
  }
}

class SwitchLegMedia implements LegMedia {
  readonly #pool: SwitchPool;
  readonly #local: LocalAudio;
  readonly #terms: MediaTerms;
  /** Rewrites FreeSWITCH's SDP to show the address that the peer must see. */
  readonly #show: (sdp: string) => string;
  readonly #listener: MediaListener;
  #peer: Channel | null = null;
  #engine: { channel: Channel; audio: NegotiatedAudio } | null = null;
  /** The last SDP given to the peer's channel; a repeated one (183, then 200) leaves the channel alone. */
  #given = '';
  #codec: AudioCodec | null = null;
  #offered = '';
  #isClosed = false;

  constructor(
    pool: SwitchPool,
    local: LocalAudio,
    terms: MediaTerms,
    show: (sdp: string) => string,
    listener: MediaListener,
  ) {
    this.#pool = pool;
    this.#local = local;
    this.#terms = terms;
    this.#show = show;
    this.#listener = listener;
  }

  async answer(offer: string): Promise<Agreed | null> {
    const choice = chooseAudio(offer, this.#terms, 'offer', this.#codec);
    if (choice === null) return null;
    const [sdp] = await Promise.all([this.#toPeer(narrow(offer, choice)), this.#toEngine(choice)]);
    await this.#join(choice);
    return { sdp: widen(this.#show(sdp), offer, choice), audio: this.#audioOf(choice) };
  }

  async offer(): Promise<string> {
    const running = this.#codec;
    if (this.#peer === null) {
      // A placeholder address: the channel opens its port now, and gets the peer's address with the answer.
      const protocol = this.#terms.demandSrtp ? 'RTP/SAVP' : 'RTP/AVP';
      const [first = 'PCMU'] = this.#terms.codecs;
      const [format = '0'] = offeredFormats([first], null).voice.map(({ format }) => format);
      const formats = describeFormats([{ codec: first, format }], [EVENTS], null);
      const key = this.#terms.demandSrtp ? [placeholderKey()] : [];
      await this.#toPeer(soundOf('127.0.0.1', 9, protocol, formats, key));
    }
    const { voice, events } = offeredFormats(
      running === null ? this.#terms.codecs : [running, ...this.#terms.codecs.filter((codec) => codec !== running)],
      null,
    );
    this.#offered = offerFrom(this.#show(this.#peer?.sdp ?? ''), describeFormats(voice, events, null));
    return this.#offered;
  }

  async accept(answer: string): Promise<NegotiatedAudio | null> {
    const choice = chooseAudio(answer, this.#terms, 'answer');
    if (choice === null) return null;
    await Promise.all([this.#toPeer(narrow(answer, choice)), this.#toEngine(choice)]);
    await this.#join(choice);
    return this.#audioOf(choice);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const channel of [this.#peer, this.#engine?.channel]) channel?.host.endChannel(channel);
  }

  async #toPeer(sdp: string): Promise<string> {
    if (this.#peer === null) this.#peer = await this.#create(sdp, 'soft');
    else if (sdp !== this.#given) this.#peer = { ...this.#peer, sdp: await this.#peer.dialog.modify(sdp) };
    this.#given = sdp;
    return this.#peer.sdp;
  }

  async #create(sdp: string, timer: ChannelTimer): Promise<Channel> {
    const channel = await this.#pool.forLeg(this).createChannel(sdp, timer, (reason, by) => {
      this.#lost(reason, by);
    });
    // The leg ended meanwhile.
    if (this.#isClosed) channel.host.endChannel(channel);
    return channel;
  }

  /** Created once, with the codec nearest to the peer's: G.711 as it is, any wideband codec as G.722. */
  async #toEngine({ codec, events }: Choice): Promise<void> {
    this.#codec = codec;
    if (this.#engine !== null || this.#local.fork !== undefined) return;
    const own: AudioCodec = isWideband(codec) ? 'G722' : codec;
    const [format = '0'] = offeredFormats([own], null).voice.map(({ format }) => format);
    const host = this.#pool.forLeg(this);
    const address = addressTowards(this.#local.address, host.mediaAddress, null);
    const formats = describeFormats([{ codec: own, format }], events === null ? [] : [EVENTS], null);
    const channel = await this.#create(soundOf(address, this.#local.port, 'RTP/AVP', formats), 'none');
    const [media] = parseSdp(channel.sdp)?.media ?? [];
    if (media === undefined || media.port === 0) throw new Error(`FreeSWITCH does not accept ${own} for the engine`);
    const audio: NegotiatedAudio = {
      remoteAddress: (await channel.connected).localAddress ?? media.address,
      remotePort: media.port,
      remoteRtcpPort: media.port + 1,
      codec: own,
      payloadType: Number(format),
      telephoneEventPayloadType: events === null ? null : Number(EVENTS.format),
      comfortNoisePayloadType: null,
      direction: 'sendrecv',
      srtp: null,
      sources: [],
    };
    this.#engine = { channel, audio };
  }

  #isJoined = false;

  async #join({ media }: Choice): Promise<void> {
    if (this.#isJoined || this.#isClosed || this.#peer === null) return;
    const joined = this.#joinEngine(this.#peer);
    if (joined === null) return;
    this.#isJoined = true;
    // The DTLS handshake begins when the peer has our answer.
    if (media.protocol.includes('TLS')) joined.catch((error: unknown) => this.#lost(messageOf(error), 'network'));
    else await joined;
  }

  /** Null while there is nothing to join. */
  #joinEngine(peer: Channel): Promise<void> | null {
    const { fork, ...at } = this.#local;
    if (fork === undefined) return this.#engine && peer.host.bridge(peer, this.#engine.channel);
    return peer.host.fork(
      peer,
      { ...at, fork },
      {
        lost: (reason, by) => this.#lost(reason, by),
        digit: (digit, durationMs) => this.#listener.digit(digit, durationMs),
      },
    );
  }

  #lost(reason: string, by: 'network' | 'server'): void {
    if (!this.#isClosed) this.#listener.lost(reason, by);
  }

  #audioOf({ direction }: Choice): NegotiatedAudio {
    if (this.#local.fork !== undefined) return forkedAudio(this.#local.fork, direction);
    if (this.#engine === null) throw new Error('no channel to the engine');
    return { ...this.#engine.audio, direction };
  }
}

function soundOf(
  address: string,
  port: number,
  protocol: string,
  formats: { formats: string[]; lines: string[] },
  more: readonly string[] = [],
): string {
  return writeSdp({ sessionId: '1', version: 1, address }, [
    `m=audio ${port} ${protocol} ${formats.formats.join(' ')}`,
    ...formats.lines,
    'a=ptime:20',
    ...more,
    'a=sendrecv',
  ]);
}

/** FreeSWITCH shows its own key only in an answer to an offered one; no packet is ever sent under this key. */
function placeholderKey(): string {
  return `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${Buffer.alloc(30).toString('base64')}`;
}

/** Audio on the engine's socket: no packet is sent to this address. */
function forkedAudio({ sampleRateHz }: AudioFork, direction: AudioDirection): NegotiatedAudio {
  return {
    remoteAddress: '127.0.0.1',
    remotePort: 9,
    remoteRtcpPort: 9,
    codec: sampleRateHz === 16_000 ? 'G722' : 'PCMU',
    payloadType: sampleRateHz === 16_000 ? 9 : 0,
    telephoneEventPayloadType: null,
    comfortNoisePayloadType: null,
    direction,
    srtp: null,
    sources: [],
  };
}
