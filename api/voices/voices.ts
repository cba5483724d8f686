// The voices that agents may be given, from the catalogue.
import { findVoice, listVoices } from '../../models/catalogue.ts';

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

type CatalogueVoice = ReturnType<typeof listVoices>[number];

const offered = ({ id, name, language, gender, engine, sampleRateHz, isDefault }: CatalogueVoice): OfferedVoice => ({
  id,
  name,
  language,
  gender,
  engine,
  sampleRate: sampleRateHz,
  isDefault,
});

/** The default voice first, then by name. */
export const offeredVoices = (): OfferedVoice[] => listVoices().map(offered);

export function offeredVoice(id: string): OfferedVoice | undefined {
  const voice = findVoice(id);
  return voice === null ? undefined : offered(voice);
}
