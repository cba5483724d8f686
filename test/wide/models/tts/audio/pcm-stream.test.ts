// Speech servers that ignore the format they were asked for: a caller hears the same tone at its own pitch, or the
// failure says what came.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Mp3Encoder } from '@breezystack/lamejs';
import { createEncoder } from 'libopus-wasm';
import { encodeG711 } from '../../../../../media/g711.ts';
import { readPcm } from '../../../../../models/tts/audio/pcm-stream.ts';
import { readVendor } from '../../../../../models/vendors/vendor.ts';
import { TTS_VENDORS } from '../../../../../models/vendors/vendors.ts';

const TONE_HZ = 440;
const SECONDS = 1;
const ASKED_HZ = 24_000;
const LINE_HZ = 8_000;
const vendor = readVendor({ TTS_API_KEY: 'k' }, TTS_VENDORS.openai);

function tone(rateHz: number, channels = 1, level = 8_000): Int16Array {
  const samples = new Int16Array(rateHz * SECONDS * channels);
  for (let n = 0; n < samples.length; n++)
    samples[n] = Math.round(level * Math.sin((2 * Math.PI * TONE_HZ * Math.floor(n / channels)) / rateHz));
  return samples;
}

function bytesOf(samples: Int16Array): Buffer {
  return Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
}

function swapped(samples: Int16Array): Buffer {
  return Buffer.from(bytesOf(samples)).swap16();
}

function wav(tag: number, bits: number, rateHz: number, channels: number, data: Buffer, sizes = data.length): Buffer {
  const isExtensible = tag === 0xfffe;
  const format = Buffer.alloc(isExtensible ? 40 : 16);
  format.writeUInt16LE(tag, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(rateHz, 4);
  format.writeUInt16LE(bits, 14);
  if (isExtensible) format.writeUInt16LE(3, 24);
  const chunk = (id: string, body: Buffer, size = body.length): Buffer => {
    const head = Buffer.alloc(8);
    head.write(id, 0, 'latin1');
    head.writeUInt32LE(size, 4);
    return Buffer.concat([head, body]);
  };
  const list = chunk('LIST', Buffer.from('INFOISFT\x0e\0\0\0Lavf60.16.100\0'));
  return Buffer.concat([
    Buffer.from('RIFF\xff\xff\xff\xffWAVE', 'latin1'),
    chunk('fmt ', format),
    list,
    chunk('data', data, sizes),
  ]);
}

function floats(samples: Int16Array): Buffer {
  return Buffer.from(Float32Array.from(samples, (sample) => sample / 32_768).buffer);
}

function mp3(rateHz: number, channels: number, kbps: number): Buffer {
  const encoder = new Mp3Encoder(channels, rateHz, kbps);
  const samples = tone(rateHz);
  const body = channels === 1 ? encoder.encodeBuffer(samples) : encoder.encodeBuffer(samples, samples);
  return Buffer.concat([Buffer.from(body), Buffer.from(encoder.flush())]);
}

/** RFC 7845 over RFC 3533, without checksums. */
async function oggOpus(channels: 1 | 2, name = 'OpusHead'): Promise<Buffer> {
  const encoder = await createEncoder({ sampleRate: 48_000, channels });
  const samples = tone(48_000, channels);
  const packets = [Buffer.from(`${name}\x01${String.fromCharCode(channels)}\x38\x01\x80\xbb\0\0\0\0\0`, 'latin1')];
  packets.push(Buffer.concat([Buffer.from('OpusTags'), Buffer.alloc(700)]));
  for (let at = 0; at + 960 * channels <= samples.length; at += 960 * channels)
    packets.push(Buffer.from(encoder.encode(samples.subarray(at, at + 960 * channels))));
  encoder.free();
  return Buffer.concat(
    packets.map((packet) => {
      const table = [...new Array(Math.floor(packet.length / 255)).fill(255), packet.length % 255];
      const head = Buffer.alloc(27);
      head.write('OggS', 0, 'latin1');
      head[26] = table.length;
      return Buffer.concat([head, Buffer.from(table), packet]);
    }),
  );
}

async function heard(body: Buffer, headers: Record<string, string>, chunkBytes = 1_001): Promise<Int16Array> {
  const pieces: Int16Array[] = [];
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < body.length; at += chunkBytes) controller.enqueue(body.subarray(at, at + chunkBytes));
      controller.close();
    },
  });
  const sink = { signal: new AbortController().signal, onAudio: (samples: Int16Array) => void pieces.push(samples) };
  await readPcm(vendor, new Response(stream, { headers }), { fromHz: ASKED_HZ, toHz: LINE_HZ }, sink);
  return Int16Array.from(pieces.flatMap((piece) => [...piece]));
}

