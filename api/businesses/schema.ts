// Schemas of businesses, which define all behaviour of a call.

import { type Static, Type } from 'typebox';
import { DIALOGUE_FALLBACKS } from '../../db/domain/dialogue-fallback.ts';
import { EMAIL_CHARACTERS_MAX } from '../../db/domain/email-address.ts';
import { POLICY_CHARACTERS_MAX } from '../../db/domain/field-limits.ts';
import { nullable, oneOf, Timestamp } from '../frame/envelope-schema.ts';
import { CURRENCY, NOT_BLANK } from '../frame/patterns.ts';
import { NoticeRuleRecord, NoticeRulesInput } from '../notices/schema.ts';
import { Criteria, Outputs } from '../results/schema.ts';
import { ToolIds } from '../tools/schema.ts';
import { versionNumbers } from '../versions/version-fields.ts';
import { AppointmentTextsInput, AppointmentTextsRecord } from './appointment-texts.ts';
import { BookingResourceRecord, BookingResources, BufferMinutes } from './booking-resources.ts';
import { Hours, HoursRecord } from './hours-schema.ts';
import { RedactionInput, RedactionRecord } from './redaction.ts';
import { TransferDestinationRecord, TransferDestinations } from './transfer-destinations.ts';

const Service = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    duration: Type.Optional(nullable(Type.Number({ minimum: 0, maximum: 10_080, description: 'Minutes' }))),
    price: Type.Optional(nullable(Type.Number({ minimum: 0, maximum: 1e9 }))),
  },
  { additionalProperties: false },
);

const Faq = Type.Object(
  {
    question: Type.String({ minLength: 1, maxLength: 1_000 }),
    answer: Type.String({ minLength: 1, maxLength: 4_000 }),
  },
  { additionalProperties: false },
);
export type Faq = Static<typeof Faq>;

const ENDPOINTING = ['adaptive', 'fixed'] as const;
const DIALOGUE_FALLBACK_HELP =
  'Who answers a turn in which the language model fails: `receptionist`, from what the business says of itself, or `message`, its fallbackMessage. null: the receptionist, where there are hours, services or faqs';

const FreeObject = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true });

const Policy = Type.Unsafe<string | Record<string, unknown>>({
  type: ['string', 'object'],
  maxLength: POLICY_CHARACTERS_MAX,
  additionalProperties: true,
  description:
    'A sentence, or `{title, text}`: the receptionist answers who asks for the title with the text. Other objects are read by their members',
});

const LookupInput = Type.Object(
  {
    url: Type.String({ minLength: 1, maxLength: 2_000, description: 'https' }),
    headers: Type.Optional(
      nullable(
        Type.Unsafe<Record<string, string>>({
          type: 'object',
          additionalProperties: { type: 'string', maxLength: 4_000 },
          maxProperties: 20,
          description: 'Kept sealed and never shown again; without the field they stay, null removes all',
        }),
      ),
    ),
    timeoutMs: Type.Optional(Type.Integer({ minimum: 100, maximum: 1_000, description: 'Default 800' })),
    headerNames: Type.Optional(Type.Array(Type.String(), { description: 'Of the record; ignored here' })),
  },
  {
    additionalProperties: false,
    description:
      'Asked as a call begins, while it rings or before it is dialled: who calls? Its answer may give variables, instructions, another agent or campaign, or refuse the call (docs/tools.md)',
  },
);

const text = (maxLength: number, description?: string) =>
  nullable(Type.String({ maxLength, ...(description ? { description } : {}) }));

/** Of `drafts`. */
const DRAFTS =
  'Changes of the business, of the agents of its campaigns and of their tools are drafts, which calls obey once they are ' +
  'published. Default false: calls obey a change from the next one on';

const fields = {
  name: Type.String({ minLength: 1, maxLength: 200, pattern: NOT_BLANK }),
  industry: Type.String({ minLength: 1, maxLength: 200 }),
  description: text(4_000),
  timezone: Type.String({ minLength: 1, maxLength: 100, description: 'IANA zone name' }),
  address: text(500),
  phone: text(20, 'E.164'),
  email: nullable(Type.String({ format: 'email', maxLength: EMAIL_CHARACTERS_MAX })),
  hours: Type.Array(Hours, { maxItems: 70 }),
  services: Type.Array(Service, { maxItems: 200 }),
  resources: BookingResources,
  bufferMinutes: BufferMinutes,
  currency: nullable(
    Type.String({
      pattern: CURRENCY,
      description: 'ISO 4217; default USD; null: that of the country of its phone or zone',
    }),
  ),
  faqs: Type.Array(Faq, { maxItems: 200 }),
  policies: Type.Array(Policy, { maxItems: 100 }),
  systemPrompt: text(20_000),
  greetingTemplate: text(2_000),
  fallbackMessage: text(2_000),
  dialogueFallback: nullable(oneOf(DIALOGUE_FALLBACKS, { description: DIALOGUE_FALLBACK_HELP })),
  transferNumber: text(40, 'E.164, or `sip:USERNAME` of a softphone of this account'),
  destinations: TransferDestinations,
  voiceSettings: Type.Object(
    { speed: Type.Optional(Type.Number({ minimum: 0.5, maximum: 2 })) },
    { additionalProperties: false, description: 'speed: 1, the default, is the pace of the voice' },
  ),
  interruptionSensitivity: Type.Number({ minimum: 0, maximum: 1 }),
  maxCallDurationMinutes: Type.Integer({ minimum: 1, maximum: 1_440 }),
  silenceThresholdMs: nullable(
    Type.Integer({ minimum: 100, maximum: 10_000, description: 'null: none of yours, the delay follows the words' }),
  ),
  endpointing: oneOf(ENDPOINTING, { description: 'A number of yours makes it `fixed`; `adaptive` takes it back' }),
  businessContext: nullable(FreeObject),
  toolIds: ToolIds,
  outputs: Outputs,
  criteria: Criteria,
  redaction: RedactionInput,
  appointmentTexts: AppointmentTextsInput,
  lookup: nullable(LookupInput),
  notify: NoticeRulesInput,
  drafts: Type.Boolean({ description: DRAFTS }),
};

