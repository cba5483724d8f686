// The voice of a simulated caller: chosen by language and seed among the voices of this machine, so that a test costs
// nothing and sounds the same each time. English is built in; other languages need a downloaded voice.

import { FLITE_VOICES } from '../../../models/install/catalogue.ts';
import {
  installedModels,
  localEngine,
  localName,
  localVoices,
  modelsDirOf,
} from '../../../models/install/local-models.ts';
import { findLocalModel } from '../../../models/install/weights.ts';
import createFlite from '../../../models/tts/flite/flite.ts';
import type { TtsEngine } from '../../../models/tts/tts.ts';
import { seededRandom } from './seeded-random.ts';

type Environment = Record<string, string | undefined>;

/** The part of a BCP 47 tag before its region. */
const base = (language: string): string => language.toLowerCase().split('-')[0] ?? '';

/** The id of a local voice. @throws Error when no voice of this machine speaks the language */
export function callerVoice(
  { voice, language, seed }: { voice: string | null; language: string; seed: number },
  environment: Environment,
): string {
  if (voice !== null) return voice;
  const random = seededRandom(seed * 31 + 7);
  const pick = (ids: readonly string[]): string | undefined => ids[Math.floor(random() * ids.length)];
  const spoken = base(language);
  const own = spoken === 'en' ? FLITE_VOICES.map(({ id }) => id) : downloadedVoices(spoken, environment);
  const chosen = pick(own);
  if (chosen !== undefined) return chosen;
  throw new Error(
    `no voice of this machine speaks ${language}: download one (npm run models), or name the caller's voice`,
  );
}

/** All that can be named: the built-in ones, and those of downloaded models. */
export const callerVoices = (environment: Environment): string[] => [
  ...FLITE_VOICES.map(({ id }) => id),
  ...downloadedVoices(null, environment),
];

/** A speaker of a model of the operator's own, which no list has. */
export function isOwnVoice(id: string, environment: Environment): boolean {
  const name = localName(id.replace(/:\d+$/, ''));
  return name !== null && installedModels(modelsDirOf(environment), 'tts').includes(name);
}

/** Null: of any language. */
function downloadedVoices(spoken: string | null, environment: Environment): string[] {
  return installedModels(modelsDirOf(environment), 'tts').flatMap((name) => {
    const model = findLocalModel(name);
    if (model === undefined) return [];
    return localVoices(model, localEngine(name))
      .filter((voice) => spoken === null || base(voice.language) === spoken)
      .map(({ id }) => id);
  });
}

/** The engine that renders that voice. */
export async function voiceEngine(voiceId: string, environment: Environment): Promise<TtsEngine> {
  // `sherpa:NAME:SID` names a speaker of the model.
  const name = localName(voiceId.replace(/:\d+$/, ''));
  if (name === null) return createFlite(environment);
  const { default: createSherpa } = await import('../../../models/tts/sherpa.ts');
  return createSherpa(name, environment);
}
