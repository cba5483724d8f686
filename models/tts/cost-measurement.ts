// Lets a voice say one text as on a call, to learn what it costs on this machine.
import { factorOf, type MeasurementClocks } from '../workers/cost-measurement.ts';
import type { TtsEngine } from './tts.ts';

const RATE_HZ = 8_000;
const TEXT = 'Thank you for calling. How can I help you today?';

/**
 * Seconds of one core per second of speech; null when the trial was disturbed.
 * @throws the engine's own error
 */
export async function ttsFactor(
  engine: TtsEngine,
  isDisturbed: () => boolean,
  clocks?: MeasurementClocks,
): Promise<number | null> {
  const abort = new AbortController();
  const [voice] = engine.voices;
  const request = { text: TEXT, voiceId: voice?.id ?? engine.name, speed: 1, sampleRateHz: RATE_HZ };
  return factorOf(async () => {
    let samples = 0;
    await engine.speak(voice ? { ...request, language: voice.language } : request, {
      signal: abort.signal,
      onAudio(block) {
        samples += block.length;
        if (isDisturbed()) abort.abort();
      },
    });
    return isDisturbed() ? null : (samples * 1_000) / RATE_HZ;
  }, clocks);
}
