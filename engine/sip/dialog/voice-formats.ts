// Codecs, telephone events and comfort noise in SDP (RFC 3551 6, RFC 7587 6.1, RFC 4733 2.4.1), with their payload
// types.
import { CODEC_RATES } from '../../../media/rtp/voice-codec.ts';
import type { AudioCodec, NegotiatedAudio } from '../telephony.ts';

interface CodecFormat {
  /** Value of a=rtpmap. */
  map: string;
  /** The static payload type, or the usual one for a dynamic type. */
  payloadType: number;
  /** Value of a=fmtp: the parameters that we ask for. */
  parameters: string | null;
}

const FORMATS: Readonly<Record<AudioCodec, CodecFormat>> = {
  PCMU: { map: 'PCMU/8000', payloadType: 0, parameters: null },
  PCMA: { map: 'PCMA/8000', payloadType: 8, parameters: null },
  G722: { map: 'G722/8000', payloadType: 9, parameters: null },
  // We use only mono at 16 kHz, so the peer need not send more. `/2` belongs to the encoding name, even for mono.
  OPUS: {
    map: 'opus/48000/2',
    payloadType: 111,
    parameters: 'maxplaybackrate=16000;sprop-maxcapturerate=16000;useinbandfec=1',
  },
};

const CODEC_OF_ENCODING = new Map<string, AudioCodec>([
  ['PCMU/8000', 'PCMU'],
  ['PCMA/8000', 'PCMA'],
  ['G722/8000', 'G722'],
  ['OPUS/48000', 'OPUS'],
]);

/** Usual payload types of RFC 4733 events by clock; in an answer we keep the offerer's. */
const EVENT_TYPES = { 8000: 101, 48000: 110 } as const;
type EventClock = keyof typeof EVENT_TYPES;
const FIRST_DYNAMIC_TYPE = 96;

export interface VoiceFormat {
  codec: AudioCodec;
  format: string;
}

export interface EventFormat {
  format: string;
  clockHz: EventClock;
}

/** The codec of a `name/rate`; null if we do not support it. */
export function codecOf(encoding: string | null): AudioCodec | null {
  return CODEC_OF_ENCODING.get(encoding ?? '') ?? null;
}

export function isWideband(codec: AudioCodec): boolean {
  return CODEC_RATES[codec].sampleRateHz > 8_000;
}

/**
 * RFC 4733 2.1: events have the clock of the codec beside them. Many telephones support only 8,000, also beside Opus.
 */
export function eventClocksFor(codec: AudioCodec): readonly EventClock[] {
  return CODEC_RATES[codec].clockRateHz === 48_000 ? [48_000, 8_000] : [8_000];
}

/**
 * Our codecs for an offer. Codecs of a running session's bandwidth come first and keep its payload types, so that a
 * refresh changes nothing.
 */
export function offeredFormats(
  codecs: readonly AudioCodec[],
  running: NegotiatedAudio | null,
): { voice: VoiceFormat[]; events: EventFormat[] } {
  const taken = new Set<number>();
  for (const type of [running?.payloadType, running?.telephoneEventPayloadType, running?.comfortNoisePayloadType]) {
    if (type !== undefined && type !== null) taken.add(type);
  }
  const take = (usual: number): string => {
    let type = usual;
    for (let next = FIRST_DYNAMIC_TYPE; taken.has(type) && next < 128; next++) type = next;
    taken.add(type);
    return String(type);
  };
  const isLater = (codec: AudioCodec): boolean =>
    running !== null && (isWideband(running.codec) ? codec !== running.codec : isWideband(codec));
  const order = [...codecs].sort((a, b) => Number(isLater(a)) - Number(isLater(b)));
  const voice = order.map((codec) => ({
    codec,
    format: codec === running?.codec ? String(running.payloadType) : take(FORMATS[codec].payloadType),
  }));
  const clocks = [...new Set(order.map((codec): EventClock => CODEC_RATES[codec].clockRateHz))];
  const runningType = running?.telephoneEventPayloadType ?? null;
  const runningClock = running?.telephoneEventClockHz ?? 8_000;
  const events = clocks.map((clockHz) => ({
    clockHz,
    format: runningType !== null && clockHz === runningClock ? String(runningType) : take(EVENT_TYPES[clockHz]),
  }));
  return { voice, events };
}

/** The payload types of the m= line, and the attributes that describe them. */
export function describeFormats(
  voice: readonly VoiceFormat[],
  events: readonly EventFormat[],
  noise: string | null,
): { formats: string[]; lines: string[] } {
  const formats = voice.map(({ format }) => format);
  const lines: string[] = [];
  for (const { codec, format } of voice) {
    const { map, parameters } = FORMATS[codec];
    lines.push(`a=rtpmap:${format} ${map}`);
    if (parameters !== null) lines.push(`a=fmtp:${format} ${parameters}`);
  }
  if (noise !== null) {
    formats.push(noise);
    lines.push(`a=rtpmap:${noise} CN/8000`);
  }
  for (const { format, clockHz } of events) {
    formats.push(format);
    lines.push(`a=rtpmap:${format} telephone-event/${clockHz}`, `a=fmtp:${format} 0-15`);
  }
  return { formats, lines };
}
