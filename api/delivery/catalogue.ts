// Every webhook event: its cause and the schema of its `data`. Tests check the outbox against these schemas, test
// deliveries follow them, and the OpenAPI document and docs/webhooks.md show them.
import { type TObject, type TSchema, Type } from 'typebox';
import { TRANSFER_ACCEPTS, TRANSFER_MODES } from '../../db/domain/numbers/transfer-destinations.ts';
import type { EventType } from '../../db/outbox.ts';
import { AppointmentRecord } from '../appointments/schema.ts';
import { CallRecord, LanguageChangeRecord, ResumptionRecord } from '../calls/schema.ts';
import { CampaignRecord } from '../campaigns/schema.ts';
import { ContactRecord } from '../contacts/schema.ts';
import { MessageRecord } from '../conversations/schema.ts';
import { oneOf, Timestamp } from '../frame/envelope-schema.ts';
import { PortOrder } from '../port-in/schema.ts';
import { SpendLimitReached } from '../spend/spend-limits.ts';
import { CanaryRecord } from '../versions/schema.ts';

interface CatalogueEntry {
  /** When it is sent. */
  summary: string;
  /** The resource in `data`. */
  data: TObject;
}

const CallAnalysed = Type.Object(
  {
    callId: Type.String(),
    data: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: {} }),
    reasons: Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }),
    criteria: Type.Unsafe<Record<string, boolean | null>>({
      type: 'object',
      additionalProperties: { type: ['boolean', 'null'] },
    }),
    by: Type.Unsafe<'model' | 'receptionist'>({ type: 'string', enum: ['model', 'receptionist'] }),
    analysedAt: Timestamp,
    score: Type.Unsafe<number | null>({ type: ['number', 'null'] }),
    disposition: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    rerunId: Type.Optional(
      Type.String({ description: 'The rerun that read the call again; absent where it was read after its end' }),
    ),
  },
  { title: 'CallAnalysed' },
);

/** The members beside the record are there when the person is one of `destinations`. */
const TransferredCall = Type.Object(
  {
    ...CallRecord.properties,
    destination: Type.Optional(Type.String({ description: 'Its name; absent for transferNumber, as the next three' })),
    mode: Type.Optional(oneOf(TRANSFER_MODES)),
    accepted: Type.Optional(oneOf(TRANSFER_ACCEPTS, { description: 'How the person took the call' })),
    waitedMs: Type.Optional(Type.Integer({ description: 'How long the caller waited for the person' })),
  },
  { title: 'TransferredCall' },
);

export const CATALOGUE: Record<EventType, CatalogueEntry> = {
  'call.started': { summary: 'An outbound call is being placed: its INVITE has left', data: CallRecord },
  'call.received': { summary: 'An inbound or browser call has arrived', data: CallRecord },
  'call.ended': {
    summary: 'A call has ended, answered or not; sent once for every call, with transcript and summary',
    data: CallRecord,
  },
  'call.failed': { summary: 'Beside call.ended: the call was not answered or broke down', data: CallRecord },
  'call.voicemail': { summary: 'Beside call.ended: an answering machine took the call', data: CallRecord },
  'call.transferred': { summary: 'The caller was handed to a person', data: TransferredCall },
  'call.language_changed': {
    summary: 'A call goes on in another of the agent’s languages',
    data: Type.Object({ ...CallRecord.properties, change: LanguageChangeRecord }, { title: 'CallInOtherLanguage' }),
  },
  'call.resumed': {
    summary: 'A call went on after its engine had died, or was replaced: how long its caller heard nothing',
    data: Type.Object({ ...CallRecord.properties, resumption: ResumptionRecord }, { title: 'ResumedCall' }),
  },
  'call.analysed': {
    summary: 'What a business or a campaign wants to know of a call was found, some seconds after its end',
    data: CallAnalysed,
  },
  'appointment.scheduled': {
    summary: 'An appointment was booked: on a call, in writing or by hand',
    data: AppointmentRecord,
  },
  'appointment.changed': {
    summary: 'An appointment was moved, cancelled or booked again: by a caller, a client, or in a calendar',
    data: AppointmentRecord,
  },
  'message.received': { summary: 'A person has sent a text to one of your numbers', data: MessageRecord },
  'message.sent': {
    summary: 'A carrier has taken a text to a person: of an agent, a user or the service',
    data: MessageRecord,
  },
  'contact.opted_out': { summary: 'A contact asked not to be called again', data: ContactRecord },
  'campaign.completed': { summary: 'Every contact of a campaign has been dealt with', data: CampaignRecord },
  'port-order.status_changed': {
    summary: 'The order to port a number has moved on',
    data: Type.Omit(PortOrder, ['documents'], { title: 'MovedPortOrder' }) as unknown as TObject,
  },
  'canary.ended': {
    summary:
      'A version that led a share of the calls was published, has gone back because it was worse, or was stopped',
    data: CanaryRecord,
  },
  'account.spend_limit': {
    summary: 'The outbound minutes of an hour or a day have reached an alarm or a stop; once for each',
    data: SpendLimitReached,
  },
};

/** The whole body of a delivery. */
export function messageSchema(type: EventType): TSchema {
  return Type.Object({
    id: Type.String({ description: 'The event: the same over retries and replays, and header webhook-id' }),
    type: Type.Unsafe<EventType>({ type: 'string', const: type }),
    createdAt: Timestamp,
    data: CATALOGUE[type].data,
  });
}

const SIGNATURE_HEADERS = [
  ['webhook-id', 'The event id; use it to drop what you have had already'],
  ['webhook-timestamp', 'Seconds since the epoch at which this attempt was signed'],
  ['webhook-signature', '`v1,` and base64 of HMAC-SHA256 over `id.timestamp.body`, keyed with SHA-256(secret)'],
] as const;

/** The `webhooks` section of the OpenAPI 3.1 document. */
export function openapiWebhooks(): Record<string, unknown> {
  const entries = (Object.keys(CATALOGUE) as EventType[]).map((type) => [
    type,
    {
      post: {
        tags: ['Webhooks'],
        summary: CATALOGUE[type].summary,
        operationId: `webhook_${type.replaceAll(/[^a-z]/g, '_')}`,
        security: [],
        parameters: SIGNATURE_HEADERS.map(([name, description]) => ({
          name,
          in: 'header',
          required: true,
          description,
          schema: { type: 'string' },
        })),
        requestBody: { required: true, content: { 'application/json': { schema: plain(messageSchema(type)) } } },
        responses: {
          '2XX': { description: 'Received. Anything else, or no answer within 15 s, is tried again' },
          '410': { description: 'The receiver is gone: the webhook is switched off' },
        },
      },
    },
  ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

const plain = (schema: TSchema): unknown => JSON.parse(JSON.stringify(schema));
