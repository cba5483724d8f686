// The speech of simulated callers: text spoken by a local voice at 8 kHz, trimmed to the sound itself, so that "last
// speech frame sent" is exact and not the voice's trailing silence.
import { joinSamples } from '../../../media/frame.ts';
import { Resampler } from '../../../media/resample.ts';
import type { TtsEngine } from '../../../models/tts/tts.ts';
import { voiceEngine } from './voice.ts';

/** Frames quieter than this RMS at the ends of a clip are trimmed. */
const EDGE_RMS = 150;
const FRAME = 160;

/** PCM16 at 8 kHz. @throws {TtsError} for an unknown voice */
export async function renderSpeech(text: string, voiceId: string): Promise<Int16Array> {
  const engine = await voiceEngine(voiceId, process.env);
  const samples = await speechBy(engine, text, voiceId);
  await engine.close();
  return samples;
}

/** The same by an engine that is open. */
export async function speechBy(engine: TtsEngine, text: string, voiceId: string): Promise<Int16Array> {
  const pieces: Int16Array[] = [];
  const { signal } = new AbortController();
  await engine.speak(
    { text, voiceId, speed: 1, pace: 'talk', sampleRateHz: 8_000 },
    { signal, onAudio: (samples) => pieces.push(samples.slice()) },
  );
  return trimSilence(joinSamples(pieces));
}

/** Resamples a whole clip. */
export function resampleWhole(samples: Int16Array, fromHz: number, toHz: number): Int16Array {
  const resampler = new Resampler(fromHz, toHz);
  const out = new Int16Array(resampler.maxOutput(samples.length));
  return out.slice(0, resampler.process(samples, out));
}

/** Trims quiet frames at both ends; the result is a whole number of 20 ms frames. */
export function trimSilence(samples: Int16Array): Int16Array {
  const frames = Math.floor(samples.length / FRAME);
  const isLoud = (index: number): boolean => {
    let energy = 0;
    for (const sample of samples.subarray(index * FRAME, (index + 1) * FRAME)) energy += sample * sample;
    return Math.sqrt(energy / FRAME) > EDGE_RMS;
  };
  let first = 0;
  while (first < frames && !isLoud(first)) first++;
  let last = frames - 1;
  while (last > first && !isLoud(last)) last--;
  return samples.slice(first * FRAME, (last + 1) * FRAME);
}
