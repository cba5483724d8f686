// Offer and answer (RFC 3264) for one audio stream, as values: each function takes the session and returns the next
// one, so a failed re-INVITE leaves the session unchanged (RFC 3261 14.1).
import { randomBytes, randomInt } from 'node:crypto';
import { isIP } from 'node:net';
import { CODEC_RATES } from '../../../media/rtp/voice-codec.ts';
import { attribute, encodingOf, parseSdp, type Sdp, type SdpMedia, writeSdp } from '../../../media/sdp.ts';
import type { AudioCodec, AudioDirection, LocalAudio, NegotiatedAudio, SrtpKeys } from '../telephony.ts';
import {
  codecOf,
  describeFormats,
  type EventFormat,
  eventClocksFor,
  isWideband,
  offeredFormats,
  type VoiceFormat,
} from './voice-formats.ts';

export interface AudioSession {
  local: LocalAudio;
  codecs: readonly AudioCodec[];
  /** SDES is offered and accepted only over TLS: the SDP carries the keys in clear text. */
  secure: boolean;
  /** Refuse audio without SRTP: our offers demand it, and an offer or answer without it is refused. */
  demandSrtp: boolean;
  /** A first offer is answered with its first wideband codec that we support, else with its first codec. */
  prefersWideband: boolean;
  /** Addresses that the peer's audio may come from, besides those in its SDP. */
  sources: readonly string[];
  sessionId: string;
  version: number;
  /** Base64 of our 30 bytes of key and salt, created on first use. */
  localKeySalt: string | null;
  agreed: NegotiatedAudio | null;
  /** The last SDP that we sent, to tell whether a new one differs. */
  lastSent: string | null;
}

interface Agreement {
  session: AudioSession;
  audio: NegotiatedAudio;
}

interface AnsweredOffer extends Agreement {
  sdp: string;
}

const CRYPTO_SUITE = 'AES_CM_128_HMAC_SHA1_80';
// RFC 4568 6.1: 16 bytes of key, 14 of salt.
const KEY_SALT_BYTES = 30;

interface AudioOptions {
  secure: boolean;
  demandSrtp: boolean;
  prefersWideband?: boolean;
  sources?: readonly string[];
}

export function newAudioSession(local: LocalAudio, codecs: readonly AudioCodec[], options: AudioOptions): AudioSession {
  return {
    local,
    codecs,
    prefersWideband: false,
    sources: [],
    ...options,
    sessionId: String(randomInt(2 ** 47)),
    version: 1,
    localKeySalt: null,
    agreed: null,
    lastSent: null,
  };
}

const MIRRORED: Record<AudioDirection, AudioDirection> = {
  sendrecv: 'sendrecv',
  sendonly: 'recvonly',
  recvonly: 'sendonly',
  inactive: 'inactive',
};

function directionOf(sdp: Sdp, media: SdpMedia): AudioDirection {
  for (const level of [media, sdp]) {
    for (const { name } of level.attributes) {
      if (name === 'sendrecv' || name === 'sendonly' || name === 'recvonly' || name === 'inactive') return name;
    }
  }
  return 'sendrecv';
}

const WITHOUT_SENDING: Record<AudioDirection, AudioDirection> = {
  sendrecv: 'recvonly',
  sendonly: 'inactive',
  recvonly: 'recvonly',
  inactive: 'inactive',
};

function isAnyAddress(address: string): boolean {
  return address === '0.0.0.0' || address === '::';
}

interface Crypto {
  tag: string;
  keySalt: string;
}

// RFC 4568 9.2: tag, suite, one key with its lifetime. Lines with an MKI (`|1:4`), a second key or session parameters
// need features that we lack, and their packets would be unreadable. WSH is only a hint.
const CRYPTO_LINE =
  /^(\d{1,9})\s+AES_CM_128_HMAC_SHA1_80\s+inline:([A-Za-z0-9+/=]+)(?:\|(?:2\^)?\d{1,15})?(?:\s+WSH=\d{1,6})*\s*$/i;

