// The form of a speech server's audio. A server may ignore the format that it was asked for, and its label may be wrong
// too: the first bytes decide where a format has a mark of its own, else the headers, else the samples that were asked
// for. Sources: RFC 2586 and RFC 3190 (audio/L16, L8, L24), RFC 3551 (audio/basic), RFC 7845 (Ogg Opus), ISO 11172-3
// 2.4.1.3 (frames of MPEG audio), Microsoft's "Multimedia Programming Interface" (WAVE).

export type SampleForm = 'u8' | 's8' | 's16' | 's24' | 's32' | 'f32' | 'f64' | 'pcmu' | 'pcma';

/** Uncompressed samples, interleaved. */
export interface PcmFormat {
  kind: 'pcm';
  form: SampleForm;
  /** Null: the order that gives the smoother sound. RFC 2586 says the network's order, most servers send the other. */
  isLittleEndian: boolean | null;
  rateHz: number;
  channels: number;
  /** Bytes before the first sample. */
  skipBytes: number;
  /** Bytes of samples; null: until the end of the stream. */
  dataBytes: number | null;
}

export type SoundFormat =
  | PcmFormat
  | { kind: 'mp3' }
  | { kind: 'ogg-opus' }
  /** A format that nothing here decodes. `came` is for the log. */
  | { kind: 'unknown'; came: string };

export interface Sound {
  /** Mono. */
  samples: Int16Array;
  rateHz: number;
}

export interface SoundDecoder {
  /** @throws when the bytes are no such audio */
  take(chunk: Uint8Array): Sound;
  close(): void;
}

/** Longest beginning of a stream that is looked at: the header of a WAV file with a title and a picture. */
export const HEAD_MAX_BYTES = 65_536;

const RATE_HZ = { min: 4_000, max: 192_000 };
const CHANNELS_MAX = 8;

/** In the order in which they are tried: text in the body, where it stands, what it is. */
const MARKS: ReadonlyArray<[string, number, string]> = [
  ['fLaC', 0, 'FLAC'],
  ['ftyp', 4, 'MP4 or AAC in MP4'],
  ['\x1a\x45\xdf\xa3', 0, 'WebM'],
  ['FORM', 0, 'AIFF'],
  ['.snd', 0, 'an AU file'],
  ['caff', 0, 'Core Audio'],
  ['#!AMR', 0, 'AMR'],
  ['RIFX', 0, 'big-endian WAV'],
];

/**
 * The format of the stream that begins with `head`; null while more bytes are needed. `isAll` says that no more come.
 * @param askedHz rate of the PCM that was asked for
 */
export function soundFormat(head: Buffer, headers: Headers, askedHz: number, isAll: boolean): SoundFormat | null {
  const mark = (text: string, at = 0): boolean => head.toString('latin1', at, at + text.length) === text;
  if (head.length < 12 && !isAll) return null;
  if (mark('RIFF') || mark('RF64')) return wavFormat(head, isAll);
  if (mark('OggS')) return oggFormat(head, isAll);
  const marked = MARKS.find(([text, at]) => mark(text, at));
  if (marked) return unknown(marked[2]);
  const label = labelOf(headers);
  if (mark('ID3')) return { kind: 'mp3' };
  if (head[0] === 0xff) {
    const frames = mpegFrames(head, label.type);
    if (frames === 'mp3') return { kind: 'mp3' };
    if (frames === 'aac') return unknown('AAC');
    if (frames === 'open' && !isAll) return null;
  }
  return labelled(head, label, askedHz, isAll);
}

interface Label {
  type: string;
  parameters: ReadonlyMap<string, string>;
  headers: Headers;
}

function labelOf(headers: Headers): Label {
  const [type = '', ...rest] = (headers.get('content-type') ?? '').toLowerCase().split(';');
  const parameters = rest.map((pair) => pair.split('=', 2).map((part) => part.trim().replace(/^"|"$/g, '')));
  return {
    type: type.trim(),
    parameters: new Map(parameters.map(([name = '', value = '']) => [name, value])),
    headers,
  };
}

const COMPRESSED = /(mpeg|mp3|ogg|opus|aac|flac|webm|mp4|amr|vorbis)/;

