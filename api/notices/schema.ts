// Schemas of `notify`, the rules of a business by which its owners are told of calls, and of the log of what was sent.

import { type Static, Type } from 'typebox';
import {
  ALERT_KIND,
  NOTICE_CHANNELS,
  NOTICE_DETAILS,
  NOTICE_FILTERS,
  NOTICE_KINDS,
  NOTICE_RULES_MAX,
  NOTICE_TIMES,
} from '../../db/domain/notices/rules.ts';
import { nullable, oneOf, Timestamp } from '../frame/envelope-schema.ts';
import { pageQuery } from '../frame/pagination.ts';
import { CLOCK_TIME } from '../frame/patterns.ts';

const KIND_HELP =
  '`call_ended`: a call that was answered; `call_missed`: an inbound one that was not; `appointment`: booked, moved or cancelled on a call; `callback`: promised on a call; `results`: what was wanted of a call was found; `agent_failed`: the agent left the caller without an answer; `calendar`: a connected one has to be opened again';
const CHANNEL_HELP =
  '`mail`; `slack`: an incoming webhook; `teams`: the address of a workflow; `webhook`: JSON to a system of yours. `sms`: a text by a number of the business, always with `detail: link`';
const TO_HELP =
  'An address of e-mail, a number in E.164, or https. One of https is a secret: it is kept sealed, and shown by its host and a digest. Sent back so, it stays';
const DETAIL_HELP =
  '`link`: when it was, how it ended and where to read it: no name, number or word of a caller leaves the service';
const WHEN_HELP =
  '`at_once`; `hourly` and `daily`: one message with a line for each call. More than ten in an hour to one recipient become one an hour by themselves';

const clock = (description: string) => Type.String({ pattern: CLOCK_TIME, description });
/** Whom an alert is told: one recipient of a notice rule. */
const recipient = {
  by: oneOf(NOTICE_CHANNELS, { description: CHANNEL_HELP }),
  to: Type.String({ minLength: 1, maxLength: 2_000, description: TO_HELP }),
  secret: Type.Optional(
    nullable(
      Type.String({
        minLength: 16,
        maxLength: 200,
        description: 'Of a webhook: it is signed as webhooks are. Without the field it stays, null removes it',
      }),
    ),
  ),
};
const isSigned = Type.Optional(Type.Boolean({ description: 'Of the record; ignored here' }));

export const NoticeRecipient = Type.Object({ ...recipient, isSigned }, { additionalProperties: false });

const Quiet = { from: clock('HH:MM'), to: clock('HH:MM; before `from`: of the next day') };

export const NoticeQuiet = Type.Optional(
  nullable(
    Type.Object(Quiet, {
      additionalProperties: false,
      description: 'In the time zone of the business, or of the alert rule: what is told at once waits for its end',
    }),
  ),
);

const NoticeRuleInput = Type.Object(
  {
    on: oneOf(NOTICE_KINDS, { description: KIND_HELP }),
    filter: Type.Optional(
      oneOf(NOTICE_FILTERS, {
        default: 'all',
        description: 'Of call_ended: `not_transferred`: no person took the call',
      }),
    ),
    ...recipient,
    detail: Type.Optional(oneOf(NOTICE_DETAILS, { default: 'full', description: DETAIL_HELP })),
    when: Type.Optional(oneOf(NOTICE_TIMES, { default: 'at_once', description: WHEN_HELP })),
    at: Type.Optional(clock('Of `daily`, in the time zone of the business. Default 18:00')),
    quiet: NoticeQuiet,
    isSigned,
  },
  { additionalProperties: false },
);
export type NoticeRuleInput = Static<typeof NoticeRuleInput>;

export const NoticeRulesInput = Type.Array(NoticeRuleInput, {
  maxItems: NOTICE_RULES_MAX,
  description: 'Who is told of what happened on calls, and when (docs/notices.md)',
});

export const NoticeRuleRecord = Type.Object(
  {
    on: oneOf(NOTICE_KINDS),
    filter: oneOf(NOTICE_FILTERS),
    by: oneOf(NOTICE_CHANNELS),
    to: Type.String(),
    isSigned: Type.Boolean(),
    detail: oneOf(NOTICE_DETAILS),
    when: oneOf(NOTICE_TIMES),
    at: Type.String(),
    quiet: nullable(Type.Object({ from: Type.String(), to: Type.String() })),
  },
  { title: 'NoticeRule' },
);

const STATUSES = ['waiting', 'sent', 'failed', 'dropped'] as const;

export const NoticeMessageRecord = Type.Object(
  {
    id: Type.String(),
    on: Type.Array(oneOf([...NOTICE_KINDS, ALERT_KIND])),
    by: oneOf(NOTICE_CHANNELS),
    to: Type.String({ description: 'Masked' }),
    notices: Type.Integer({ description: 'What it tells of; more than one: a digest' }),
    status: oneOf(STATUSES, {
      description: '`dropped`: its calls were erased, or its rule was removed, before it was sent',
    }),
    attempts: Type.Integer(),
    nextAttemptAt: nullable(Timestamp),
    error: nullable(Type.String({ description: 'Of the last attempt that failed' })),
    isTest: Type.Boolean(),
    createdAt: Timestamp,
    doneAt: nullable(Timestamp),
  },
  { title: 'NoticeMessage' },
);
export type NoticeMessageRecord = Static<typeof NoticeMessageRecord>;

export const NoticeQuery = Type.Object({ ...pageQuery, status: Type.Optional(oneOf(STATUSES)) });
export type NoticeQuery = Static<typeof NoticeQuery>;

export const NoticeTest = Type.Object(
  {
    index: Type.Integer({
      minimum: 0,
      maximum: NOTICE_RULES_MAX - 1,
      description: 'Of the rule in `notify`, from 0, as the record shows it',
    }),
  },
  { additionalProperties: false },
);