export const BusinessPatch = Type.Partial(Type.Object(fields), { additionalProperties: false });
export type BusinessPatch = Static<typeof BusinessPatch>;

export const BusinessCreate = Type.Object(
  {
    ...BusinessPatch.properties,
    name: fields.name,
    industry: fields.industry,
    timezone: fields.timezone,
  },
  { additionalProperties: false },
);
export type BusinessCreate = Static<typeof BusinessCreate>;

export const BusinessRecord = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    industry: nullable(Type.String()),
    description: nullable(Type.String()),
    timezone: Type.String(),
    address: nullable(Type.String()),
    phone: nullable(Type.String()),
    email: nullable(Type.String()),
    hours: Type.Array(HoursRecord),
    services: Type.Array(
      Type.Object({
        name: Type.String(),
        duration: nullable(Type.Number()),
        price: nullable(Type.Number()),
      }),
    ),
    resources: Type.Array(BookingResourceRecord),
    bufferMinutes: Type.Integer(),
    currency: Type.String({ description: 'ISO 4217: how prices are said and written' }),
    faqs: Type.Array(Type.Object({ question: Type.String(), answer: Type.String() })),
    // Policies have any shape: serialised without a schema.
    policies: Type.Unsafe<unknown[]>({ type: 'array', items: {} }),
    systemPrompt: nullable(Type.String()),
    greetingTemplate: nullable(Type.String()),
    fallbackMessage: nullable(Type.String()),
    dialogueFallback: nullable(oneOf(DIALOGUE_FALLBACKS, { description: DIALOGUE_FALLBACK_HELP })),
    transferNumber: nullable(Type.String()),
    destinations: Type.Array(TransferDestinationRecord),
    voiceSettings: Type.Object({ speed: Type.Number() }),
    interruptionSensitivity: Type.Number(),
    maxCallDurationMinutes: Type.Integer(),
    silenceThresholdMs: Type.Integer({
      description: 'Where `endpointing` is `adaptive`, the usual one; it is not kept',
    }),
    endpointing: oneOf(ENDPOINTING, {
      description:
        '`fixed`: no turn ends before silenceThresholdMs of silence, but for a plain yes or no to a question, which takes ' +
        'half. `adaptive`: between 250 and 4,000 ms, by words, melody and the model of turn ends',
    }),
    businessContext: Type.Unsafe<Record<string, unknown> | null>({
      type: ['object', 'null'],
      additionalProperties: true,
      description: 'Put into the prompt of the dialogue model; keep it to about 500 tokens',
    }),
    toolIds: Type.Array(Type.String()),
    outputs: Outputs,
    criteria: Criteria,
    redaction: RedactionRecord,
    appointmentTexts: AppointmentTextsRecord,
    lookup: Type.Unsafe<{ url: string; timeoutMs: number; headerNames: string[] } | null>({
      type: ['object', 'null'],
      properties: {
        url: { type: 'string' },
        timeoutMs: { type: 'integer' },
        headerNames: { type: 'array', items: { type: 'string' } },
      },
      required: ['url', 'timeoutMs', 'headerNames'],
    }),
    notify: Type.Array(NoticeRuleRecord),
    drafts: Type.Boolean({ description: DRAFTS }),
    ...versionNumbers,
    createdAt: Timestamp,
    deletedAt: nullable(Timestamp),
  },
  { title: 'Business' },
);
export type BusinessRecord = Static<typeof BusinessRecord>;

export const AuditRecord = Type.Object(
  {
    id: Type.String(),
    actor: Type.String({ description: 'Id of the user; `retention` for the sweep of old calls' }),
    action: Type.String(),
    changes: Type.Unsafe<Record<string, { from: unknown; to: unknown }>>({
      type: 'object',
      additionalProperties: { type: 'object', properties: { from: {}, to: {} } },
    }),
    createdAt: Timestamp,
  },
  { title: 'BusinessAuditEntry' },
);
export type AuditRecord = Static<typeof AuditRecord>;

export const HelperBody = Type.Object(
  {
    apply: Type.Optional(
      Type.Boolean({
        description:
          'Whether the business is changed. Left out: by what the dialogue model says, yes; by what is usual in the industry, no, because nobody has looked at it yet',
      }),
    ),
  },
  { additionalProperties: false },
);
export const ExtractBody = Type.Object(
  {
    url: Type.String({ minLength: 1, maxLength: 2_000, description: 'http or https' }),
    apply: Type.Optional(Type.Boolean({ default: true, description: 'Whether the business is changed' })),
  },
  { additionalProperties: false },
);
