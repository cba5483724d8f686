// Converts a business to the values of its form, and back to a body.

import { CHARACTERS_PER_TOKEN } from '../../../../../db/domain/field-limits.ts';
import { sortedHours } from '../../../../../db/domain/hours/opening-hours.ts';
import type { Business, UpdateBusinessBody } from '../../api-types.ts';
import { fieldFaults, refuseFaults } from '../../field-faults.ts';
import { type HeadersValue, headersBody, headersFaults, headersOf } from '../../headers/headers-value.ts';
import { readObject } from '../../json-object.ts';
import { type NoticeRow, noticeRows, noticesOf } from '../../notices/notice-rows.ts';
import { type OutputRow, outputFaults, outputRows, outputsOf } from '../../results/wishes.ts';
import { type DestinationRow, destinationRows, destinationsOf } from '../../transfers/destination-rows.ts';
import { t } from '../../words/words.ts';

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
interface Policy {
  isJson: boolean;
  text: string;
}

/** Texts that are null if they are empty, but for the industry, which every business has. */
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
  'resources',
  'services',
  'faqs',
  'interruptionSensitivity',
  'dialogueFallback',
  'toolIds',
  'criteria',
  'redaction',
  'appointmentTexts',
] as const;

export interface LookupValues {
  url: string;
  headers: HeadersValue;
  /** Null: the default. */
  timeoutMs: number | null;
}

export const LOOKUP_TIMEOUT_MS = 800;

export type BusinessValues = Record<(typeof TEXTS)[number], string> &
  Pick<
    Business,
    | 'name'
    | 'timezone'
    | 'currency'
    | 'hours'
    | 'resources'
    | 'interruptionSensitivity'
    | 'dialogueFallback'
    | 'toolIds'
    | 'criteria'
    | 'redaction'
    | 'appointmentTexts'
  > & {
    services: Service[];
    faqs: Faq[];
    policies: Policy[];
    speed: number;
    maxCallDurationMinutes: number | null;
    bufferMinutes: number | null;
    /** Null: the delay follows the words. */
    silenceThresholdMs: number | null;
    /** JSON; empty: none. */
    context: string;
    lookup: LookupValues | null;
    outputs: OutputRow[];
    destinations: DestinationRow[];
    notify: NoticeRow[];
  };

export function valuesOfBusiness(business: Business): BusinessValues {
  const texts = Object.fromEntries(TEXTS.map((name) => [name, business[name] ?? ''])) as Record<
    (typeof TEXTS)[number],
    string
  >;
  const {
    name,
    timezone,
    currency,
    services,
    faqs,
    interruptionSensitivity,
    dialogueFallback,
    toolIds,
    criteria,
    redaction,
    appointmentTexts,
  } = business;
  return {
    ...texts,
    name,
    timezone,
    currency,
    hours: sortedHours(business.hours),
    resources: business.resources,
    bufferMinutes: business.bufferMinutes,
    services,
    faqs,
    policies: business.policies.map((policy) =>
      typeof policy === 'string'
        ? { isJson: false, text: policy }
        : { isJson: true, text: JSON.stringify(policy, null, 2) },
    ),
    interruptionSensitivity,
    dialogueFallback,
    toolIds,
    criteria,
    redaction,
    appointmentTexts,
    outputs: outputRows(business.outputs),
    destinations: destinationRows(business.destinations),
    notify: noticeRows(business.notify),
    lookup: lookupValuesOf(business.lookup),
    speed: business.voiceSettings.speed,
    maxCallDurationMinutes: business.maxCallDurationMinutes,
    silenceThresholdMs: business.endpointing === 'fixed' ? business.silenceThresholdMs : null,
    context: business.businessContext === null ? '' : JSON.stringify(business.businessContext, null, 2),
  };
}

export const lookupValuesOf = (lookup: Business['lookup']): LookupValues | null =>
  lookup && { url: lookup.url, timeoutMs: lookup.timeoutMs, headers: headersOf(lookup.headerNames) };

/** @throws {ApiError} for invalid JSON, on its field, in the service's words */
export function businessBodyOf(changes: Partial<BusinessValues>): UpdateBusinessBody {
  const body: UpdateBusinessBody = {};
  for (const name of TEXTS) {
    const text = changes[name];
    if (text === undefined) continue;
    // Refused where it is empty.
    if (name === 'industry') body.industry = text;
    else body[name] = text.trim() === '' ? null : text;
  }
  for (const name of PLAIN) {
    if (changes[name] !== undefined) Object.assign(body, { [name]: changes[name] });
  }
  if (changes.bufferMinutes !== undefined) body.bufferMinutes = changes.bufferMinutes ?? 0;
  if (changes.speed !== undefined) body.voiceSettings = { speed: changes.speed };
  const { maxCallDurationMinutes, silenceThresholdMs } = changes;
  if (maxCallDurationMinutes === null)
    throw fieldFaults([{ field: 'maxCallDurationMinutes', message: t('must be a number') }]);
  if (maxCallDurationMinutes !== undefined) body.maxCallDurationMinutes = maxCallDurationMinutes;
  if (silenceThresholdMs !== undefined) body.silenceThresholdMs = silenceThresholdMs;
  if (typeof silenceThresholdMs === 'number') body.endpointing = 'fixed';
  if (changes.policies !== undefined) body.policies = changes.policies.map(policyOf);
  if (changes.context !== undefined) {
    const read = readObject(changes.context);
    if (read.fault !== null) throw fieldFaults([{ field: 'businessContext', message: read.fault }]);
    body.businessContext = read.value;
  }
  if (changes.outputs !== undefined) {
    refuseFaults(outputFaults(changes.outputs));
    body.outputs = outputsOf(changes.outputs);
  }
  if (changes.destinations !== undefined) body.destinations = destinationsOf(changes.destinations);
  if (changes.notify !== undefined) body.notify = noticesOf(changes.notify);
  if (changes.lookup !== undefined) body.lookup = lookupOf(changes.lookup);
  return body;
}

function lookupOf(lookup: LookupValues | null): UpdateBusinessBody['lookup'] {
  if (lookup === null) return null;
  refuseFaults(headersFaults(lookup.headers, 'lookup.headers'));
  const headers = headersBody(lookup.headers);
  const { url, timeoutMs } = lookup;
  return { url, timeoutMs: timeoutMs ?? LOOKUP_TIMEOUT_MS, ...(headers === undefined ? {} : { headers }) };
}

function policyOf({ isJson, text }: Policy, index: number): string | Record<string, unknown> {
  if (!isJson) return text;
  const { value, fault } = readObject(text);
  if (fault !== null || value === null)
    throw fieldFaults([{ field: `policies[${index}]`, message: fault ?? t('must not be empty') }]);
  return value;
}

/** By the service's estimate. */
export function contextSize(value: Record<string, unknown>): { tokens: number; bytes: number } {
  const json = JSON.stringify(value);
  return { tokens: Math.ceil(json.length / CHARACTERS_PER_TOKEN), bytes: new TextEncoder().encode(json).length };
}
