// How long rows are kept that go by themselves, by their table. The API deletes them (api/upkeep/retention.ts), or the
// engine that leads (engine/housekeeping.ts). Calls are kept as their account wants: docs/erasure.md.
import { DAY_MS, HOUR_MS } from '../domain/hours/durations.ts';
import type { Schema } from '../schema.ts';

export const KEPT_MS = {
  /** A repeated request gets the first answer for so long. */
  idempotencyKeys: DAY_MS,
  /** A year and a month: who asks after a year still finds it. */
  auditLog: 400 * DAY_MS,
  /** For questions which calls failed. */
  reruns: 90 * DAY_MS,
  testRuns: 90 * DAY_MS,
  /** From here to `loginFailures`: after they have expired. */
  refreshTokens: DAY_MS,
  revokedTokens: 0,
  oneTimeTokens: 0,
  engineRequests: DAY_MS,
  loginFailures: DAY_MS,
  /** Limits look back a day; the rest is for questions about what happened. */
  accountHours: 35 * DAY_MS,
  /** To which nobody has signed in. */
  accounts: 7 * DAY_MS,
  /** Names of those of erased calls and conversations, after they are over. */
  appointments: 0,
  /** After the order is completed: a port may be disputed. */
  portDocuments: 30 * DAY_MS,
  /** After its deletion a business can be restored for so long. */
  businesses: 90 * DAY_MS,
  webhookDeliveries: 30 * DAY_MS,
  noticeMessages: 30 * DAY_MS,
  /** After it began; one that goes on stays. */
  alertFirings: 90 * DAY_MS,
  /** The memories of agents: later they read the messages, which redaction has gone over. */
  conversations: DAY_MS,
  /** Longer than appointments lie ahead: none is confirmed twice. */
  appointmentTexts: 400 * DAY_MS,
  /** Bounds on bookings in writing look back a day. */
  bookingTries: 2 * DAY_MS,
  /** After the appointment is over: nothing of it is compared any more. */
  calendarEntries: 2 * DAY_MS,
  /** After it has ended. */
  calendarSignIns: HOUR_MS,
  /** After its deletion a subscription stays as long as its log. */
  webhooks: 30 * DAY_MS,
  /** Longer than a call: those under way count. */
  widgetCalls: 8 * DAY_MS,
  events: 30 * DAY_MS,
  /** Few of each trunk, and so many in all: but a trunk that nobody calls any more displaces none. */
  readInvites: 30 * DAY_MS,
  refusedCalls: 30 * DAY_MS,
  callFeed: DAY_MS,
  /** Engines and APIs that ended are shown for so long. */
  engines: HOUR_MS,
  processes: HOUR_MS,
  /** A spool is sent within minutes; an engine's disk may return after days. */
  appliedOperations: 7 * DAY_MS,
} as const satisfies Partial<Record<keyof Schema, number>>;
