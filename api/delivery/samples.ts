// Synthetic resources for `POST /webhooks/:id/test`: complete and plausible, so that a receiver can be developed with
// them. Their ids are not real.

import type { CallOutcome, EndReason } from '../../db/domain/calls/ends.ts';
import type { LanguageChange, Resumption } from '../../db/domain/calls/timeline.ts';
import { CAMPAIGN_DEFAULTS, DEFAULT_CALLING_WINDOW } from '../../db/domain/campaign-defaults.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../db/domain/hours/durations.ts';
import { spendSpan } from '../../db/domain/spend.ts';
import { unreachable } from '../../db/domain/unexpected.ts';
import type { EventType } from '../../db/outbox.ts';
import type { TransferTold } from '../../db/queries/calls/running/changes.ts';
import { type CallResource, callResource } from '../../db/records/call-record.ts';
import {
  type AppointmentResource,
  type CallAnalysis,
  type CampaignResource,
  type ContactResource,
  isoTime,
  type PortOrderResource,
} from '../../db/records/resources.ts';
import { ringingCall } from '../../db/schema/call-columns.ts';
import type { MessageRecord } from '../conversations/schema.ts';
import type { SpendLimitResource } from '../spend/spend-alarms.ts';
import type { CanaryRecord } from '../versions/schema.ts';

type CallAnalysed = CallAnalysis & { callId: string; score: number | null; disposition: string | null };
type ResumedCall = CallResource & { resumption: Resumption };
type CallInOtherLanguage = CallResource & { change: LanguageChange };
type TransferredCall = CallResource & TransferTold;

/** The resource in `data` of a synthetic event of this type. */
export function sampleData(
  type: EventType,
  nowMs: number,
):
  | CallResource
  | ResumedCall
  | TransferredCall
  | CallInOtherLanguage
  | CallAnalysed
  | AppointmentResource
  | ContactResource
  | CampaignResource
  | PortOrderResource
  | SpendLimitResource
  | CanaryRecord
  | MessageRecord {
  switch (type) {
    case 'call.started':
      return call(nowMs, { startedAt: isoTime(nowMs), durationSeconds: 0 });
    case 'call.received':
      return call(nowMs, {
        direction: 'inbound',
        fromNumber: '+12025550143',
        toNumber: '+12025550100',
        callerName: null,
        variables: {},
        metadata: {},
        startedAt: isoTime(nowMs),
        durationSeconds: 0,
      });
    case 'call.ended':
      return call(nowMs, finished(nowMs));
    case 'call.failed':
      return call(nowMs, {
        status: 'FAILED',
        outcome: 'no_answer',
        endReason: 'no_answer',
        sipStatus: 480,
        q850Cause: 19,
        endedAt: isoTime(nowMs),
        durationSeconds: 0,
      });
    case 'call.voicemail':
      return call(nowMs, {
        status: 'VOICEMAIL',
        outcome: 'voicemail_left',
        endReason: 'voicemail',
        endedAt: isoTime(nowMs),
        durationSeconds: 21,
        summary: 'Left the campaign’s message on an answering machine.',
      });
    case 'call.transferred':
      return {
        ...call(nowMs, { status: 'IN_PROGRESS', outcome: 'transferred', durationSeconds: 48 }),
        destination: 'Billing',
        mode: 'brief',
        accepted: 'key',
        waitedMs: 14_200,
      };
    case 'call.language_changed':
      return {
        ...call(nowMs, { status: 'IN_PROGRESS', durationSeconds: 0 }),
        change: { atMs: 9_840, from: 'en-US', to: 'de-DE', by: 'wish', outcome: 'changed' },
      };
    case 'call.resumed':
      return {
        ...call(nowMs, { status: 'IN_PROGRESS', durationSeconds: 0 }),
        resumption: { atMs: 48_120, gapMs: 1_740, cause: 'crash' },
      };
    case 'call.analysed':
      return {
        callId: sampleId('call'),
        data: { reason: 'check-up', isNewPatient: true, callBackAt: null },
        reasons: { callBackAt: 'The call does not say it.' },
        criteria: { greeted_by_name: true, offered_appointment: false },
        by: 'model',
        analysedAt: isoTime(nowMs),
        score: 0.5,
        disposition: 'partly_met',
      };
    case 'appointment.scheduled':
      return appointment(nowMs);
    case 'appointment.changed':
      return { ...appointment(nowMs), status: 'cancelled' };
    case 'message.received':
      return sampleMessage(nowMs);
    case 'message.sent':
      return {
        ...sampleMessage(nowMs),
        author: 'agent',
        from: '+12125550100',
        to: '+14155550123',
        status: 'sent',
        doneAt: isoTime(nowMs),
      };
    case 'contact.opted_out':
      return contact(nowMs);
    case 'campaign.completed':
      return sampleCampaign(nowMs);
    case 'canary.ended':
      return canary(nowMs);
    case 'account.spend_limit':
      return spendLimit(nowMs);
    case 'port-order.status_changed':
      return portOrder(nowMs);
    default:
      return unreachable(type);
  }
}

