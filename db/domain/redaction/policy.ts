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

/** Copies that a policy may leave as they are, and those that it never does. */
export type RedactedCopy = 'transcript' | 'webhooks' | 'audio' | 'test';

/** As stored. */
interface Redacted {
  business: { redaction: string | null };
  agent: { language: string; additionalLanguages: string };
  /** The business's side, E.164: numbers without a country's code are of its country. */
  ownNumber: string;
  /** The name of the other side, as it is known. */
  otherName: string | null;
}

/** The rules for a copy of what was said; null: nothing is taken out of it. */
export function rulesOf(
  { business, agent, ownNumber, otherName }: Redacted,
  copy: RedactedCopy,
): RedactionRules | null {
  const policy = redactionPolicyOf(business.redaction);
  if (policy === null || (copy !== 'test' && !policy[copy])) return null;
  const { language } = agent;
  const furtherLanguages = JSON.parse(agent.additionalLanguages) as string[];
  const further = furtherLanguages.length === 0 ? {} : { furtherLanguages };
  const country = countryOf(ownNumber) ?? language.split('-')[1]?.toUpperCase() ?? null;
  const names = otherName === null || otherName === '' ? [] : [otherName];
  return { kinds: policy.kinds, language, ...further, country, names };
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
