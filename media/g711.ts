// G.711 µ-law and A-law, bit-exact with the ITU-T software tool library (G.191) over all 65,536 inputs. Both directions
// are table look-ups (64 KiB per law for encoding), because the encoder runs for every sample of every call.

export type Law = 'pcmu' | 'pcma';

// Magnitudes use the one's complement of negatives, as G.191 does: the common `-x` differs for 127 inputs.
function encodeMuLaw(sample: number): number {
  const magnitude = Math.min(((sample < 0 ? ~sample : sample) >> 2) + 33, 0x1fff);
  let segment = 1;
  for (let rest = magnitude >> 6; rest > 0; rest >>= 1) segment++;
  const code = ((8 - segment) << 4) | (0xf - ((magnitude >> segment) & 0xf));
  return sample < 0 ? code : code | 0x80;
}

function decodeMuLaw(code: number): number {
  const inverted = ~code & 0xff;
  const exponent = (inverted >> 4) & 7;
  const magnitude = (((inverted & 0xf) << 1) + 33) << exponent;
  const sample = (magnitude - 33) << 2;
  return inverted & 0x80 ? -sample : sample;
}

function encodeALaw(sample: number): number {
  let code = (sample < 0 ? ~sample : sample) >> 4;
  if (code > 15) {
    let exponent = 1;
    while (code > 31) {
      code >>= 1;
      exponent++;
    }
    code = code - 16 + (exponent << 4);
  }
  return (sample < 0 ? code : code | 0x80) ^ 0x55;
}

function decodeALaw(code: number): number {
  const plain = code ^ 0x55;
  const exponent = (plain >> 4) & 7;
  let magnitude = ((plain & 0xf) << 4) + 8;
  if (exponent > 0) magnitude = (magnitude + 256) << (exponent - 1);
  return plain & 0x80 ? magnitude : -magnitude;
}

function encodeTable(encode: (sample: number) => number): Uint8Array {
  const table = new Uint8Array(65536);
  for (let sample = -32768; sample < 32768; sample++) table[sample & 0xffff] = encode(sample);
  return table;
}

const encodeTables = { pcmu: encodeTable(encodeMuLaw), pcma: encodeTable(encodeALaw) };
const decodeTables = {
  pcmu: Int16Array.from({ length: 256 }, (_, code) => decodeMuLaw(code)),
  pcma: Int16Array.from({ length: 256 }, (_, code) => decodeALaw(code)),
};

/**
 * Encodes `samples` (16-bit linear) into `out` from `outOffset`, one byte per sample (ITU-T G.711, rounding as G.191).
 * `out` must have room for `samples.length` bytes from `outOffset`.
 */
export function encodeG711(law: Law, samples: Int16Array, out: Uint8Array, outOffset = 0): void {
  const table = encodeTables[law];
  for (let i = 0; i < samples.length; i++) out[outOffset + i] = table[(samples[i] as number) & 0xffff] as number;
}

/**
 * Decodes `count` G.711 bytes of `codes` from `codesOffset` into the first `count` samples of `out`, as 16-bit linear
 * samples (ITU-T G.711, values as G.191).
 */
export function decodeG711(law: Law, codes: Uint8Array, codesOffset: number, count: number, out: Int16Array): void {
  const table = decodeTables[law];
  for (let i = 0; i < count; i++) out[i] = table[codes[codesOffset + i] as number] as number;
}
