// Converts between a business row and its record: which columns are JSON, and the defaults.

import { currencyOf } from '../../db/domain/currency.ts';
import { storedHours } from '../../db/domain/hours/opening-hours.ts';
import { type BusinessNoticeKind, noticeRules } from '../../db/domain/notices/rules.ts';
import { storedDestinations } from '../../db/domain/numbers/transfer-destinations.ts';
import { redactionPolicyOf } from '../../db/domain/redaction/policy.ts';
import { appointmentTextsOf } from '../../db/domain/texts/appointment-texts.ts';
import { businessContent } from '../../db/queries/businesses/content.ts';
import { isoTime } from '../../db/records/resources.ts';
import type { BusinessTable } from '../../db/schema/businesses.ts';
import { appointmentTextsColumn } from './appointment-texts.ts';
import { resourcesColumn } from './booking-resources.ts';
import { redactionColumn } from './redaction.ts';
import type { BusinessPatch, BusinessRecord } from './schema.ts';
import { transferDestinationsColumn } from './transfer-destinations.ts';

/** The columns that a client may change. */
type BusinessColumns = Omit<BusinessTable, 'id' | 'accountId' | 'createdAt' | 'deletedAt' | 'version'>;

export const BUSINESS_DEFAULTS: Omit<BusinessColumns, 'name' | 'timezone'> = {
  industry: null,
  description: null,
  address: null,
  phone: null,
  email: null,
  hours: '[]',
  services: '[]',
  faqs: '[]',
  policies: '[]',
  systemPrompt: null,
  greetingTemplate: null,
  fallbackMessage: null,
  dialogueFallback: null,
  transferNumber: null,
  destinations: '[]',
  voiceSettings: '{"speed":1}',
  interruptionSensitivity: 0.5,
  maxCallDurationMinutes: 30,
  silenceThresholdMs: 600,
  silenceThresholdChosen: 0,
  businessContext: null,
  currency: 'USD',
  toolIds: '[]',
  outputs: '[]',
  criteria: '[]',
  redaction: null,
  appointmentTexts: null,
  lookup: null,
  lookupHeadersSealed: null,
  notify: '[]',
  notifySealed: null,
  resources: '[]',
  bufferMinutes: 0,
  drafts: 0,
};

/** `draft`: the number of the draft that the row shows. */
export function businessRecord(row: BusinessTable, draft: number | null = null): BusinessRecord {
  return {
    id: row.id,
    ...businessContent(row),
    dialogueFallback: row.dialogueFallback,
    destinations: storedDestinations(row.destinations),
    voiceSettings: JSON.parse(row.voiceSettings),
    interruptionSensitivity: row.interruptionSensitivity,
    maxCallDurationMinutes: row.maxCallDurationMinutes,
    silenceThresholdMs: row.silenceThresholdMs,
    endpointing: endpointingOf(row),
    toolIds: JSON.parse(row.toolIds),
    outputs: JSON.parse(row.outputs),
    criteria: JSON.parse(row.criteria),
    redaction: redactionPolicyOf(row.redaction),
    appointmentTexts: appointmentTextsOf(row.appointmentTexts),
    lookup: row.lookup === null ? null : JSON.parse(row.lookup),
    notify: noticeRules<BusinessNoticeKind>(row.notify),
    drafts: row.drafts === 1,
    publishedVersion: row.version,
    draftVersion: draft,
    createdAt: isoTime(row.createdAt),
    deletedAt: row.deletedAt === null ? null : isoTime(row.deletedAt),
  };
}

const PLAIN = [
  'name',
  'industry',
  'description',
  'timezone',
  'address',
  'phone',
  'email',
  'systemPrompt',
  'greetingTemplate',
  'fallbackMessage',
  'dialogueFallback',
  'transferNumber',
  'interruptionSensitivity',
  'maxCallDurationMinutes',
  'currency',
  'bufferMinutes',
] as const;