/** Bytes without a mark of their own: by the label, and by the samples where the label names a compressed format. */
function labelled(head: Buffer, label: Label, askedHz: number, isAll: boolean): SoundFormat | null {
  const { type } = label;
  if (COMPRESSED.test(type)) {
    // Some servers give every answer one label. Samples of sound follow each other closely, compressed bytes do not.
    if (head.length < SMOOTH_BYTES && !isAll) return null;
    if (!isSmooth(head)) return unknown(type);
    return pcm({ form: 's16', isLittleEndian: true, rateHz: askedHz, channels: 1 });
  }
  const encoding = ['encoding', 'format', 'codec', 'codecs'].map((name) => label.parameters.get(name) ?? '').join(' ');
  const law = /mu-?law|ulaw|pcmu|audio\/basic/.test(`${type} ${encoding}`)
    ? 'pcmu'
    : /a-?law|pcma/.test(`${type} ${encoding}`)
      ? 'pcma'
      : null;
  const linear = /^audio\/(?:x-)?l(8|16|24)$/.exec(type)?.[1];
  const bits = linear ?? String(numberIn(label, /^(bits|bit-?depth|bits-?per-?sample|sample-?bits)$/) ?? 16);
  const isFloat = /float|f32|f64/.test(encoding);
  const form = law ?? (isFloat ? (/64/.test(encoding) ? 'f64' : 'f32') : LINEAR[bits]);
  const rateHz = numberIn(label, /^(rate|sample-?rate|sampling-?rate)(-hz)?$/) ?? (law === null ? askedHz : 8_000);
  if (form === undefined) return unknown(`PCM of ${bits} bits`);
  // RFC 2586 and 3190 mean the network's order, and many servers that say so send the other one.
  const isLittleEndian = linear !== undefined || /be\b/.test(encoding) ? null : true;
  return pcm({ form, isLittleEndian, rateHz, channels: numberIn(label, /^(channels|channel-?count)$/) ?? 1 });
}

const LINEAR: Readonly<Record<string, SampleForm>> = { 8: 'u8', 16: 's16', 24: 's24', 32: 's32' };

/** A parameter of the type, or a header that says the same: `X-Sample-Rate`, `X-Audio-Channels`. */
function numberIn({ parameters, headers }: Label, name: RegExp): number | null {
  for (const [key, value] of [...parameters, ...headers]) {
    const plain = key
      .toLowerCase()
      .replaceAll('_', '-')
      .replace(/^x-/, '')
      .replace(/^(audio|pcm|wav|output)-/, '');
    if (name.test(plain) && /^\d{1,6}$/.test(value.trim())) return Number(value);
  }
  return null;
}

function pcm(given: Omit<PcmFormat, 'kind' | 'skipBytes' | 'dataBytes'>, skipBytes = 0): SoundFormat {
  const { rateHz, channels } = given;
  // A filter for a rate that shares no factor with the telephone's would need many megabytes.
  const isRate = rateHz >= RATE_HZ.min && rateHz <= RATE_HZ.max && rateHz % 25 === 0;
  if (!isRate || channels < 1 || channels > CHANNELS_MAX) return unknown(`PCM of ${channels} channels at ${rateHz} Hz`);
  return { kind: 'pcm', ...given, skipBytes, dataBytes: null };
}

function unknown(came: string): SoundFormat {
  return { kind: 'unknown', came };
}

const WAV_FORMS: Readonly<Record<string, SampleForm>> = {
  '1/8': 'u8',
  '1/16': 's16',
  '1/24': 's24',
  '1/32': 's32',
  '3/32': 'f32',
  '3/64': 'f64',
  '6/8': 'pcma',
  '7/8': 'pcmu',
};
const EXTENSIBLE = 0xfffe;

function wavFormat(head: Buffer, isAll: boolean): SoundFormat | null {
  let found: SoundFormat | null = null;
  for (let at = 12; at + 8 <= head.length; ) {
    const id = head.toString('latin1', at, at + 4);
    const size = head.readUInt32LE(at + 4);
    const body = at + 8;
    if (id === 'fmt ') {
      if (body + Math.min(size, 40) > head.length) break;
      const tag = head.readUInt16LE(body);
      const bits = head.readUInt16LE(body + 14);
      const form = WAV_FORMS[`${tag === EXTENSIBLE && size >= 26 ? head.readUInt16LE(body + 24) : tag}/${bits}`];
      const [channels, rateHz] = [head.readUInt16LE(body + 2), head.readUInt32LE(body + 4)];
      found =
        form === undefined
          ? unknown(`WAV of format ${tag} with ${bits} bits`)
          : pcm({ form, isLittleEndian: true, rateHz, channels });
    } else if (id === 'data') {
      if (found?.kind !== 'pcm') return found ?? unknown('WAV without a format');
      // A server that streams does not know the length: 0 or the largest number.
      return { ...found, skipBytes: body, dataBytes: size === 0 || size >= 0x7fffffff ? null : size };
    }
    at = body + size + (size % 2);
  }
  return isAll || head.length >= HEAD_MAX_BYTES ? unknown('WAV without samples') : null;
}

