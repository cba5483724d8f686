// Schemas of alert rules, of what they fired, and of the figure that a rule has now.

import { type Static, Type } from 'typebox';
import {
  ALERT_COMPARISONS,
  ALERT_METRICS,
  ALERT_RECIPIENTS_MAX,
  ALERT_WINDOW,
} from '../../db/domain/alerts/metrics.ts';
import { NOTICE_CHANNELS } from '../../db/domain/notices/rules.ts';
import { nullable, oneOf, Timestamp } from '../frame/envelope-schema.ts';
import { NOT_BLANK } from '../frame/patterns.ts';
import { NoticeQuiet, NoticeRecipient } from '../notices/schema.ts';

const METRIC_HELP =
  '`calls` that began in the window (`below` 1: nobody calls at all); `failed_share` of ended calls; `transferred_share` and `early_hangup_share` (within 20 s) of answered ones; `answer_gap_p95_ms` over calls of their median gap; `cost` of the calls; `outbound_minutes`; `agent_failures`: calls that the agent left without an answer; `carrier_refusals` of outbound calls';

const id = (description: string) => Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 64, description })));

const fields = {
  name: Type.String({ minLength: 1, maxLength: 100, pattern: NOT_BLANK }),
  metric: oneOf(ALERT_METRICS, { description: METRIC_HELP }),
  comparison: oneOf(ALERT_COMPARISONS),
  value: Type.Number({
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'It fires above or below this; a share from 0 to 1. It is over a tenth of it farther back',
  }),
  windowMinutes: Type.Integer({ minimum: ALERT_WINDOW.min, maximum: ALERT_WINDOW.max, description: 'Up to now' }),
};

const choices = {
  minimumCalls: Type.Integer({
    minimum: 1,
    maximum: 100_000,
    description: 'Of fewer calls no share and no percentile fires. Default 10',
  }),
  isActive: Type.Boolean(),
};

export const AlertRuleCreate = Type.Object(
  {
    ...fields,
    minimumCalls: Type.Optional(choices.minimumCalls),
    isActive: Type.Optional(choices.isActive),
    businessId: id('Of its calls alone'),
    campaignId: id('Of its calls alone'),
    agentId: id('Of its calls alone'),
    to: Type.Array(NoticeRecipient, { minItems: 1, maxItems: ALERT_RECIPIENTS_MAX }),
    quiet: NoticeQuiet,
    timezone: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Of `quiet`; default: that of the business or account' }),
    ),
  },
  { additionalProperties: false },
);
export type AlertRuleCreate = Static<typeof AlertRuleCreate>;

export const AlertRulePatch = Type.Partial(AlertRuleCreate, { additionalProperties: false });
export type AlertRulePatch = Static<typeof AlertRulePatch>;

export const ALERT_READ_ONLY = ['id', 'state', 'current', 'calls', 'evaluatedAt', 'createdAt'];

export const AlertRuleRecord = Type.Object(
  {
    id: Type.String(),
    ...fields,
    ...choices,
    businessId: nullable(Type.String()),
    campaignId: nullable(Type.String()),
    agentId: nullable(Type.String()),
    to: Type.Array(
      Type.Object({
        by: oneOf(NOTICE_CHANNELS),
        to: Type.String({ description: 'An address of https as host and digest. Sent back so, it stays' }),
        isSigned: Type.Boolean(),
      }),
    ),
    quiet: nullable(Type.Object({ from: Type.String(), to: Type.String() })),
    timezone: Type.String(),
    state: oneOf(['ok', 'fires'] as const),
    current: nullable(Type.Number({ description: 'The figure as it was looked at last; null: of too few calls' })),
    calls: Type.Integer({ description: 'It was computed of so many' }),
    evaluatedAt: nullable(Timestamp),
    createdAt: Timestamp,
  },
  { title: 'AlertRule' },
);
export type AlertRuleRecord = Static<typeof AlertRuleRecord>;

export const AlertFiringRecord = Type.Object(
  {
    id: Type.String(),
    metric: oneOf(ALERT_METRICS),
    comparison: oneOf(ALERT_COMPARISONS),
    limit: Type.Number({ description: 'The value of the rule then' }),
    windowMinutes: Type.Integer(),
    value: Type.Number({ description: 'The figure as it fired' }),
    calls: Type.Integer(),
    endedValue: nullable(Type.Number()),
    endedAt: nullable(Timestamp),
    createdAt: Timestamp,
  },
  { title: 'AlertFiring' },
);
export type AlertFiringRecord = Static<typeof AlertFiringRecord>;
