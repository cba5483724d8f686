// The languages as recognisers name them: most by code, Whisper's servers also by the English name ("german").
import { LANGUAGES } from '../../llm/phrases/languages.ts';
import { languageName } from '../../llm/spoken.ts';

const BY_NAME = new Map(Object.keys(LANGUAGES).map((code) => [languageName('en', code).toLowerCase(), code]));

/** BCP 47; undefined where nothing is said, or a language by a name that is none of ours. */
export function languageCode(said: unknown): string | undefined {
  if (typeof said !== 'string') return undefined;
  const text = said.trim().toLowerCase();
  return /^[a-z]{2,3}(-[a-z0-9]+)*$/.test(text) ? text : BY_NAME.get(text);
}
