// A frame is the unit of audio in a call: 20 ms of mono 16-bit samples at the call's rate (8 kHz on the phone, 16 kHz
// in the browser).

export const FRAME_MS = 20;

/** Samples in one 20 ms frame at `sampleRateHz`. */
export function frameSamples(sampleRateHz: number): number {
  return (sampleRateHz * FRAME_MS) / 1000;
}

/** Whole samples in `durationMs` at `sampleRateHz`. */
export function msToSamples(durationMs: number, sampleRateHz: number): number {
  return Math.round((durationMs * sampleRateHz) / 1000);
}

/** Root mean square of 16-bit samples, 0..32768. */
export function rms(samples: Int16Array): number {
  if (samples.length === 0) return 0;
  let sum = 0;
  for (let i = 0; i < samples.length; i++) {
    const sample = samples[i] as number;
    sum += sample * sample;
  }
  return Math.sqrt(sum / samples.length);
}

/**
 * PCM16 little-endian bytes as samples, sharing memory if the bytes are 2-aligned, else copied. An odd last byte is
 * ignored.
 */
export function bytesToSamples(bytes: Uint8Array): Int16Array {
  const count = bytes.byteLength >> 1;
  if ((bytes.byteOffset & 1) === 0) return new Int16Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, count);
  // Not `bytes.slice`: a Buffer's slice shares its memory.
  const aligned = new Int16Array(count);
  samplesToBytes(aligned).set(bytes.subarray(0, count * 2));
  return aligned;
}

/** Samples as PCM16 little-endian bytes, sharing memory; all supported machines are little-endian. */
export function samplesToBytes(samples: Int16Array): Uint8Array {
  return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
}

/** The samples of all pieces in one array. */
export function joinSamples(pieces: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
