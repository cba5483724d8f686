// Patterns of fields, each with the words for a value of another form. One that several schemas have stands here; the
// others are given their words where they stand.

const words = new Map<string, string>();

/** The pattern, once its words are noted. */
export function patterned(pattern: string, said: string): string {
  words.set(pattern, said);
  return pattern;
}

/** In words; a pattern without any is told as it is. */
export const patternWords = (pattern: string): string => words.get(pattern) ?? `must match ${pattern}`;

export const NOT_BLANK = patterned('\\S', 'must not be blank');
export const CLOCK_TIME = patterned('^([01]\\d|2[0-3]):[0-5]\\d$', 'must be a time of day as HH:MM, for example 09:30');
export const LANGUAGE_TAG = patterned(
  '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$',
  'must be a language (BCP 47), for example de or en-US',
);
export const CURRENCY = patterned('^[A-Z]{3}$', 'must be a currency (ISO 4217), for example EUR');
export const COUNTRY = patterned('^[A-Za-z]{2}$', 'must be a country of two letters (ISO 3166-1), for example DE');
export const IDENTIFIER = patterned(
  '^[A-Za-z][A-Za-z0-9_]{0,63}$',
  'must begin with a letter, and have letters, digits and _ only, at most 64',
);
export const VISIBLE = patterned('^[^\\p{C}]+$', 'must have no line breaks and no characters that nobody sees');
export const ONE_LINE = patterned(
  '^[^\\u0000-\\u001f]*\\S[^\\u0000-\\u001f]*$',
  'must not be blank, and must have no line breaks',
);
export const ANY_PREFIX = patterned(
  '^(\\+[1-9][0-9]{0,14})?$',
  'must be the beginning of a number in E.164 form, for example +49, or empty',
);
