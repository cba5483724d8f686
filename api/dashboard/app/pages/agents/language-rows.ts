// The settings of each of an agent's languages. An entry without anything but its language is left out.
import type { Agent } from '../../api-types.ts';

export type LanguageSettings = Agent['languages'][number];

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

export const settingsOf = (list: readonly LanguageSettings[], language: string): LanguageSettings =>
  list.find((each) => isSame(each.language, language)) ?? { language };

/** The list with this entry changed; an empty value is taken out of it. */
export function withSettings(
  list: readonly LanguageSettings[],
  language: string,
  change: Partial<Omit<LanguageSettings, 'language'>>,
): LanguageSettings[] {
  const changed = Object.fromEntries(
    Object.entries({ ...settingsOf(list, language), ...change, language }).filter(
      ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  ) as LanguageSettings;
  const isEmpty = Object.keys(changed).length === 1;
  const isKnown = list.some((each) => isSame(each.language, language));
  if (!isKnown) return isEmpty ? [...list] : [...list, changed];
  return list.flatMap((each) => (isSame(each.language, language) ? (isEmpty ? [] : [changed]) : [each]));
}

/** The settings of languages that the agent still has. */
export const ofLanguages = (list: readonly LanguageSettings[], languages: readonly string[]): LanguageSettings[] =>
  list.filter(({ language }) => languages.some((each) => isSame(each, language)));