function assertTone(samples: Int16Array): void {
  const seconds = samples.length / LINE_HZ;
  assert.ok(Math.abs(seconds - SECONDS) < 0.12, `${seconds} s`);
  const middle = samples.subarray(samples.length / 4, (samples.length * 3) / 4);
  const crossings = middle.reduce(
    (sum, sample, n) => sum + (n > 0 && sample >= 0 !== (middle[n - 1] ?? 0) >= 0 ? 1 : 0),
    0,
  );
  const pitchHz = crossings / 2 / (middle.length / LINE_HZ);
  assert.ok(Math.abs(pitchHz - TONE_HZ) < 8, `${pitchHz} Hz`);
  const level = Math.sqrt(middle.reduce((sum, sample) => sum + sample ** 2, 0) / middle.length);
  assert.ok(Math.abs(level / (8_000 / Math.SQRT2) - 1) < 0.15, `level ${level}`);
}

const law = (name: 'pcmu' | 'pcma', rateHz: number): Buffer => {
  const codes = Buffer.alloc(rateHz * SECONDS);
  encodeG711(name, tone(rateHz), codes);
  return codes;
};
const bytes8 = (rateHz: number): Buffer => Buffer.from(tone(rateHz).map((sample) => (sample >> 8) + 128));
const behind = Buffer.concat([wav(1, 16, 24_000, 1, bytesOf(tone(24_000))), Buffer.alloc(24_000, 0x77)]);
/** Its first samples look like the header of a frame of MP3. */
const likeMp3 = Buffer.concat([Buffer.from([0xff, 0xf3, 0x44, 0xc4]), bytesOf(tone(24_000))]);

const SENT: Record<string, [Buffer | Promise<Buffer>, Record<string, string>]> = {
  'the PCM that was asked for': [bytesOf(tone(24_000)), { 'content-type': 'audio/pcm' }],
  'PCM without a label': [bytesOf(tone(24_000)), {}],
  'PCM labelled as MP3': [bytesOf(tone(24_000)), { 'content-type': 'audio/mpeg' }],
  'PCM that begins like MP3': [likeMp3, { 'content-type': 'audio/pcm' }],
  'PCM with its rate in the type': [bytesOf(tone(16_000)), { 'content-type': 'audio/pcm; rate=16000' }],
  'PCM with its rate in a header': [bytesOf(tone(16_000)), { 'content-type': 'audio/pcm', 'x-sample-rate': '16000' }],
  'PCM with rate and channels in headers': [
    bytesOf(tone(44_100, 2)),
    { 'content-type': 'application/octet-stream', 'X-Audio-Sample-Rate': '44100', 'X-Audio-Channels': '2' },
  ],
  'PCM of 8 bits by a header': [bytes8(24_000), { 'content-type': 'audio/pcm', 'x-bit-depth': '8' }],
  'PCM of floats': [floats(tone(24_000)), { 'content-type': 'audio/pcm;encoding=float32' }],
  'L16 as the RFC has it': [swapped(tone(16_000)), { 'content-type': 'audio/L16;rate=16000' }],
  'L16 as most send it': [bytesOf(tone(16_000)), { 'content-type': 'audio/L16;codec=pcm;rate=16000' }],
  'mu-law by its type': [law('pcmu', 8_000), { 'content-type': 'audio/basic' }],
  'A-law with a rate': [law('pcma', 16_000), { 'content-type': 'audio/pcma;rate=16000' }],
  'WAV at another rate': [wav(1, 16, 22_050, 1, bytesOf(tone(22_050))), { 'content-type': 'audio/wav' }],
  'WAV under a wrong label': [wav(1, 16, 16_000, 1, bytesOf(tone(16_000))), { 'content-type': 'audio/mpeg' }],
  'WAV in stereo': [wav(1, 16, 48_000, 2, bytesOf(tone(48_000, 2))), { 'content-type': 'audio/x-wav' }],
  'WAV of unknown length': [wav(1, 16, 24_000, 1, bytesOf(tone(24_000)), 0xffffffff), { 'content-type': 'audio/wav' }],
  'WAV with a chunk behind its samples': [behind, { 'content-type': 'audio/wav' }],
  'WAV of 8 bits': [wav(1, 8, 24_000, 1, bytes8(24_000)), { 'content-type': 'audio/wav' }],
  'WAV of floats': [wav(3, 32, 24_000, 1, floats(tone(24_000))), { 'content-type': 'audio/wav' }],
  'WAV of floats, extensible': [wav(0xfffe, 32, 24_000, 2, floats(tone(24_000, 2))), { 'content-type': 'audio/wav' }],
  'WAV of mu-law': [wav(7, 8, 8_000, 1, law('pcmu', 8_000)), { 'content-type': 'audio/wav' }],
  MP3: [mp3(24_000, 1, 48), { 'content-type': 'audio/mpeg' }],
  'MP3 labelled as PCM': [mp3(44_100, 2, 128), { 'content-type': 'audio/pcm' }],
  'MP3 with a title': [
    Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\x0aTIT2\0\0\0\0\0\0', 'latin1'), mp3(22_050, 1, 64)]),
    { 'content-type': 'application/octet-stream' },
  ],
  'Opus in Ogg': [oggOpus(1), { 'content-type': 'audio/ogg' }],
  'Opus in Ogg, stereo, labelled as PCM': [oggOpus(2), { 'content-type': 'audio/pcm' }],
};

