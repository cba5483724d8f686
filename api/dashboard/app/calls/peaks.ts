// The outline of a recording: the loudest sample of each channel in each of a few hundred steps.

export interface Peaks {
  /** 0 to 1, one a step; the caller's channel, then the agent's. */
  caller: Float32Array;
  agent: Float32Array;
}

const PEAK_STEPS = 800;

export const emptyPeaks = (): Peaks => ({
  caller: new Float32Array(PEAK_STEPS),
  agent: new Float32Array(PEAK_STEPS),
});

/** Adds samples of one channel, beginning at sample `first` of `total`; they are `stride` apart in `samples`. */
export function addPeaks(
  peaks: Float32Array,
  samples: ArrayLike<number>,
  {
    offset,
    stride,
    first,
    total,
    full,
  }: { offset: number; stride: number; first: number; total: number; full: number },
): void {
  let index = first;
  for (let i = offset; i < samples.length; i += stride) {
    const step = Math.min(peaks.length - 1, Math.floor((index++ * peaks.length) / total));
    const level = Math.abs(samples[i] ?? 0) / full;
    if (level > (peaks[step] ?? 0)) peaks[step] = level;
  }
}

interface PcmLayout {
  channels: number;
  rateHz: number;
  dataAt: number;
  dataBytes: number;
}

/** The position of the samples in a 16-bit PCM WAV; null for anything else. */
export function pcmLayout(head: DataView, fileBytes: number): PcmLayout | null {
  if (head.byteLength < 44 || tag(head, 0) !== 'RIFF' || tag(head, 8) !== 'WAVE') return null;
  let format: Pick<PcmLayout, 'channels' | 'rateHz'> | null = null;
  for (let at = 12; at + 8 <= head.byteLength; ) {
    const name = tag(head, at);
    const bytes = head.getUint32(at + 4, true);
    if (name === 'fmt ') {
      if (head.getUint16(at + 8, true) !== 1 || head.getUint16(at + 22, true) !== 16) return null;
      format = { channels: head.getUint16(at + 10, true), rateHz: head.getUint32(at + 12, true) };
    }
    if (name === 'data' && format !== null) {
      return { ...format, dataAt: at + 8, dataBytes: Math.min(bytes, fileBytes - at - 8) };
    }
    at += 8 + bytes + (bytes % 2);
  }
  return null;
}

const tag = (view: DataView, at: number): string =>
  String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));