function readCrypto(media: SdpMedia): Crypto | null {
  for (const { name, value } of media.attributes) {
    if (name !== 'crypto') continue;
    const match = CRYPTO_LINE.exec(value ?? '');
    if (match?.[1] && match[2] && Buffer.from(match[2], 'base64').length === KEY_SALT_BYTES) {
      return { tag: match[1], keySalt: match[2] };
    }
  }
  return null;
}

interface Chosen extends VoiceFormat {
  index: number;
  media: SdpMedia;
  events: EventFormat | null;
  noise: string | null;
  crypto: Crypto | null;
}

/**
 * Of an answer, the first format: the peer has chosen. Of an offer, the first format of the wanted bandwidth: in a
 * running session that of the current codec, which a hold or refresh should not change; otherwise the first.
 */
function pickVoice(session: AudioSession, found: readonly VoiceFormat[], type: 'offer' | 'answer'): VoiceFormat | null {
  const first = found[0] ?? null;
  if (type === 'answer' || (session.agreed === null && !session.prefersWideband)) return first;
  const wanted = session.agreed === null || isWideband(session.agreed.codec);
  return found.find(({ codec }) => isWideband(codec) === wanted) ?? first;
}

/** Why no audio can be agreed on. Of several media lines, the one that comes nearest says it. */
const MEDIA_FAULTS = ['unreadable', 'no_audio', 'transport', 'srtp', 'address', 'codec'] as const;
export type MediaFault = (typeof MEDIA_FAULTS)[number];

/** RFC 3261 20.43. */
const WARNINGS: Record<MediaFault, string> = {
  unreadable: '399 - "The session description is not readable"',
  no_audio: '304 - "Media type not available: there is no audio"',
  transport: '302 - "Incompatible transport protocol: RTP/AVP or RTP/SAVP with SDES is taken"',
  srtp: '302 - "Incompatible transport protocol: SRTP is demanded or not available, or its key is not usable"',
  address: '301 - "Incompatible network address formats: no address that audio can be sent to from here"',
  codec: '305 - "Incompatible media format: no codec in common"',
};

/** The headers of a 488. */
export const mediaWarning = (fault: MediaFault | null): { name: 'warning'; value: string }[] =>
  fault === null ? [] : [{ name: 'warning', value: WARNINGS[fault] }];

/**
 * Where their audio is: an address of our family. Their default may be of the other one (RFC 8445): then the first
 * candidate that we can send to, because an agent without ICE gets no other description.
 */
function reachable({ local }: AudioSession, media: SdpMedia): SdpMedia | null {
  const family = isIP(local.address);
  if (isIP(media.address) === family || isAnyAddress(media.address)) return media;
  for (const { name, value } of media.attributes) {
    if (name !== 'candidate') continue;
    const [, component, protocol = '', , address = '', port = ''] = (value ?? '').split(' ', 6);
    if (component !== '1' || protocol.toUpperCase() !== 'UDP' || isIP(address) !== family) continue;
    // Their a=rtcp is of the default.
    const attributes = media.attributes.filter((each) => each.name !== 'rtcp');
    const number = /^[1-9]\d{0,4}$/.test(port) ? Number(port) : 0;
    if (number > 0 && number <= 65_535) return { ...media, address, port: number, attributes };
  }
  return null;
}

function chooseMedia(session: AudioSession, sdp: Sdp, type: 'offer' | 'answer'): Chosen | MediaFault {
  let nearest: MediaFault = 'no_audio';
  for (const [index, media] of sdp.media.entries()) {
    const found = chooseIn(session, media, type);
    if (typeof found !== 'string') return { index, ...found };
    if (MEDIA_FAULTS.indexOf(found) > MEDIA_FAULTS.indexOf(nearest)) nearest = found;
  }
  return nearest;
}