for (const [name, [body, headers]] of Object.entries(SENT)) {
  test(`${name} is heard at its own pitch and length`, async () => {
    const sent = await body;
    assertTone(await heard(sent, headers));
    assertTone(await heard(sent, headers, 77));
    assertTone(await heard(sent, headers, sent.length));
  });
}

const adts = Buffer.concat(
  new Array(4).fill(Buffer.concat([Buffer.from([0xff, 0xf1, 0x50, 0x80, 0x0c, 0x80, 0xfc]), Buffer.alloc(93, 0x5a)])),
);
const REFUSED: Record<string, [Buffer | Promise<Buffer>, string, RegExp]> = {
  FLAC: [Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(4_000, 0x35)]), 'audio/pcm', /FLAC/],
  AAC: [adts, 'audio/pcm', /AAC/],
  MP4: [Buffer.from('\0\0\0\x20ftypM4A \0\0\0\0M4A mp42'), 'audio/mp4', /MP4/],
  WebM: [Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), Buffer.alloc(4_000, 9)]), 'audio/webm', /WebM/],
  Vorbis: [oggOpus(1, '\x01vorbis '), 'audio/ogg', /Vorbis/],
  'WAV of ADPCM': [wav(2, 4, 24_000, 1, Buffer.alloc(4_000, 0x35)), 'audio/wav', /format 2 with 4 bits/],
  'a rate of nonsense': [bytesOf(tone(24_000)), 'audio/pcm;rate=23999', /23999 Hz/],
  'no compressed sound that is known': [
    Buffer.from(Array.from({ length: 4_000 }, (_, n) => (n * n * 31 + n * 17 + ((n * 7_919) % 251)) & 255)),
    'audio/aac',
    /audio\/aac/,
  ],
  'a page': [Buffer.from('<html>'), 'text/html', /text\/html/],
};

for (const [name, [body, type, said]] of Object.entries(REFUSED)) {
  test(`${name} is refused, and the failure says what came`, async () => {
    await assert.rejects(heard(await body, { 'content-type': type }), said);
  });
}

test('a stream that ends within its first bytes is no sound and no crash', async () => {
  assert.equal((await heard(Buffer.alloc(0), { 'content-type': 'audio/pcm' })).length, 0);
  assert.ok((await heard(Buffer.alloc(6), { 'content-type': 'audio/pcm' })).every((sample) => sample === 0));
  await assert.rejects(heard(Buffer.from('RIFF\0\0'), { 'content-type': 'audio/wav' }), /WAV without samples/);
});