function oggFormat(head: Buffer, isAll: boolean): SoundFormat | null {
  // RFC 3533: 27 bytes and the table of segments, then the first packet.
  const packet = 27 + (head[26] ?? 0);
  if (head.length < packet + 8) return isAll ? unknown('Ogg') : null;
  const name = head.toString('latin1', packet, packet + 8);
  if (name === 'OpusHead') return { kind: 'ogg-opus' };
  return unknown(name.includes('vorbis') ? 'Ogg Vorbis' : name.includes('FLAC') ? 'FLAC in Ogg' : 'Ogg');
}

/**
 * Frames of MPEG audio at the beginning. Two samples of PCM can look like the first header: another one has to stand
 * where the first frame ends, unless the label says MP3. `open`: the second one has not come yet.
 */
function mpegFrames(head: Buffer, type: string): 'mp3' | 'aac' | 'open' | 'none' {
  const isSync = (at: number): boolean => head[at] === 0xff && ((head[at + 1] ?? 0) & 0xe0) === 0xe0;
  if (!isSync(0)) return 'none';
  if (((head[1] ?? 0) & 0xf6) === 0xf0) {
    const next = (((head[3] ?? 0) & 3) << 11) | ((head[4] ?? 0) << 3) | ((head[5] ?? 0) >> 5);
    if (type.includes('aac')) return 'aac';
    if (next < 7) return 'none';
    return head.length < next + 2 ? 'open' : isSync(next) && ((head[next + 1] ?? 0) & 0xf6) === 0xf0 ? 'aac' : 'none';
  }
  const bytes = mpegFrameBytes(head);
  if (bytes === null) return 'none';
  if (/mpeg|mp3/.test(type)) return 'mp3';
  if (head.length < bytes + 4) return 'open';
  return mpegFrameBytes(head.subarray(bytes)) === null ? 'none' : 'mp3';
}

const KBPS_V1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const KBPS_V2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const RATES_V1 = [44_100, 48_000, 32_000];

/** Length of the layer III frame that begins here; null: none does. */
function mpegFrameBytes(head: Buffer): number | null {
  if (head.length < 4 || head[0] !== 0xff) return null;
  const [, second = 0, third = 0] = head;
  const version = (second >> 3) & 3;
  if ((second & 0xe0) !== 0xe0 || version === 1 || ((second >> 1) & 3) !== 1) return null;
  const kbps = (version === 3 ? KBPS_V1 : KBPS_V2)[third >> 4] ?? 0;
  const rateHz = (RATES_V1[(third >> 2) & 3] ?? 0) / (version === 3 ? 1 : version === 2 ? 2 : 4);
  if (kbps === 0 || rateHz === 0) return null;
  return Math.floor(((version === 3 ? 144_000 : 72_000) * kbps) / rateHz) + ((third >> 1) & 1);
}

const SMOOTH_BYTES = 2_048;
/** Of neighbouring samples; speech at 16 kHz and more has 0.7 to 0.99 over such a piece, compressed bytes have 0. */
const SMOOTH_MIN = 0.4;

function isSmooth(bytes: Buffer): boolean {
  let [product, square] = [0, 0];
  for (let at = 2; at + 1 < bytes.length; at += 2) {
    const sample = bytes.readInt16LE(at);
    product += sample * bytes.readInt16LE(at - 2);
    square += sample * sample;
  }
  return square === 0 || product / square > SMOOTH_MIN;
}

/** The order of bytes that makes the smoother sound; null while there is only silence. */
export function isSmootherLittleEndian(bytes: Buffer, sampleBytes: 2 | 3 | 4): boolean | null {
  const stepsOf = (read: (at: number) => number): number => {
    let steps = 0;
    for (let at = sampleBytes; at + sampleBytes <= bytes.length; at += sampleBytes)
      steps += Math.abs(read(at) - read(at - sampleBytes));
    return steps;
  };
  const little = stepsOf((at) => bytes.readIntLE(at, sampleBytes));
  const big = stepsOf((at) => bytes.readIntBE(at, sampleBytes));
  return little === 0 && big === 0 ? null : little <= big;
}