function chooseIn(
  session: AudioSession,
  media: SdpMedia,
  type: 'offer' | 'answer',
): Omit<Chosen, 'index'> | MediaFault {
  if (media.kind !== 'audio' || media.port === 0) return 'no_audio';
  const secured = media.protocol === 'RTP/SAVP' || media.protocol === 'RTP/SAVPF';
  if (!secured && media.protocol !== 'RTP/AVP' && media.protocol !== 'RTP/AVPF') return 'transport';
  // Also in a running call: encrypted speech is never continued in clear text.
  if (!secured && (session.demandSrtp || session.agreed?.srtp)) return 'srtp';
  const crypto = secured && session.secure ? readCrypto(media) : null;
  if (secured && crypto === null) return 'srtp';
  const placed = reachable(session, media);
  if (placed === null) return 'address';
  const named = media.formats.map((format) => ({ format, encoding: encodingOf(media, format) }));
  const known = named.flatMap(({ format, encoding }) => {
    const codec = codecOf(encoding);
    return codec !== null && session.codecs.includes(codec) ? [{ codec, format }] : [];
  });
  const voice = pickVoice(session, known, type);
  if (!voice) return 'codec';
  const find = (encoding: string) => named.find((entry) => entry.encoding === encoding)?.format ?? null;
  const events = eventClocksFor(voice.codec).flatMap((clockHz) => {
    const format = find(`TELEPHONE-EVENT/${clockHz}`);
    return format === null ? [] : [{ format, clockHz }];
  });
  // Comfort noise has the clock of its codec as well (RFC 3389 4).
  const noise = voice.codec === 'OPUS' ? null : find('CN/8000');
  return { media: placed, ...voice, events: events[0] ?? null, noise, crypto };
}

/** The direction of the audio from our side. */
export function peerDirection(sdp: Sdp, media: SdpMedia): AudioDirection {
  // c=0.0.0.0 is hold in RFC 2543: the peer accepts no audio.
  const theirs = MIRRORED[directionOf(sdp, media)];
  return isAnyAddress(media.address) ? WITHOUT_SENDING[theirs] : theirs;
}

function agree({ sources }: AudioSession, sdp: Sdp, chosen: Chosen, srtp: SrtpKeys | null): NegotiatedAudio {
  const { media } = chosen;
  const rtcp = /^\d{1,5}/.exec(attribute(media, 'rtcp') ?? '')?.[0];
  return {
    remoteAddress: media.address,
    remotePort: media.port,
    remoteRtcpPort: rtcp === undefined ? media.port + 1 : Number(rtcp),
    codec: chosen.codec,
    payloadType: Number(chosen.format),
    telephoneEventPayloadType: chosen.events === null ? null : Number(chosen.events.format),
    ...(chosen.events?.clockHz === 48_000 ? { telephoneEventClockHz: chosen.events.clockHz } : {}),
    comfortNoisePayloadType: chosen.noise === null ? null : Number(chosen.noise),
    direction: peerDirection(sdp, media),
    srtp,
    sources,
  };
}

function withKey(session: AudioSession): { session: AudioSession; keySalt: string } {
  const keySalt = session.localKeySalt ?? randomBytes(KEY_SALT_BYTES).toString('base64');
  return { session: { ...session, localKeySalt: keySalt }, keySalt };
}

/** Raises the version in o= if anything else has changed (RFC 3264 8). */
function send(session: AudioSession, mediaLines: readonly string[]): { session: AudioSession; sdp: string } {
  const { address } = session.local;
  const head = { sessionId: session.sessionId, version: session.version, address };
  const same = writeSdp(head, mediaLines);
  if (session.lastSent === null || same === session.lastSent)
    return { session: { ...session, lastSent: same }, sdp: same };
  const version = session.version + 1;
  const sdp = writeSdp({ ...head, version }, mediaLines);
  return { session: { ...session, version, lastSent: sdp }, sdp };
}

/** Why we support nothing of an offer; null: we do. */
export function offerFault(session: AudioSession, offerText: string): MediaFault | null {
  const offer = parseSdp(offerText);
  const chosen = offer === null ? 'unreadable' : chooseMedia(session, offer, 'offer');
  return typeof chosen === 'string' ? chosen : null;
}

