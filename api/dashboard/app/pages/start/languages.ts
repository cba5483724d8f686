// The languages in which an agent answers, with the regions that a business may be in.
import type { Voice } from '../../api-types.ts';

/** Base language, and its locales by country; the first is the usual one. */
const LOCALES: Readonly<Record<string, readonly string[]>> = {
  en: ['en-US', 'en-GB', 'en-AU', 'en-CA', 'en-IE', 'en-NZ'],
  de: ['de-DE', 'de-AT', 'de-CH'],
  fr: ['fr-FR', 'fr-BE', 'fr-CH', 'fr-CA'],
  es: ['es-ES', 'es-MX', 'es-AR', 'es-CL'],
  it: ['it-IT', 'it-CH'],
  nl: ['nl-NL', 'nl-BE'],
  pt: ['pt-PT', 'pt-BR'],
};
export const LANGUAGES = Object.keys(LOCALES);

/** Common names of women and men, for an agent whose owner has no better one. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ en: 'Sam', de: 'Alex', fr: 'Camille', es: 'Alex', it: 'Andrea', nl: 'Robin', pt: 'Alex' },
};
export const usualName = (language: string): string => NAMES[baseOf(language)] ?? 'Sam';

export const baseOf = (language: string): string => language.split('-', 1)[0]?.toLowerCase() ?? '';

/** `de` in Austria is `de-AT`. */
export function localeOf(language: string, country: string | null): string {
  const locales = LOCALES[baseOf(language)] ?? [];
  return locales.find((locale) => locale.endsWith(`-${country}`)) ?? locales[0] ?? language;
}

/** Voices of a server speak whatever they are given; those of this machine one language. */
const isOfServer = ({ engine }: Voice): boolean => engine !== 'flite' && !engine.startsWith('sherpa:');

export const voicesFor = (voices: readonly Voice[], language: string): Voice[] =>
  voices.filter((voice) => baseOf(voice.language) === baseOf(language) || isOfServer(voice));