export const sampleMessage = (nowMs: number): MessageRecord => ({
  ...{ id: sampleId('msg'), conversationId: sampleId('cnv'), author: 'person', userId: null },
  ...{ from: '+14155550123', to: '+12125550100', text: 'Are you open on Saturday?', segments: 1 },
  ...{ status: 'received', error: null, createdAt: isoTime(nowMs), doneAt: null },
});

export const sampleId = (prefix: string): string => `${prefix}_00000000000000000000sample`;

/** With the very words of real calls, so that a receiver that is tried on a sample knows them. */
type CallSample = Partial<CallResource> & { outcome?: CallOutcome; endReason?: EndReason };

function call(nowMs: number, differs: CallSample): CallResource {
  const begun = ringingCall({
    id: sampleId('call'),
    accountId: sampleId('acc'),
    businessId: sampleId('biz'),
    campaignId: sampleId('cmp'),
    agentId: sampleId('agt'),
    phoneNumberId: sampleId('pn'),
    contactId: null,
    direction: 'outbound',
    medium: 'sip',
    forwardedFrom: null,
    fromNumber: '+12025550100',
    toNumber: '+12025550143',
    callerName: 'Jamie Rivera',
    variables: JSON.stringify({ firstName: 'Jamie', dueDate: 'May 3' }),
    metadata: JSON.stringify({ crmId: '4711' }),
    trunkId: null,
    engineId: null,
    nowMs: nowMs - 95_000,
  });
  const status = differs.durationSeconds === 0 ? 'RINGING' : 'IN_PROGRESS';
  return { ...callResource(begun), status, ...differs };
}

function finished(nowMs: number): CallSample {
  return {
    status: 'COMPLETED',
    outcome: 'completed',
    endReason: 'caller_hangup',
    endedAt: isoTime(nowMs),
    durationSeconds: 87,
    sentiment: 'positive',
    summary: 'Jamie asked for an appointment and booked a check-up.',
    tags: ['booking'],
    transcript: [
      { speaker: 'agent', text: 'Hello, this is the front desk. How can I help?', timestamp: 420 },
      { speaker: 'caller', text: 'I would like to book a check-up.', timestamp: 4_380 },
      { speaker: 'agent', text: 'Tomorrow at ten is free. Shall I book it?', timestamp: 6_010 },
      { speaker: 'caller', text: 'Yes, please.', timestamp: 9_240 },
    ],
    latency: { turns: 2, p50Ms: 480, p95Ms: 610 },
    usage: {
      promptTokens: 4_120,
      cachedTokens: 3_072,
      completionTokens: 96,
      requests: 5,
      fallbackRequests: 0,
      discardedRequests: 1,
      discardedTokens: 1_034,
    },
    // Some seconds after its end, and where the account is shown costs.
    cost: null,
    appointments: [appointment(nowMs)],
  };
}