/** The columns that a body sets; other columns are absent. */
export function businessColumns(body: BusinessPatch): Partial<BusinessColumns> {
  const columns: Record<string, unknown> = {};
  for (const name of PLAIN) if (body[name] !== undefined) columns[name] = body[name];
  if (body.services !== undefined) {
    columns.services = JSON.stringify(
      body.services.map(({ name, duration, price }) => ({ name, duration: duration ?? null, price: price ?? null })),
    );
  }
  if (body.hours !== undefined) {
    columns.hours = JSON.stringify(body.hours.map(storedHours));
  }
  const destinations = transferDestinationsColumn(body.destinations);
  if (destinations !== undefined) columns.destinations = destinations;
  const resources = resourcesColumn(body.resources);
  if (resources !== undefined) columns.resources = resources;
  if (body.faqs !== undefined) columns.faqs = JSON.stringify(body.faqs);
  if (body.policies !== undefined) columns.policies = JSON.stringify(body.policies);
  if (body.voiceSettings !== undefined)
    columns.voiceSettings = JSON.stringify({ speed: body.voiceSettings.speed ?? 1 });
  if (body.businessContext !== undefined) {
    columns.businessContext = body.businessContext === null ? null : JSON.stringify(body.businessContext);
  }
  if (body.drafts !== undefined) columns.drafts = body.drafts ? 1 : 0;
  if (body.appointmentTexts !== undefined) columns.appointmentTexts = appointmentTextsColumn(body.appointmentTexts);
  if (body.redaction !== undefined) columns.redaction = redactionColumn(body.redaction);
  for (const name of ['toolIds', 'outputs', 'criteria'] as const)
    if (body[name] !== undefined) columns[name] = JSON.stringify(body[name]);
  return columns as Partial<BusinessColumns>;
}

/** A client that sends the currency back that it has read leaves it as it is: its country's, where nobody chose one. */
export function currencyColumn(
  { currency }: BusinessPatch,
  current: BusinessTable,
): Partial<Pick<BusinessColumns, 'currency'>> {
  return currency !== undefined && currency === currencyOf(current) ? { currency: current.currency } : {};
}

type Silence = Pick<BusinessColumns, 'silenceThresholdMs' | 'silenceThresholdChosen'>;

export const endpointingOf = ({ silenceThresholdChosen }: Silence): 'fixed' | 'adaptive' =>
  silenceThresholdChosen === 1 ? 'fixed' : 'adaptive';

/**
 * The columns of the silence that ends a turn. A client that sends the values that it has read back has chosen none;
 * `current` is null for a business that is being made.
 */
export function silenceColumns(
  { silenceThresholdMs: ms, endpointing }: BusinessPatch,
  current: Silence | null,
): Partial<Silence> {
  const none = { silenceThresholdMs: BUSINESS_DEFAULTS.silenceThresholdMs, silenceThresholdChosen: 0 } as const;
  const before = current ?? none;
  if (endpointing !== undefined && endpointing !== endpointingOf(before)) {
    if (endpointing === 'adaptive') return none;
    return { silenceThresholdMs: ms ?? before.silenceThresholdMs, silenceThresholdChosen: 1 };
  }
  if (ms === undefined) return {};
  if (ms === null) return none;
  return ms === current?.silenceThresholdMs ? {} : { silenceThresholdMs: ms, silenceThresholdChosen: 1 };
}

/** How `columns` differ from `row`, as the audit log stores it: {field: {from, to}}. */
export function businessChanges(
  row: BusinessColumns,
  columns: Partial<BusinessColumns>,
): Record<string, { from: unknown; to: unknown }> {
  const changes: Record<string, { from: unknown; to: unknown }> = {};
  for (const [name, to] of Object.entries(columns)) {
    const from = row[name as keyof BusinessColumns];
    if (from === to || name === 'silenceThresholdChosen' || SEALED.has(name)) continue;
    if (name === 'drafts') {
      changes[name] = { from: from === 1, to: to === 1 };
      continue;
    }
    const json = JSON_COLUMNS.has(name);
    changes[name] = {
      from: json && typeof from === 'string' ? JSON.parse(from) : from,
      to: json && typeof to === 'string' ? JSON.parse(to) : to,
    };
  }
  return changes;
}

/** Their names of headers and masked addresses stand in other columns. */
const SEALED = new Set(['lookupHeadersSealed', 'notifySealed']);

const JSON_COLUMNS: ReadonlySet<string> = new Set([
  ...Object.entries(BUSINESS_DEFAULTS).flatMap(([name, value]) => (/^[[{]/.test(String(value)) ? [name] : [])),
  // They are null where nothing is set.
  ...['businessContext', 'redaction', 'appointmentTexts', 'lookup'],
]);
