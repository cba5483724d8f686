// A value in a list of changes: a long one is shown by its beginning.

const VALUE_CHARACTERS_MAX = 2_000;

/** A longer value is the beginning of its text, or of its JSON: a list of changes would be megabytes. */
export function valueShown(value: unknown): unknown {
  const json = JSON.stringify(value) ?? '';
  if (json.length <= VALUE_CHARACTERS_MAX) return value;
  return `${(typeof value === 'string' ? value : json).slice(0, VALUE_CHARACTERS_MAX).toWellFormed()}…`;
}
