// Voices of remote engines. Their ids are `ENGINE:VOICE`.
import type { Voice } from './tts.ts';

const OPENAI_RATE_HZ = 24_000;

/**
 * The vendor's API has no list. Gender as most listeners hear it. Source: guide "Text to speech", read 2026-11.
 */
export const OPENAI_VOICES: readonly Voice[] = (
  [
    ['alloy', 'neutral'],
    ['ash', 'male'],
    ['ballad', 'male'],
    ['cedar', 'male'],
    ['coral', 'female'],
    ['echo', 'male'],
    ['fable', 'neutral'],
    ['marin', 'female'],
    ['nova', 'female'],
    ['onyx', 'male'],
    ['sage', 'female'],
    ['shimmer', 'female'],
    ['verse', 'male'],
  ] as const
).map(([name, gender]) => remoteVoice('openai', name, OPENAI_RATE_HZ, gender));

/** A voice of every account of the vendor; the vendor's examples use it. */
export const ELEVENLABS_EXAMPLE_VOICE: Voice = remoteVoice('elevenlabs', 'JBFqnCBsd6RMkjVDRZzb', 16_000, 'male', {
  name: 'George',
  language: 'en-GB',
});

/** The voices that `TTS_VOICES` names; null if it is not set. */
export function voicesOf(list: string | undefined, engine: string, sampleRateHz: number): Voice[] | null {
  const names = (list ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return names.length === 0 ? null : names.map((name) => remoteVoice(engine, name, sampleRateHz));
}

export function remoteVoice(
  engine: string,
  voice: string,
  sampleRateHz: number,
  gender: Voice['gender'] = 'neutral',
  { name = capital(voice), language = 'en-US' }: { name?: string; language?: string } = {},
): Voice {
  return { id: `${engine}:${voice}`, name, language, gender, engine, sampleRateHz, isDefault: false };
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
