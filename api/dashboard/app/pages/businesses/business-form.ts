// Converts a business to the values of its form, and back to a body.

import { sortedHours } from '../../../../../db/domain/opening-hours.ts';
import { messageOf } from '../../../../../db/domain/unexpected.ts';
import type { Business, UpdateBusinessBody } from '../../api-types.ts';
import { ApiError } from '../../client.ts';

export interface Service {
  name: string;
  duration: number | null;
  price: number | null;
}

export interface Faq {
  question: string;
  answer: string;
}

/** A sentence, or an object as JSON. */
export interface Policy {
  isJson: boolean;
  text: string;
}

/** Texts that are null if they are empty. */
const TEXTS = [
  'industry',
  'description',
  'address',
  'phone',
  'email',
  'systemPrompt',
  'greetingTemplate',
  'fallbackMessage',
  'transferNumber',
] as const;
/** Sent as they are. */
const PLAIN = [
  'name',
  'timezone',
  'currency',
  'hours',
  'services',
  'faqs',
  'interruptionSensitivity',
  'dialogueFallback',
] as const;

export type BusinessValues = Record<(typeof TEXTS)[number], string> &
  Pick<Business, 'name' | 'timezone' | 'currency' | 'hours' | 'interruptionSensitivity' | 'dialogueFallback'> & {
    services: Service[];
    faqs: Faq[];
    policies: Policy[];
    speed: number;
    maxCallDurationMinutes: number | null;
    silenceThresholdMs: number | null;
    /** JSON; empty: none. */
    context: string;
  };

export function valuesOfBusiness(business: Business): BusinessValues {
  const texts = Object.fromEntries(TEXTS.map((name) => [name, business[name] ?? ''])) as Record<
    (typeof TEXTS)[number],
    string
  >;
  const { name, timezone, currency, services, faqs, interruptionSensitivity, dialogueFallback } = business;
  return {
    ...texts,
    name,
    timezone,
    currency,
    hours: sortedHours(business.hours),
    services,
    faqs,
    policies: business.policies.map((policy) =>
      typeof policy === 'string'
        ? { isJson: false, text: policy }
        : { isJson: true, text: JSON.stringify(policy, null, 2) },
    ),
    interruptionSensitivity,
    dialogueFallback,
    speed: business.voiceSettings.speed,
    maxCallDurationMinutes: business.maxCallDurationMinutes,
    silenceThresholdMs: business.silenceThresholdMs,
    context: business.businessContext === null ? '' : JSON.stringify(business.businessContext, null, 2),
  };
}

/** @throws {ApiError} for invalid JSON, on its field, in the service's words */
export function businessBodyOf(changes: Partial<BusinessValues>): UpdateBusinessBody {
  const body: UpdateBusinessBody = {};
  for (const name of TEXTS) {
    const text = changes[name];
    if (text !== undefined) body[name] = text.trim() === '' ? null : text;
  }
  for (const name of PLAIN) {
    if (changes[name] !== undefined) Object.assign(body, { [name]: changes[name] });
  }
  if (changes.speed !== undefined) body.voiceSettings = { speed: changes.speed };
  const { maxCallDurationMinutes, silenceThresholdMs } = changes;
  if (maxCallDurationMinutes === null) throw fieldFault('maxCallDurationMinutes', 'must be a number');
  if (maxCallDurationMinutes !== undefined) body.maxCallDurationMinutes = maxCallDurationMinutes;
  if (silenceThresholdMs !== undefined) body.silenceThresholdMs = silenceThresholdMs;
  if (changes.policies !== undefined) body.policies = changes.policies.map(policyOf);
  if (changes.context !== undefined) {
    const read = readContext(changes.context);
    if (read.fault !== null) throw fieldFault('businessContext', read.fault);
    body.businessContext = read.value;
  }
  return body;
}

function policyOf({ isJson, text }: Policy, index: number): string | Record<string, unknown> {
  if (!isJson) return text;
  const { value, fault } = readContext(text);
  if (fault !== null || value === null) throw fieldFault(`policies[${index}]`, fault ?? 'must not be empty');
  return value;
}

const fieldFault = (field: string, message: string): ApiError =>
  new ApiError(422, 'VALIDATION_FAILED', 'Some fields are not as they should be', [{ field, message }], null);

export type ReadContext = { value: Record<string, unknown> | null; fault: null } | { value: null; fault: string };

/** Reads an object of JSON; an empty text is null. */
export function readContext(text: string): ReadContext {
  if (text.trim() === '') return { value: null, fault: null };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (fault) {
    return { value: null, fault: messageOf(fault) };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { value: null, fault: 'must be an object: { … }' };
  return { value: value as Record<string, unknown>, fault: null };
}

/** The service's estimate: four characters of JSON without blanks a token, which is right for English. */
export const CONTEXT_TOKENS_ADVISED = 500;
export const CONTEXT_BYTES_MAX = 16 * 1024;

export function contextSize(value: Record<string, unknown>): { tokens: number; bytes: number } {
  const json = JSON.stringify(value);
  return { tokens: Math.ceil(json.length / 4), bytes: new TextEncoder().encode(json).length };
}