/** Answers an offer; null if we support none of it (488). Rejected media lines get port 0. */
export function answerOffer(before: AudioSession, offerText: string): AnsweredOffer | null {
  const offer = parseSdp(offerText);
  const chosen = offer === null ? 'unreadable' : chooseMedia(before, offer, 'offer');
  if (offer === null || typeof chosen === 'string') return null;
  let session = before;
  let srtp: SrtpKeys | null = null;
  let cryptoLine: string[] = [];
  if (chosen.crypto) {
    const keyed = withKey(session);
    session = keyed.session;
    srtp = { suite: CRYPTO_SUITE, localKeySalt: keyed.keySalt, remoteKeySalt: chosen.crypto.keySalt };
    cryptoLine = [`a=crypto:${chosen.crypto.tag} ${CRYPTO_SUITE} inline:${keyed.keySalt}`];
  }
  const audio = agree(session, offer, chosen, srtp);
  const described = describeFormats([chosen], chosen.events === null ? [] : [chosen.events], chosen.noise);
  const mediaLines: string[] = [];
  for (const [index, media] of offer.media.entries()) {
    if (index !== chosen.index) {
      mediaLines.push(`m=${media.kind} 0 ${media.protocol} ${media.formats[0] ?? '0'}`);
      continue;
    }
    mediaLines.push(
      `m=audio ${session.local.port} ${media.protocol} ${described.formats.join(' ')}`,
      ...described.lines,
      'a=ptime:20',
      ...cryptoLine,
      `a=${audio.direction}`,
    );
  }
  const sent = send(session, mediaLines);
  return { session: { ...sent.session, agreed: audio }, sdp: sent.sdp, audio };
}

/**
 * The sample rate of the codec that we would answer with, or why the offer has none that we accept. Without an offer it
 * is the rate of the first codec in ours, and there is none where ours would demand SRTP that nothing keeps secret.
 * @param address ours, as the peer sees it
 */
export function answeredRateHz(
  offerText: string | null,
  codecs: readonly AudioCodec[],
  { address, ...options }: AudioOptions & { address: string },
): 8_000 | 16_000 | MediaFault {
  if (offerText === null) {
    const [first] = codecs;
    if (first === undefined) return 'codec';
    return options.demandSrtp && !options.secure ? 'srtp' : CODEC_RATES[first].sampleRateHz;
  }
  // The answer is thrown away: no port is bound yet.
  const session = newAudioSession({ address, port: 9 }, codecs, options);
  const answered = answerOffer(session, offerText);
  return answered === null
    ? (offerFault(session, offerText) ?? 'codec')
    : CODEC_RATES[answered.audio.codec].sampleRateHz;
}

/** A full offer: our codecs in order of preference, with the payload types that a running session uses. */
export function makeOffer(before: AudioSession): { session: AudioSession; sdp: string } {
  const running = before.agreed;
  const { voice, events } = offeredFormats(before.codecs, running);
  const noise = running?.comfortNoisePayloadType ?? null;
  const described = describeFormats(voice, events, noise === null ? null : String(noise));
  let session = before;
  let protocol = 'RTP/AVP';
  const cryptoLine: string[] = [];
  if (session.secure && (session.demandSrtp || running?.srtp)) {
    const keyed = withKey(session);
    session = keyed.session;
    protocol = 'RTP/SAVP';
    cryptoLine.push(`a=crypto:1 ${CRYPTO_SUITE} inline:${keyed.keySalt}`);
  }
  return send(session, [
    `m=audio ${session.local.port} ${protocol} ${described.formats.join(' ')}`,
    ...described.lines,
    'a=ptime:20',
    ...cryptoLine,
    'a=sendrecv',
  ]);
}

/** Takes the answer to our last offer; null if it accepts nothing. */
export function takeAnswer(before: AudioSession, answerText: string): Agreement | null {
  const answer = parseSdp(answerText);
  const chosen = answer === null ? 'unreadable' : chooseMedia(before, answer, 'answer');
  if (answer === null || typeof chosen === 'string') return null;
  const srtp: SrtpKeys | null =
    chosen.crypto && before.localKeySalt
      ? { suite: CRYPTO_SUITE, localKeySalt: before.localKeySalt, remoteKeySalt: chosen.crypto.keySalt }
      : null;
  const audio = agree(before, answer, chosen, srtp);
  return { session: { ...before, agreed: audio }, audio };
}

export function sameAudio(a: NegotiatedAudio, b: NegotiatedAudio): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
