// The voices that agents may be given, as the catalogue has them: the API's only way to it.
import type { ApiContext } from '../context.ts';

export interface OfferedVoice {
  id: string;
  name: string;
  language: string;
  gender: 'female' | 'male' | 'neutral';
  engine: string;
  sampleRateHz: number;
  isDefault: boolean;
}

const flite = (id: string, name: string, gender: OfferedVoice['gender'], isDefault: boolean): OfferedVoice => ({
  id,
  name,
  language: 'en-US',
  gender,
  engine: 'flite',
  sampleRateHz: 16_000,
  isDefault,
});

/** The default voice first, then by name. */
export function offeredVoices(_context: ApiContext): OfferedVoice[] {
  return [
    flite('flite-rms', 'Robert', 'male', true),
    flite('flite-awb', 'Alan', 'male', false),
    flite('flite-kal16', 'Kevin', 'male', false),
    flite('flite-slt', 'Sally', 'female', false),
  ];
}

export function offeredVoice(context: ApiContext, id: string): OfferedVoice | undefined {
  return offeredVoices(context).find((voice) => voice.id === id);
}
