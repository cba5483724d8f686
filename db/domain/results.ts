// The outputs and criteria that a business or a campaign wants of each of its calls.

/** One value of a call, as JSON Schema. */
export interface OutputWish {
  name: string;
  schema: Record<string, unknown>;
  /** The description for the model. */
  description: string;
}

/** A question about a call that is answered yes or no. */
export interface Criterion {
  name: string;
  question: string;
}

/** The campaign's come first, and stand in place of the business's of the same name. */
export function joinedWishes<T extends { name: string }>(campaign: readonly T[], business: readonly T[]): T[] {
  const names = new Set(campaign.map(({ name }) => name));
  return [...campaign, ...business.filter(({ name }) => !names.has(name))];
}

/** The share of the judged criteria that are met; null: none was judged. */
export function scoreOf(criteria: Readonly<Record<string, boolean | null>>): number | null {
  const judged = Object.values(criteria).filter((met) => met !== null);
  if (judged.length === 0) return null;
  return Math.round((judged.filter(Boolean).length / judged.length) * 100) / 100;
}

/** The value of the output `disposition`, else how the criteria were met; null without either. */
export function dispositionOf(data: Readonly<Record<string, unknown>>, score: number | null): string | null {
  // PostgreSQL stores no NUL.
  if (typeof data.disposition === 'string') return data.disposition.replaceAll('\0', '').slice(0, 100);
  if (score === null) return null;
  if (score === 1) return 'met';
  return score === 0 ? 'not_met' : 'partly_met';
}

/** Longer values are found by nobody who types them. */
const FILTERED_CHARS_MAX = 200;

/** The values that lists of calls can be filtered by: what is no list and no object, as text. */
export function filteredValues(data: Readonly<Record<string, unknown>>): Array<[name: string, value: string]> {
  return Object.entries(data).flatMap(([name, value]): Array<[string, string]> => {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return [];
    const text = String(value);
    return text.length > FILTERED_CHARS_MAX || text.includes('\0') ? [] : [[name, text]];
  });
}