function appointment(nowMs: number): AppointmentResource {
  const startsAt = Math.ceil(nowMs / DAY_MS) * DAY_MS + 10 * HOUR_MS;
  return {
    id: sampleId('apt'),
    callId: sampleId('call'),
    conversationId: null,
    businessId: sampleId('biz'),
    service: 'Check-up',
    startsAt: isoTime(startsAt),
    endsAt: isoTime(startsAt + 30 * MINUTE_MS),
    name: 'Jamie Rivera',
    phone: '+12025550143',
    notes: null,
    status: 'booked',
    resource: 'Anna',
    reference: '482913',
    history: [],
    reminder: null,
  };
}

function contact(nowMs: number): ContactResource {
  return {
    id: sampleId('cnt'),
    phoneNumber: '+12025550143',
    name: 'Jamie Rivera',
    email: 'jamie@example.com',
    status: 'DO_NOT_CALL',
    attempts: 1,
    lastCallId: sampleId('call'),
    nextAttemptAt: null,
    variables: { firstName: 'Jamie', dueDate: 'May 3' },
    metadata: { crmId: '4711' },
    createdAt: isoTime(nowMs - DAY_MS),
  };
}

export function sampleCampaign(nowMs: number): CampaignResource {
  return {
    id: sampleId('cmp'),
    name: 'Check-up reminders',
    description: null,
    agentId: sampleId('agt'),
    businessId: sampleId('biz'),
    phoneNumberIds: [sampleId('pn')],
    status: 'COMPLETED',
    scheduledAt: null,
    callingWindow: DEFAULT_CALLING_WINDOW,
    ...CAMPAIGN_DEFAULTS,
    greetingTemplate: 'Hello {{firstName}}, this is {{agentName}} from {{businessName}}.',
    instructions: 'Remind the patient of the check-up that is due by {{dueDate}}, and offer to book it.',
    voicemail: { action: 'hangup', message: null },
    recording: { enabled: true, format: 'mp3' },
    destinations: [],
    listeningNotice: 'none',
    toolIds: [],
    outputs: [],
    criteria: [],
    split: [],
    _count: { contacts: 120, calls: 188 },
    startedAt: isoTime(nowMs - DAY_MS),
    completedAt: isoTime(nowMs),
    createdAt: isoTime(nowMs - 2 * DAY_MS),
    deletedAt: null,
  };
}

function canary(nowMs: number): CanaryRecord {
  return {
    id: sampleId('can'),
    subject: 'agent',
    subjectId: sampleId('agt'),
    version: 4,
    publishedVersion: 3,
    share: 10,
    calls: 100,
    actor: sampleId('user'),
    canaryCalls: 37,
    publishedCalls: 321,
    result: 'rolled_back',
    evidence: [
      {
        measure: 'transferred',
        direction: 'more',
        canary: { value: 0.43, calls: 37 },
        published: { value: 0.15, calls: 321 },
        p: 0.0014,
      },
    ],
    createdAt: isoTime(nowMs - DAY_MS),
    endedAt: isoTime(nowMs),
  };
}

function portOrder(nowMs: number): PortOrderResource {
  return {
    id: sampleId('port'),
    phoneNumber: '+12025550100',
    loaSignedAt: isoTime(nowMs - 3 * DAY_MS).slice(0, 10),
    accountHolder: 'Rivera Dental LLC',
    status: 'FOC_SCHEDULED',
    statusHistory: [
      { status: 'DRAFT', at: isoTime(nowMs - 3 * DAY_MS) },
      { status: 'SUBMITTED', at: isoTime(nowMs - 2 * DAY_MS) },
      { status: 'IN_REVIEW', at: isoTime(nowMs - DAY_MS) },
      { status: 'FOC_SCHEDULED', at: isoTime(nowMs) },
    ],
    focDate: isoTime(nowMs + 5 * DAY_MS).slice(0, 10),
    createdAt: isoTime(nowMs - 3 * DAY_MS),
  };
}

function spendLimit(nowMs: number): SpendLimitResource {
  const { startsAtMs, endsAtMs } = spendSpan('hour', nowMs);
  return {
    accountId: sampleId('acc'),
    scope: 'account',
    level: 'alarm',
    window: 'hour',
    minutes: 52,
    limitMinutes: 50,
    startsAt: isoTime(startsAtMs),
    resetsAt: isoTime(endsAtMs),
  };
}
