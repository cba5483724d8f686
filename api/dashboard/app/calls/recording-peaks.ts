// Computes the peaks of a loaded recording piece by piece, so that the page stays responsive.
import { addPeaks, emptyPeaks, type Peaks, pcmLayout } from './peaks.ts';

const HEAD_BYTES = 4_096;
/** A multiple of four: whole frames of two channels. */
const PIECE_BYTES = 1 << 20;
/** Enough for an outline, and little memory for an hour. */
const DECODED_RATE_HZ = 8_000;

/** Null if the browser cannot decode it. */
export async function recordingPeaks(recording: Blob): Promise<Peaks | null> {
  const layout = pcmLayout(new DataView(await recording.slice(0, HEAD_BYTES).arrayBuffer()), recording.size);
  if (layout === null) return decodedPeaks(recording);
  const { channels, dataAt, dataBytes } = layout;
  const peaks = emptyPeaks();
  const total = Math.floor(dataBytes / (2 * channels));
  for (let at = 0; at < dataBytes; at += PIECE_BYTES) {
    const bytes = Math.min(PIECE_BYTES, dataBytes - at);
    const piece = await recording.slice(dataAt + at, dataAt + at + bytes - (bytes % 2)).arrayBuffer();
    const samples = new Int16Array(piece);
    const common = { stride: channels, first: at / (2 * channels), total, full: 32_768 };
    addPeaks(peaks.caller, samples, { ...common, offset: 0 });
    addPeaks(peaks.agent, samples, { ...common, offset: channels - 1 });
  }
  return peaks;
}

/** An MP3: the browser decodes it on another thread. */
async function decodedPeaks(recording: Blob): Promise<Peaks | null> {
  const context = new OfflineAudioContext(2, 1, DECODED_RATE_HZ);
  const audio = await context.decodeAudioData(await recording.arrayBuffer()).catch(() => null);
  if (audio === null) return null;
  const peaks = emptyPeaks();
  for (const [channel, target] of [
    [0, peaks.caller],
    [audio.numberOfChannels - 1, peaks.agent],
  ] as const) {
    const samples = audio.getChannelData(channel);
    for (let at = 0; at < samples.length; at += PIECE_BYTES) {
      const piece = samples.subarray(at, at + PIECE_BYTES);
      addPeaks(target, piece, { offset: 0, stride: 1, first: at, total: samples.length, full: 1 });
      await new Promise((resolve) => setTimeout(resolve));
    }
  }
  return peaks;
}
