// Schemas of campaigns: their settings, what stands in the way of a start, the setup that a call gets, their figures.

import { type Static, Type } from 'typebox';
import { WEEKDAYS } from '../../db/domain/hours/weekdays.ts';
import { TransferDestinationRecord, TransferDestinations } from '../businesses/transfer-destinations.ts';
import { nullable, oneOf, Timestamp } from '../frame/envelope-schema.ts';
import { pageQuery } from '../frame/pagination.ts';
import { CLOCK_TIME, NOT_BLANK } from '../frame/patterns.ts';
import { Variables } from '../frame/variables.ts';
import { Criteria, Outputs } from '../results/schema.ts';
import { ToolIds } from '../tools/schema.ts';

const CAMPAIGN_STATUSES = ['DRAFT', 'SCHEDULED', 'RUNNING', 'PAUSED', 'COMPLETED', 'FAILED'] as const;
const VOICEMAIL_ACTIONS = ['hangup', 'leave_message'] as const;
const LISTENING_NOTICES = ['none', 'tone', 'announcement'] as const;
const RECORDING_FORMATS = ['wav', 'mp3'] as const;

const ClockTime = Type.String({ pattern: CLOCK_TIME, description: 'HH:MM' });

const WindowInput = Type.Object(
  {
    timezone: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 100 }))),
    days: Type.Array(oneOf(WEEKDAYS), { minItems: 1, maxItems: 7, uniqueItems: true }),
    start: ClockTime,
    end: ClockTime,
  },
  {
    additionalProperties: false,
    description:
      "When contacts are called: in `timezone`, without one in the recipient's own; end before start: past midnight",
  },
);

const VoicemailInput = Type.Object(
  {
    action: Type.Optional(oneOf(VOICEMAIL_ACTIONS)),
    message: Type.Optional(nullable(Type.String({ maxLength: 2_000 }))),
  },
  { additionalProperties: false },
);

const Split = Type.Array(
  Type.Object(
    {
      version: Type.Integer({ minimum: 1, maximum: 999_999_999, description: 'Of the agent' }),
      share: Type.Integer({ minimum: 1, maximum: 100, description: 'Per cent of the calls' }),
    },
    { additionalProperties: false, title: 'SplitPart' },
  ),
  {
    maxItems: 10,
    description:
      'Versions of the agent that lead the calls, chosen by the number of the other side: the same number has always the same. ' +
      'Shares sum to 100. Empty: the published version leads all',
  },
);

const RecordingInput = Type.Object(
  { enabled: Type.Optional(Type.Boolean()), format: Type.Optional(oneOf(RECORDING_FORMATS)) },
  { additionalProperties: false },
);

const fields = {
  name: Type.String({ minLength: 1, maxLength: 200, pattern: NOT_BLANK }),
  description: nullable(Type.String({ maxLength: 2_000 })),
  agentId: Type.String({ minLength: 1 }),
  businessId: Type.String({ minLength: 1 }),
  phoneNumberIds: Type.Array(Type.String({ minLength: 1 }), { maxItems: 100 }),
  scheduledAt: nullable(Timestamp),
  callingWindow: nullable(WindowInput),
  maxConcurrentCalls: Type.Integer({ minimum: 1, maximum: 1_000 }),
  maxAttempts: Type.Integer({ minimum: 1, maximum: 10 }),
  retryDelayMinutes: Type.Integer({ minimum: 1, maximum: 10_080 }),
  greetingTemplate: nullable(
    Type.String({
      maxLength: 2_000,
      description: "Said first, in place of the business's greeting; {{name}} is filled",
    }),
  ),
  instructions: nullable(
    Type.String({ maxLength: 10_000, description: "Added to the business's prompt; {{name}} is filled" }),
  ),
  voicemail: VoicemailInput,
  recording: RecordingInput,
  destinations: TransferDestinations,
  listeningNotice: oneOf(LISTENING_NOTICES, {
    description: 'How the caller learns that somebody begins to listen to the call',
  }),
  toolIds: ToolIds,
  outputs: Outputs,
  criteria: Criteria,
  split: Split,
};

export const CampaignPatch = Type.Object(
  {
    ...Type.Partial(Type.Object(fields)).properties,
    status: Type.Optional(
      oneOf(CAMPAIGN_STATUSES, { description: 'Only as it is: start, pause and resume change it' }),
    ),
  },
  { additionalProperties: false },
);
export type CampaignPatch = Static<typeof CampaignPatch>;

