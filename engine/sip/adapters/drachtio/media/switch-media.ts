// The audio of a leg through FreeSWITCH:
//
//   peer ◄── SRTP or RTP, any codec ──► channel ◄── bridge ──► channel ◄── RTP, G.711 or G.722 ──► engine's RTP port
//
// The peer's channel follows the offers and answers of the call; the engine's stays as it was made.

import { messageOf } from '../../../../../db/domain/unexpected.ts';
import { CODEC_RATES } from '../../../../../media/rtp/voice-codec.ts';
import { parseSdp, writeSdp } from '../../../../../media/sdp.ts';
import type { MediaFault } from '../../../dialog/offer-answer.ts';
import { describeFormats, isWideband, offeredFormats } from '../../../dialog/voice-formats.ts';
import { addressTowards } from '../../../stack/network/addressing.ts';
import type { AudioCodec, AudioDirection, AudioFork, LocalAudio, NegotiatedAudio } from '../../../telephony.ts';
import type { Agreed, LegMedia, MediaListener, MediaPath, MediaTerms } from './leg-media.ts';
import { type Choice, chooseAudio, narrow, offerFrom, showTo, widen } from './narrow-sdp.ts';
import type { Channel, ChannelTimer } from './switch-channels.ts';
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

  rateOf(offer: string | null, terms: MediaTerms): 8_000 | 16_000 | MediaFault {
    const codec = offer === null ? terms.codecs[0] : chooseAudio(offer, terms, 'offer')?.codec;
    return codec === undefined ? 'codec' : CODEC_RATES[codec].sampleRateHz;
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
  /** Every channel that was made and not ended yet, also where what was to follow it failed. */
  readonly #made = new Set<Channel>();
  #peer: Channel | null = null;
  #engine: { channel: Channel; audio: NegotiatedAudio } | null = null;
  /** The last SDP given to the peer's channel; a repeated one (183, then 200) leaves the channel alone. */
  #given = '';
  #codec: AudioCodec | null = null;
  #offered = '';
  #isJoined = false;
  #isClosed = false;
  /** Offers and answers are handled one after the other: two at once would each make the channels. */
  #turn: Promise<unknown> = Promise.resolve();
  /** The peer has seen an SDP of this server: the leg must stay there. */
  #isShown = false;
  /** Counts the servers tried. A channel of an earlier one has no say any more. */
  #attempt = 0;
  /** How the server lost a channel before the peer saw anything of it. */
  #lostEarly: string | null = null;

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
    return this.#inTurn(async () => {
      const choice = chooseAudio(offer, this.#terms, 'offer', this.#codec);
      if (choice === null) return null;
      return this.#onAHost(async () => {
        const sdp = await this.#connect(narrow(offer, choice), choice);
        return { sdp: widen(this.#show(sdp), offer, choice), audio: this.#audioOf(choice) };
      });
    });
  }

  async offer(): Promise<string> {
    return this.#inTurn(() => this.#onAHost(() => this.#makeOffer()));
  }

  async #makeOffer(): Promise<string> {
    const running = this.#codec;
    if (this.#peer === null) {
      // A placeholder address: the channel opens its port now, and gets the peer's address with the answer.
      const protocol = this.#terms.demandSrtp ? 'RTP/SAVP' : 'RTP/AVP';
      const [first = 'PCMU'] = this.#terms.codecs;
      const [format = '0'] = offeredFormats([first], null).voice.map(({ format }) => format);
      const formats = describeFormats([{ codec: first, format }], [EVENTS], null);
      const key = this.#terms.demandSrtp ? [placeholderKey()] : [];
      await this.#toPeer(soundOf('127.0.0.1', 9, protocol, formats, key));
      // Now it can be another server: once the callee has picked up it is too late.
      if (this.#peer !== null) await this.#pool.forLeg(this).channels.prove(this.#peer, this.#patience);
    }
    const { voice, events } = offeredFormats(
      running === null ? this.#terms.codecs : [running, ...this.#terms.codecs.filter((codec) => codec !== running)],
      null,
    );
    this.#offered = offerFrom(this.#show(this.#peer?.sdp ?? ''), describeFormats(voice, events, null));
    return this.#offered;
  }

  async accept(answer: string): Promise<NegotiatedAudio | null> {
    return this.#inTurn(async () => {
      const choice = chooseAudio(answer, this.#terms, 'answer');
      if (choice === null) return null;
      await this.#connect(narrow(answer, choice), choice);
      return this.#audioOf(choice);
    });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#endChannels();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }

  /** Work that fails before the peer has seen an SDP of this server is done again by the next one. */
  async #onAHost<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const result = await work();
        if (this.#lostEarly !== null) throw new Error(this.#lostEarly);
        this.#isShown = true;
        return result;
      } catch (error) {
        if (this.#isShown || this.#isClosed || !this.#pool.move(this)) throw error;
        this.#attempt += 1;
        this.#endChannels();
        this.#peer = null;
        this.#engine = null;
        this.#given = '';
        this.#isJoined = false;
        this.#lostEarly = null;
      }
    }
  }

  #endChannels(): void {
    for (const channel of this.#made) channel.server.end(channel);
    this.#made.clear();
  }

  /** Both channels at once, and their audio bridged. Resolves with the SDP of the peer's. */
  async #connect(sdp: string, choice: Choice): Promise<string> {
    const [peer, engine] = await Promise.allSettled([this.#toPeer(sdp), this.#toEngine(choice)]);
    if (peer.status === 'rejected') throw peer.reason;
    if (engine.status === 'rejected') throw engine.reason;
    await this.#join(choice);
    return peer.value;
  }

  async #toPeer(sdp: string): Promise<string> {
    if (this.#peer === null) this.#peer = await this.#create(sdp, 'soft');
    else if (sdp !== this.#given) this.#peer = { ...this.#peer, sdp: await this.#peer.server.modify(this.#peer, sdp) };
    this.#given = sdp;
    return this.#peer.sdp;
  }

  get #patience(): 'short' | 'long' {
    return !this.#isShown && this.#pool.canMove(this) ? 'short' : 'long';
  }

  async #create(sdp: string, timer: ChannelTimer): Promise<Channel> {
    const { channels } = this.#pool.forLeg(this);
    const attempt = this.#attempt;
    const channel = await channels.create(sdp, timer, this.#patience, (reason, by) => {
      if (attempt === this.#attempt) this.#lost(reason, by);
    });
    // The leg ended meanwhile.
    if (this.#isClosed) channels.end(channel);
    else this.#made.add(channel);
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
    if (fork === undefined) return this.#engine && peer.server.bridge(peer, this.#engine.channel);
    return peer.server.fork(
      peer,
      { ...at, fork },
      {
        lost: (reason, by) => this.#lost(reason, by),
        digit: (digit, durationMs) => this.#listener.digit(digit, durationMs),
      },
    );
  }

  #lost(reason: string, by: 'network' | 'server'): void {
    if (this.#isClosed) return;
    if (this.#isShown) this.#listener.lost(reason, by);
    else this.#lostEarly ??= reason;
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
