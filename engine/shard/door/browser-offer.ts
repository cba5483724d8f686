// A browser's offer and our answer to it (RFC 8829, RFC 9429 in short): one audio line, Opus both ways, on one port
// with DTLS-SRTP. Lines beside it are refused. The browser begins ICE and DTLS, so its candidates need not be known,
// and it may send them later or never (RFC 8840).
import { randomInt } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { attribute, encodingOf, parseSdp, type Sdp, type SdpMedia, writeSdp } from '../../../media/sdp.ts';
import type { BrowserIdentity } from '../../../media/webrtc/webrtc-port.ts';

/** Browsers send 2 to 8 KB, with video lines in it. */
const MAX_OFFER_CHARS = 16_384;
const MAX_FORMATS = 64;
const MAX_LINES = 8;
/** RFC 8445 5.3 and 15.4: the characters and lengths of name and password. */
const UFRAG = /^[A-Za-z0-9+/]{4,256}$/;
const PASSWORD = /^[A-Za-z0-9+/]{22,256}$/;
const FINGERPRINT = /^sha-256 ([0-9A-F]{2}(?::[0-9A-F]{2}){31})$/i;
const MID = /^[A-Za-z0-9_.~-]{1,32}$/;

interface Format {
  payloadType: number;
  clockHz: number;
}

export interface BrowserOffer {
  browser: BrowserIdentity;
  opus: Format;
  /** Null: keys come by the socket alone. */
  events: Format | null;
  /** All lines of the offer, and the one that is taken. */
  lines: readonly SdpMedia[];
  audio: SdpMedia;
}

/** Null: it is no offer, or none that we can answer. */
export function readOffer(text: string): BrowserOffer | null {
  const sdp = text.length <= MAX_OFFER_CHARS ? parseSdp(text) : null;
  if (sdp === null || sdp.media.length > MAX_LINES) return null;
  const { media: lines } = sdp;
  if (lines.some((line) => line.formats.length > MAX_FORMATS || !MID.test(midOf(line)))) return null;
  for (const audio of lines) {
    const opus = formatOf(audio, 'OPUS/48000');
    const browser = identityOf(sdp, audio);
    if (audio.kind !== 'audio' || audio.port === 0 || opus === null || browser === null) continue;
    const isSecure = audio.protocol === 'UDP/TLS/RTP/SAVPF' && attribute(audio, 'rtcp-mux') !== undefined;
    // RFC 8842 5.3: we answer as the server.
    if (!isSecure || !['actpass', 'active'].includes(settingOf(sdp, audio, 'setup'))) continue;
    const events = formatOf(audio, 'TELEPHONE-EVENT/48000') ?? formatOf(audio, 'TELEPHONE-EVENT/8000');
    return { browser, opus, events, lines, audio };
  }
  return null;
}

function identityOf(sdp: Sdp, audio: SdpMedia): BrowserIdentity | null {
  const ufrag = settingOf(sdp, audio, 'ice-ufrag');
  const password = settingOf(sdp, audio, 'ice-pwd');
  const [, fingerprint] = FINGERPRINT.exec(settingOf(sdp, audio, 'fingerprint')) ?? [];
  if (!UFRAG.test(ufrag) || !PASSWORD.test(password) || fingerprint === undefined) return null;
  return { ufrag, password, fingerprint: fingerprint.toUpperCase() };
}

/** Of the line, else of the session (RFC 8839 5.4, RFC 8122 5). */
const settingOf = (sdp: Sdp, line: SdpMedia, name: string): string =>
  (attribute(line, name) ?? attribute(sdp, name) ?? '').trim();

const midOf = (line: SdpMedia): string => attribute(line, 'mid') ?? '';

function formatOf(line: SdpMedia, encoding: string): Format | null {
  const format = line.formats.find((each) => encodingOf(line, each) === encoding);
  const payloadType = Number(format);
  if (format === undefined || !Number.isInteger(payloadType) || payloadType > 127) return null;
  return { payloadType, clockHz: Number(encoding.split('/')[1]) };
}

interface AnswerFrom {
  ufrag: string;
  password: string;
  fingerprint: string;
  /** Where browsers reach us, the best one first. */
  addresses: readonly string[];
  port: number;
}

export function writeAnswer({ lines, audio, opus, events }: BrowserOffer, from: AnswerFrom): string {
  const [address = '0.0.0.0'] = from.addresses;
  const answered = lines.flatMap((line) =>
    line === audio
      ? audioLine(midOf(line), opus, events, from)
      : [`m=${line.kind} 0 ${line.protocol} ${line.formats.join(' ')}`, `a=mid:${midOf(line)}`, 'a=inactive'],
  );
  const session = ['a=ice-lite', `a=group:BUNDLE ${midOf(audio)}`, 'a=msid-semantic:WMS *'];
  return writeSdp({ sessionId: String(randomInt(2 ** 47)), version: 1, address }, [...session, ...answered]);
}

function audioLine(mid: string, opus: Format, events: Format | null, from: AnswerFrom): string[] {
  const types = [opus, ...(events ? [events] : [])].map(({ payloadType }) => payloadType);
  const { addresses, port } = from;
  // RFC 8445 5.1.2: of host candidates, one component, the first address before the others.
  const candidates = addresses.map((address, index) => {
    const priority = 126 * 2 ** 24 + (65_535 - index) * 2 ** 8 + 255;
    return `a=candidate:${index + 1} 1 udp ${priority} ${address} ${port} typ host`;
  });
  return [
    `m=audio ${port} UDP/TLS/RTP/SAVPF ${types.join(' ')}`,
    ...addresses.slice(0, 1).map((address) => `c=IN ${isIPv6(address) ? 'IP6' : 'IP4'} ${address}`),
    `a=mid:${mid}`,
    'a=sendrecv',
    'a=msid:agent agent',
    'a=rtcp-mux',
    `a=ice-ufrag:${from.ufrag}`,
    `a=ice-pwd:${from.password}`,
    `a=fingerprint:sha-256 ${from.fingerprint}`,
    'a=setup:passive',
    `a=rtpmap:${opus.payloadType} opus/48000/2`,
    // RFC 7587 6.1. No pauses: packets that stop are how either side notices that the line is lost.
    `a=fmtp:${opus.payloadType} maxplaybackrate=16000;sprop-maxcapturerate=16000;stereo=0;useinbandfec=1;usedtx=0`,
    ...(events
      ? [`a=rtpmap:${events.payloadType} telephone-event/${events.clockHz}`, `a=fmtp:${events.payloadType} 0-15`]
      : []),
    'a=ptime:20',
    ...candidates,
    'a=end-of-candidates',
  ];
}