export const CampaignCreate = Type.Object(
  {
    ...Type.Partial(Type.Object(fields)).properties,
    name: fields.name,
    agentId: fields.agentId,
    businessId: fields.businessId,
    status: Type.Optional(oneOf(['DRAFT', 'SCHEDULED'] as const, { default: 'DRAFT' })),
  },
  { additionalProperties: false },
);
export type CampaignCreate = Static<typeof CampaignCreate>;

export const CampaignQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(oneOf(CAMPAIGN_STATUSES)),
  agentId: Type.Optional(Type.String({ minLength: 1 })),
});
export type CampaignQuery = Static<typeof CampaignQuery>;

const record = {
  id: Type.String(),
  name: Type.String(),
  description: nullable(Type.String()),
  agentId: Type.String(),
  businessId: Type.String(),
  phoneNumberIds: Type.Array(Type.String()),
  status: oneOf(CAMPAIGN_STATUSES),
  scheduledAt: nullable(Timestamp),
  callingWindow: Type.Object({
    timezone: Type.Optional(nullable(Type.String())),
    days: Type.Array(oneOf(WEEKDAYS)),
    start: Type.String(),
    end: Type.String(),
  }),
  maxConcurrentCalls: Type.Integer(),
  maxAttempts: Type.Integer(),
  retryDelayMinutes: Type.Integer(),
  greetingTemplate: nullable(Type.String()),
  instructions: nullable(Type.String()),
  voicemail: Type.Object({ action: oneOf(VOICEMAIL_ACTIONS), message: nullable(Type.String()) }),
  recording: Type.Object({ enabled: Type.Boolean(), format: oneOf(RECORDING_FORMATS) }),
  destinations: Type.Array(TransferDestinationRecord),
  listeningNotice: oneOf(LISTENING_NOTICES),
  toolIds: Type.Array(Type.String()),
  outputs: Outputs,
  criteria: Criteria,
  split: Split,
  _count: Type.Object({ contacts: Type.Integer(), calls: Type.Integer() }),
  startedAt: nullable(Timestamp),
  completedAt: nullable(Timestamp),
  createdAt: Timestamp,
  deletedAt: nullable(Timestamp),
};

export const CampaignRecord = Type.Object(record, { title: 'Campaign' });

const Preflight = Type.Object({
  willCall: Type.Integer({ description: 'Contacts that will be called' }),
  willSkip: Type.Unsafe<Record<string, number>>({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description:
      'Contacts that will not now, by reason: do_not_call, no_trunk, numbers, trunk_down (they wait until it is up), minutes, spend, destination. The list is open',
  }),
});
export type Preflight = Static<typeof Preflight>;

export const StartedCampaign = Type.Object({ ...record, preflight: Preflight }, { title: 'StartedCampaign' });

export const CampaignDetails = Type.Object(
  {
    ...record,
    preflight: Type.Optional({
      ...Preflight,
      description: 'While it is RUNNING: what happens to the waiting contacts now',
    }),
  },
  { title: 'CampaignDetails' },
);

export const CampaignPreviewBody = Type.Object(
  {
    variables: Type.Optional(Variables),
    callerName: Type.Optional(nullable(Type.String({ maxLength: 200 }))),
    direction: Type.Optional(oneOf(['inbound', 'outbound'] as const, { default: 'outbound' })),
  },
  { additionalProperties: false },
);
export type CampaignPreviewBody = Static<typeof CampaignPreviewBody>;

export const CampaignPreview = Type.Object(
  {
    greeting: Type.String({ description: 'What the agent says first' }),
    voicemailMessage: nullable(Type.String({ description: 'Null where none is left' })),
    instructions: nullable(Type.String()),
    prompt: Type.String({ description: 'The system prompt of a language model, with the instructions' }),
    missing: Type.Array(Type.String(), { description: 'Names that nothing fills: they are left out' }),
  },
  { title: 'CampaignPreview' },
);
export type CampaignPreview = Static<typeof CampaignPreview>;

export const StatsRecord = Type.Object(
  {
    totalContacts: Type.Integer(),
    completedCalls: Type.Integer(),
    successfulCalls: Type.Integer({ description: 'COMPLETED with an outcome other than hung_up and agent_failed' }),
    failedCalls: Type.Integer(),
    voicemails: Type.Integer(),
    averageCallDuration: Type.Number({ description: 'Seconds, over answered calls' }),
    totalMinutes: Type.Number(),
  },
  { title: 'CampaignStats' },
);
