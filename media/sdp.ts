// The part of SDP (RFC 8866) that a telephone needs: media lines with formats and attributes, in order, so that an
// answer can reject each line that we do not support. Reading never throws; it returns null for text that is not SDP.

interface SdpAttribute {
  name: string;
  value: string | null;
}

export interface SdpMedia {
  kind: string;
  port: number;
  protocol: string;
  formats: string[];
  /** Address of the media's c= line, else of the session's, else empty. */
  address: string;
  attributes: SdpAttribute[];
  /** `name/rate` in upper case by payload type, of its a=rtpmap lines; the first one of a type counts. */
  encodings: Map<string, string>;
}

export interface Sdp {
  media: SdpMedia[];
  attributes: SdpAttribute[];
}

// No telephone offers more, but a body of 64 KiB could hold thousands.
const MAX_MEDIA_LINES = 32;
const MAX_ATTRIBUTES = 512;
// Of one media line: RTP has 128 payload types.
const MAX_FORMATS = 128;

function readConnection(value: string): string | null {
  const match = /^IN IP[46] ([^\s/]+)/.exec(value);
  return match?.[1] ?? null;
}

function readMedia(value: string, address: string): SdpMedia | null {
  const [kind, portText, protocol, ...formats] = value.trim().split(/\s+/);
  const port = /^(\d{1,5})(?:\/\d+)?$/.exec(portText ?? '')?.[1];
  if (!kind || port === undefined || Number(port) > 65_535 || !protocol) return null;
  if (formats.length === 0 || formats.length > MAX_FORMATS) return null;
  const line = { kind: kind.toLowerCase(), port: Number(port), protocol, formats, address };
  return { ...line, attributes: [], encodings: new Map() };
}

export function parseSdp(text: string): Sdp | null {
  const lines = text.split('\n').map((line) => line.trimEnd());
  if (!/^v=0\s*$/.test(lines[0] ?? '')) return null;
  const sdp: Sdp = { media: [], attributes: [] };
  let sessionAddress = '';
  let attributes = 0;
  for (const line of lines.slice(1)) {
    if (line === '') continue;
    if (!/^[a-zA-Z]=/.test(line)) return null;
    const value = line.slice(2);
    const media = sdp.media.at(-1);
    if (line[0] === 'm') {
      const next = readMedia(value, sessionAddress);
      if (next === null || sdp.media.length >= MAX_MEDIA_LINES) return null;
      sdp.media.push(next);
    } else if (line[0] === 'c') {
      const address = readConnection(value);
      if (address === null) return null;
      if (media) media.address = address;
      else sessionAddress = address;
    } else if (line[0] === 'a') {
      if (++attributes > MAX_ATTRIBUTES) return null;
      const colon = value.indexOf(':');
      const attribute =
        colon < 0 ? { name: value, value: null } : { name: value.slice(0, colon), value: value.slice(colon + 1) };
      (media ?? sdp).attributes.push(attribute);
      if (media && attribute.name === 'rtpmap') noteEncoding(media, attribute.value ?? '');
    }
  }
  return sdp;
}

export function attribute(from: { attributes: readonly SdpAttribute[] }, name: string): string | null | undefined {
  return from.attributes.find((entry) => entry.name === name)?.value;
}

function noteEncoding({ encodings }: SdpMedia, rtpmap: string): void {
  const [, format, name, rate] = /^(\d+) ([^/\s]+)\/(\d+)/.exec(rtpmap) ?? [];
  if (format !== undefined && !encodings.has(format)) encodings.set(format, `${name}/${rate}`.toUpperCase());
}

/** RFC 3551 6. */
const STATIC = new Map([
  ['0', 'PCMU/8000'],
  ['8', 'PCMA/8000'],
  ['9', 'G722/8000'],
  ['13', 'CN/8000'],
]);

/** `name/rate` in upper case of a payload type, from a=rtpmap and the static table of RFC 3551 6. */
export function encodingOf({ encodings }: SdpMedia, format: string): string | null {
  return encodings.get(format) ?? STATIC.get(format) ?? null;
}

interface SdpHead {
  sessionId: string;
  version: number;
  address: string;
}

/** Writes a session with the given lines: each m= line, followed by its attributes. */
export function writeSdp({ sessionId, version, address }: SdpHead, mediaLines: readonly string[]): string {
  const family = address.includes(':') ? 'IP6' : 'IP4';
  const lines = [
    'v=0',
    `o=- ${sessionId} ${version} IN ${family} ${address}`,
    's=-',
    `c=IN ${family} ${address}`,
    't=0 0',
    ...mediaLines,
  ];
  return `${lines.join('\r\n')}\r\n`;
}
