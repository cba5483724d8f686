// An agent's languages as clients set them: `additionalLanguages` says which, `languages` more about each.

import { type Static, Type } from 'typebox';
import { baseLanguage, type LanguageSettings } from '../../db/domain/calls/languages.ts';
import { hasPhrases, LANGUAGES } from '../../models/llm/phrases/languages.ts';
import { type FieldError, invalid } from '../frame/errors.ts';
import { LANGUAGE_TAG, NOT_BLANK, patterned } from '../frame/patterns.ts';

/** The common part of BCP 47: language, script, region, variants. */
export const Locale = Type.String({ pattern: LANGUAGE_TAG, maxLength: 35 });

export const Languages = Type.Array(
  Type.Object(
    {
      language: Locale,
      voiceId: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'One of GET /voices' })),
      speechVoice: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          pattern: NOT_BLANK,
          description: 'A voice of the speech-to-speech model in place of the speechVoice of the conversation',
        }),
      ),
      digit: Type.Optional(
        Type.String({
          pattern: patterned('^[0-9]$', 'must be one digit'),
          description: 'The key that asks for the language, pressed alone; the greeting should offer it',
        }),
      ),
      keywords: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 100, pattern: NOT_BLANK }), {
          maxItems: 200,
          description: 'Names and terms that the recogniser should expect in it, beside those of the conversation',
        }),
      ),
    },
    { additionalProperties: false, title: 'LanguageSettings' },
  ),
  {
    maxItems: Object.keys(LANGUAGES).length,
    description:
      "More about the languages that a call may go on in: additionalLanguages, and the agent's own, which has no voiceId here (docs/languages.md)",
  },
);
export type Languages = Static<typeof Languages>;

export interface AgentLanguages {
  language: string;
  additionalLanguages: readonly string[];
  languages: readonly LanguageSettings[];
}

/** @throws {ApiError} 422 if they contradict each other */
export function checkLanguages({ language, additionalLanguages, languages }: AgentLanguages): void {
  const faults: FieldError[] = [
    ...additionalLanguages.flatMap((other, at) => {
      const field = `additionalLanguages[${at}]`;
      if (isSame(other, language)) return [{ field, message: 'is the language of the agent itself' }];
      const isTwice = additionalLanguages.slice(0, at).some((earlier) => isSame(earlier, other));
      return isTwice ? [{ field, message: 'is listed twice' }] : [];
    }),
    ...languages.flatMap((settings, at) => settingFaults(settings, at, { language, additionalLanguages, languages })),
  ];
  if (faults.length > 0) throw invalid(faults);
}

function settingFaults(settings: LanguageSettings, at: number, of: AgentLanguages): FieldError[] {
  const fault = (name: keyof LanguageSettings, message: string): FieldError => ({
    field: `languages[${at}].${name}`,
    message,
  });
  const before = of.languages.slice(0, at);
  const isOwn = isSame(settings.language, of.language);
  const faults: FieldError[] = [];
  if (!isOwn && !of.additionalLanguages.some((other) => isSame(other, settings.language)))
    faults.push(fault('language', 'must be the language of the agent or one of additionalLanguages'));
  else if (!isOwn && !hasPhrases(settings.language))
    faults.push(fault('language', `must be one of ${Object.keys(LANGUAGES).join(', ')}: there are no sentences in it`));
  else if (!isOwn && baseLanguage(settings.language) === baseLanguage(of.language))
    faults.push(fault('language', `is the language of the agent, ${of.language}, in another region`));
  if (before.some(({ language }) => baseLanguage(language) === baseLanguage(settings.language)))
    faults.push(fault('language', 'is listed twice'));
  if (isOwn && settings.voiceId !== undefined)
    faults.push(fault('voiceId', "is the agent's voiceId in its own language"));
  if (settings.digit !== undefined && before.some(({ digit }) => digit === settings.digit))
    faults.push(fault('digit', 'asks for another language already'));
  return faults;
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
