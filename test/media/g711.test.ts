import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { decodeG711, encodeG711, type Law } from '../../media/g711.ts';

// The reference is built from the tables of Recommendation G.711, not from bit arithmetic: the decision values of a
// segment are 2^k apart, and a code is the number of decision values that the magnitude reaches.

/** Upper decision values of the 128 intervals of one sign, in units of the law's own resolution (14 and 13 bits). */
function decisionValues(law: Law): number[] {
  const values: number[] = [];
  if (law === 'pcmu') {
    // Table 2a: 1, 3, 5 … 31, then 35 … 95 by 4, 103 … 223 by 8, up to 8159.
    let value = 1;
    values.push(value);
    for (let segment = 0; segment < 8; segment++) {
      for (let step = 0; step < (segment === 0 ? 15 : 16); step++) {
        value += 2 ** (segment + 1);
        values.push(value);
      }
    }
  } else {
    // Table 1a: 2, 4 … 64 by 2 (two segments), then 16 intervals a segment, each twice as wide: up to 4096.
    let value = 0;
    for (let segment = 0; segment < 8; segment++) {
      for (let step = 0; step < 16; step++) {
        value += segment === 0 ? 2 : 2 ** segment;
        values.push(value);
      }
    }
  }
  return values;
}

function referenceCodes(law: Law): Uint8Array {
  const limits = decisionValues(law);
  assert.equal(limits.length, 128);
  assert.equal(limits[127], law === 'pcmu' ? 8159 : 4096);
  const codes = new Uint8Array(65536);
  for (let sample = -32768; sample < 32768; sample++) {
    // 16-bit input as G.191 takes it: one's complement of negatives, then µ-law's 14 and A-law's 13 bits.
    const magnitude = sample < 0 ? -1 - sample : sample;
    const units = Math.floor(magnitude / (law === 'pcmu' ? 4 : 8));
    const interval = Math.min(127, limits.filter((limit) => units >= limit).length);
    // Character signals: µ-law inverts all bits of the interval's number, A-law every other one.
    const code =
      law === 'pcmu' ? (sample < 0 ? 0 : 0x80) + (127 - interval) : ((sample < 0 ? 0 : 0x80) + interval) ^ 0x55;
    codes[sample + 32768] = code;
  }
  return codes;
}

function allSamples(): Int16Array {
  return Int16Array.from({ length: 65536 }, (_, i) => i - 32768);
}

// SHA-256 of the 65,536 codes for -32768 … 32767, computed once from the tables above.
const CHECKSUMS = {
  pcmu: '90c29de505fb68e766118303bd552a16005dcf810873698bee1d8f3b247ce28c',
  pcma: '38488f6fd710f4686360edc4d38639f96c491595ef93f8eb8d62d5e07ca6ce7b',
};

for (const law of ['pcmu', 'pcma'] as const) {
  test(`${law}: all 65,536 inputs are coded as in the ITU's tables`, () => {
    const expected = referenceCodes(law);
    assert.equal(createHash('sha256').update(expected).digest('hex'), CHECKSUMS[law]);
    const codes = new Uint8Array(65536);
    encodeG711(law, allSamples(), codes);
    const wrong = codes.reduce((count, code, i) => count + (code === expected[i] ? 0 : 1), 0);
    assert.equal(wrong, 0);
  });

  test(`${law}: each code decodes to the middle of its interval, and codes again to itself`, () => {
    const limits = [0, ...decisionValues(law)];
    const shift = law === 'pcmu' ? 4 : 8;
    const codes = Uint8Array.from({ length: 256 }, (_, code) => code);
    const samples = new Int16Array(256);
    decodeG711(law, codes, 0, 256, samples);
    for (let code = 0; code < 256; code++) {
      const interval = law === 'pcmu' ? 127 - (code & 0x7f) : (code ^ 0x55) & 0x7f;
      const positive = ((law === 'pcmu' ? code : code ^ 0x55) & 0x80) !== 0;
      const low = limits[interval] as number;
      const high = limits[interval + 1] as number;
      const middle = law === 'pcmu' && interval === 0 ? 0 : ((low + high) / 2) * shift;
      assert.equal(Math.abs(samples[code] as number), middle, `code ${code}`);
      if (middle > 0) assert.equal((samples[code] as number) > 0, positive, `sign of ${code}`);
    }
    const again = new Uint8Array(256);
    encodeG711(law, samples, again);
    for (let code = 0; code < 256; code++) {
      // µ-law has two zeros; the negative one comes back as the positive.
      assert.equal(again[code], law === 'pcmu' && code === 0x7f ? 0xff : code);
    }
  });
}

test('decoding and encoding at an offset leaves the rest alone', () => {
  const out = new Uint8Array(6).fill(1);
  encodeG711('pcmu', Int16Array.of(0, 0), out, 2);
  assert.deepEqual([...out], [1, 1, 255, 255, 1, 1]);
  const samples = new Int16Array(4).fill(7);
  decodeG711('pcma', Uint8Array.of(0, 0xd5, 0), 1, 1, samples);
  assert.deepEqual([...samples], [8, 7, 7, 7]);
});
