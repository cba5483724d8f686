import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeWav, encodeWav, WAV_HEADER_BYTES, WavError, wavHeader, wavLayout } from '../../media/wav.ts';

const stereo = { sampleRateHz: 8000, channels: 2 };

test('a file comes back as it was written', () => {
  const samples = Int16Array.of(1, -1, 32767, -32768, 5, 6);
  const wav = decodeWav(encodeWav(stereo, samples));
  assert.equal(wav.sampleRateHz, 8000);
  assert.deepEqual(
    wav.channelsSamples.map((channel) => [...channel]),
    [
      [1, 32767, 5],
      [-1, -32768, 6],
    ],
  );
});

test('chunks may come in any order and of odd length', () => {
  const plain = encodeWav({ sampleRateHz: 16000, channels: 1 }, Int16Array.of(7, 8));
  const list = Buffer.from('LIST\x03\x00\x00\x00abc\x00', 'latin1');
  const file = Buffer.concat([plain.subarray(0, 12), list, plain.subarray(12)]);
  assert.deepEqual([...(decodeWav(file).channelsSamples[0] ?? [])], [7, 8]);
});

test('a file with an unfinished header is read by its length, whole blocks only', () => {
  for (const claimed of [0, 0xffffffff]) {
    const header = wavHeader(stereo, 0);
    header.writeUInt32LE(claimed, 40);
    const layout = wavLayout(header, WAV_HEADER_BYTES + 4003);
    assert.equal(layout.dataBytes, 4000);
  }
  assert.equal(wavLayout(wavHeader(stereo, 8000), WAV_HEADER_BYTES + 400).dataBytes, 400);
});

test('a file that is not PCM16 WAV is refused by code', () => {
  const code = (file: Buffer) => {
    try {
      decodeWav(file);
      return 'none';
    } catch (error) {
      return error instanceof WavError ? error.code : String(error);
    }
  };
  assert.equal(code(Buffer.from('ID3 this is an mp3')), 'WAV_NOT_RIFF');
  assert.equal(code(Buffer.alloc(0)), 'WAV_NOT_RIFF');
  const eightBit = wavHeader(stereo, 0);
  eightBit.writeUInt16LE(8, 34);
  assert.equal(code(eightBit), 'WAV_UNSUPPORTED');
  assert.equal(code(wavHeader(stereo, 0).subarray(0, 30)), 'WAV_TRUNCATED');
  assert.equal(code(wavHeader(stereo, 0).subarray(0, 36)), 'WAV_TRUNCATED');
});
