// Narrows an SDP to the one choice that we want before FreeSWITCH sees it. Otherwise FreeSWITCH would decide by its own
// order of codecs and, between SAVP and AVP offered side by side, by its own rules.

import { encodingOf, parseSdp, type SdpMedia } from '../../../../../media/sdp.ts';
import { peerDirection } from '../../../dialog/offer-answer.ts';
import { codecOf, type EventFormat, eventClocksFor, isWideband } from '../../../dialog/voice-formats.ts';
import { addressTowards, isPrivate } from '../../../stack/network/addressing.ts';
import type { AudioCodec, AudioDirection } from '../../../telephony.ts';
import type { MediaTerms } from './leg-media.ts';

export interface Choice {
  /** Index of the media line. */
  index: number;
  media: SdpMedia;
  codec: AudioCodec;
  format: string;
  events: EventFormat | null;
  /** As seen from our side. */
  direction: AudioDirection;
}

/** SRTP, with keys in the SDP or by DTLS (`UDP/TLS/RTP/SAVP`). */
const SECURED = /SAVPF?$/;
const PLAIN = /^RTP\/AVPF?$/;

/**
 * Chooses the audio of an offer, or finds the choice of an answer: SRTP before plain RTP, then a codec of the running
 * call's bandwidth, or of the wanted one.
 */
export function chooseAudio(
  text: string,
  terms: Pick<MediaTerms, 'codecs' | 'demandSrtp' | 'prefersWideband'>,
  type: 'offer' | 'answer',
  running: AudioCodec | null = null,
): Choice | null {
  const sdp = parseSdp(text);
  if (sdp === null) return null;
  const usable = sdp.media
    .map((media, index) => ({ media, index, isSecured: SECURED.test(media.protocol) }))
    .filter(
      ({ media, isSecured }) => media.kind === 'audio' && media.port !== 0 && (isSecured || PLAIN.test(media.protocol)),
    )
    .filter(({ isSecured }) => isSecured || !terms.demandSrtp)
    .sort((a, b) => Number(b.isSecured) - Number(a.isSecured));
  for (const { media, index } of usable) {
    const named = media.formats.map((format) => ({ format, encoding: encodingOf(media, format) }));
    const voices = named.flatMap(({ format, encoding }) => {
      const codec = codecOf(encoding);
      return codec !== null && terms.codecs.includes(codec) ? [{ codec, format }] : [];
    });
    const wantsWide = running === null ? terms.prefersWideband : isWideband(running);
    const free = type === 'answer' || (running === null && !terms.prefersWideband);
    const voice = (free ? undefined : voices.find(({ codec }) => isWideband(codec) === wantsWide)) ?? voices[0];
    if (voice === undefined) continue;
    const [events] = eventClocksFor(voice.codec).flatMap((clockHz) => {
      const found = named.find(({ encoding }) => encoding === `TELEPHONE-EVENT/${clockHz}`);
      return found === undefined ? [] : [{ format: found.format, clockHz }];
    });
    return { index, media, ...voice, events: events ?? null, direction: peerDirection(sdp, media) };
  }
  return null;
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
}

/** The lines before the first m= line, and the lines of each media section. */
function sections(text: string): { head: string[]; media: string[][] } {
  const head: string[] = [];
  const media: string[][] = [];
  for (const line of linesOf(text)) {
    if (line.startsWith('m=')) media.push([line]);
    else (media.at(-1) ?? head).push(line);
  }
  return { head, media };
}

function join(lines: readonly string[]): string {
  return `${lines.join('\r\n')}\r\n`;
}

/**
 * The SDP with only the chosen audio: one media line with one voice format and its telephone events. Keys beside plain
 * RTP go: FreeSWITCH would encrypt with them, while its answer still says RTP/AVP.
 */
export function narrow(text: string, { index, format, events }: Choice): string {
  const { head, media } = sections(text);
  const kept = new Set([format, ...(events === null ? [] : [events.format])]);
  const [first = '', ...rest] = media[index] ?? [];
  const [kind, port, protocol] = first.split(' ');
  const isPlain = PLAIN.test(protocol ?? '');
  const attributes = rest.filter((line) => {
    if (isPlain && line.startsWith('a=crypto:')) return false;
    const described = /^a=(?:rtpmap|fmtp|rtcp-fb):(\S+)/.exec(line)?.[1];
    return described === undefined || kept.has(described);
  });
  return join([...head, `${kind} ${port} ${protocol} ${[...kept].join(' ')}`, ...attributes]);
}

/** Turns the answer to the narrowed offer into one to the full offer: other media are refused (RFC 3264 6). */
export function widen(answer: string, offer: string, { index }: Choice): string {
  const answered = sections(answer);
  const lines = sections(offer).media.flatMap(([line = ''], each) => {
    if (each === index) return answered.media[0] ?? [];
    const [kind, , protocol, format] = line.split(' ');
    return [`${kind} 0 ${protocol} ${format ?? '0'}`];
  });
  return join([...answered.head, ...lines]);
}

/** Our offer: address, port and keys of FreeSWITCH's answer, with the given formats. */
export function offerFrom(answer: string, formats: { formats: string[]; lines: string[] }): string {
  const { head, media } = sections(answer);
  const [first = '', ...rest] = media[0] ?? [];
  const [kind, port, protocol] = first.split(' ');
  const kept = rest.filter((line) => !/^a=(rtpmap|fmtp|rtcp-fb|ptime|sendrecv|sendonly|recvonly|inactive)/.test(line));
  return join([
    ...head,
    `${kind} ${port} ${protocol} ${formats.formats.join(' ')}`,
    ...formats.lines,
    'a=ptime:20',
    ...kept,
    'a=sendrecv',
  ]);
}

/**
 * FreeSWITCH's SDP with the address that the peer must see. drachtio invites FreeSWITCH over loopback, so it treats
 * every peer as local and shows its own address; a public peer behind NAT needs EXTERNAL_IP.
 */
export function showTo(sdp: string, peerAddress: string, externalIp: string | null): string {
  const [media] = parseSdp(sdp)?.media ?? [];
  if (media === undefined || !isPrivate(media.address)) return sdp;
  const shown = addressTowards(media.address, peerAddress, externalIp);
  return linesOf(sdp)
    .map((line) => (/^[co]=/.test(line) ? line.replace(/(IN IP[46] )\S+$/, `$1${shown}`) : line))
    .map((line) => `${line}\r\n`)
    .join('');
}
