// The voices offered for agents: the voices that the engine found at its start; before the first start, those of the
// engines that the environment names.
import { findEngineVoices } from '../../db/queries/engine/engines.ts';
import { knownVoices } from '../../models/install/catalogue.ts';
import type { ApiContext } from '../context.ts';

export interface OfferedVoice {
  id: string;
  name: string;
  /** Locale, e.g. en-US. */
  language: string;
  gender: 'female' | 'male' | 'neutral';
  engine: string;
  /** Hz. */
  sampleRate: number;
  isDefault: boolean;
}

type EngineVoice = ReturnType<typeof knownVoices>[number];

const offered = ({ id, name, language, gender, engine, sampleRateHz, isDefault }: EngineVoice): OfferedVoice => ({
  id,
  name,
  language,
  gender,
  engine,
  sampleRate: sampleRateHz,
  isDefault,
});

/** The default voice first, then by name. */
export async function offeredVoices({ read }: Pick<ApiContext, 'read'>): Promise<OfferedVoice[]> {
  const listed = JSON.parse((await findEngineVoices(read)) ?? '[]') as EngineVoice[];
  return (listed.length > 0 ? listed : knownVoices(process.env)).map(offered);
}

export async function offeredVoice(context: Pick<ApiContext, 'read'>, id: string): Promise<OfferedVoice | undefined> {
  return (await offeredVoices(context)).find((voice) => voice.id === id);
}
