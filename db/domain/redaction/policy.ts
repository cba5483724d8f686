// A business's policy for the words of its callers: which kinds are taken out, and of which copies.
import { countryOf } from '../numbers/phone.ts';
import { type RedactionRules, redact } from './find.ts';
import type { RedactedKind } from './kinds.ts';

/** As stored. */
export interface RedactionPolicy {
  kinds: RedactedKind[];
  /** In all that is kept and shown of a call: transcript, live views, tools, summary, results, events. */
  transcript: boolean;
  /** In the events of webhooks, where the transcript keeps it. */
  webhooks: boolean;
  /** The recording is silent over the utterances that have it. */
  audio: boolean;
}

/** Null: nothing is redacted. */
export const redactionPolicyOf = (json: string | null): RedactionPolicy | null =>
  json === null ? null : (JSON.parse(json) as RedactionPolicy);

interface Facts {
  /** BCP 47: what is spoken. */
  language: string;
  /** Absent: nothing else. */
  furtherLanguages?: readonly string[];
  /** The business's side of the call, E.164: numbers without a country's code are of its country. */
  ownNumber: string;
  /** The other side, as the call knows them. */
  names: ReadonlyArray<string | null>;
}

export function rulesOf(
  { kinds }: Pick<RedactionPolicy, 'kinds'>,
  { language, furtherLanguages = [], ownNumber, names }: Facts,
): RedactionRules {
  const country = countryOf(ownNumber) ?? language.split('-')[1]?.toUpperCase() ?? null;
  const known = names.filter((name) => name !== null && name !== '') as string[];
  const further = furtherLanguages.length === 0 ? {} : { furtherLanguages };
  return { kinds, language, ...further, country, names: known };
}

/** Each text in a value of JSON, however deep, its names of members and its numbers too. */
export function redactAll<T>(value: T, rules: RedactionRules): T {
  const visit = (part: unknown): unknown => {
    if (typeof part === 'string') return redact(part, rules);
    if (typeof part === 'number') {
      const text = redact(String(part), rules);
      return text === String(part) ? part : text;
    }
    if (Array.isArray(part)) return part.map(visit);
    if (part === null || typeof part !== 'object') return part;
    return Object.fromEntries(Object.entries(part).map(([name, each]) => [redact(name, rules), visit(each)]));
  };
  return visit(value) as T;
}
