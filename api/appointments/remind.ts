// The job that has appointments reminded of by a call: begins the calls that are due, and notes what came of those that
// have ended. Nothing is planned ahead, so an appointment that is moved or cancelled in time has no call. The
// businesses take turns: thousands of appointments of one that cannot be called keep no other's waiting.

import { storedHistory } from '../../db/domain/booking/history.ts';
import { REMINDER_HOURS_MIN, reminderDueAt } from '../../db/domain/booking/reminders.ts';
import { HOUR_MS } from '../../db/domain/hours/durations.ts';
import {
  appointmentsToRemind,
  endedReminders,
  type RemindedAppointment,
  type RemindingBusiness,
  remindingBusinesses,
} from '../../db/queries/businesses/reminders.ts';
import { scheduleReminder, settleReminder } from '../../db/rules/reminding.ts';
import { appointmentsWord, transact } from '../../db/scope.ts';
import type { ApiContext } from '../context.ts';

/** Later than that nobody is called: they are on their way. */
const LEAST_AHEAD_MS = HOUR_MS;
/** The day before, by any clock of the world, and an hour that was put back. */
const DAY_BEFORE_MS = 50 * HOUR_MS;
/** In one run; the next one follows within seconds, and goes on behind the last business of this one. */
const BUSINESSES = 200;
const CALLS = 50;
/** Of one business in a run: the next run goes on behind them, also where none of these could be called. */
const LOOKED_AT = 100;
const CALLS_OF_BUSINESS = 10;
const ENDED_AT_ONCE = 200;

/** How far the runs have come: the businesses in turn, and of each its appointments in turn. */
export class ReminderTurns {
  afterBusiness = '';
  /** By business, where its appointments are gone on with; absent: at the first. */
  readonly after = new Map<string, Pick<RemindedAppointment, 'id' | 'startsAt'>>();
}

export async function remindOfAppointments(context: ApiContext, turns = new ReminderTurns()): Promise<void> {
  await settleEnded(context);
  const businesses = await remindingBusinesses(context.read, { afterId: turns.afterBusiness, limit: BUSINESSES });
  let begun = 0;
  for (const business of businesses) {
    turns.afterBusiness = business.businessId;
    begun += await remindOfBusiness(context, business, turns);
    if (begun >= CALLS) return;
  }
  if (businesses.length < BUSINESSES) turns.afterBusiness = '';
}

/** Returns how many calls were begun. */
async function remindOfBusiness(
  context: ApiContext,
  business: RemindingBusiness,
  { after }: ReminderTurns,
): Promise<number> {
  const nowMs = context.now();
  const { businessId, dayBeforeAt, hoursBefore } = business;
  const aheadMs = dayBeforeAt === null ? (hoursBefore ?? REMINDER_HOURS_MIN) * HOUR_MS : DAY_BEFORE_MS;
  const range = { fromMs: nowMs + LEAST_AHEAD_MS, toMs: nowMs + aheadMs, limit: LOOKED_AT };
  const page = { ...range, after: after.get(businessId) ?? null };
  const appointments = await appointmentsToRemind(context.read, business, page);
  let begun = 0;
  for (const appointment of appointments) {
    // Later ones fall due later.
    if (reminderDueAt(business, appointment.startsAt, business.timezone) > nowMs) break;
    if (isDue(appointment, business, nowMs) && (await remind(context, business, appointment))) begun++;
    after.set(businessId, { id: appointment.id, startsAt: appointment.startsAt });
    if (begun >= CALLS_OF_BUSINESS) return begun;
  }
  const last = appointments.at(-1);
  const isMore = appointments.length === LOOKED_AT && last !== undefined && after.get(businessId)?.id === last.id;
  if (!isMore) after.delete(businessId);
  return begun;
}

/** One that was booked or moved after its time has just been spoken of. */
function isDue(appointment: RemindedAppointment, business: RemindingBusiness, nowMs: number): boolean {
  const dueAt = reminderDueAt(business, appointment.startsAt, business.timezone);
  const changedAt = Date.parse(storedHistory(appointment.history).at(-1)?.at ?? '') || 0;
  return dueAt <= nowMs && Math.max(appointment.createdAt, changedAt) < dueAt;
}

/** A fault of one keeps no other from being reminded of. */
async function remind(
  context: ApiContext,
  { accountId, businessId, campaignId, timezone }: RemindingBusiness,
  { id: appointmentId, startsAt }: RemindedAppointment,
): Promise<boolean> {
  const scope = { accounts: [accountId], words: [appointmentsWord(businessId)] };
  const wish = { accountId, appointmentId, startsAt, campaignId, timezone, nowMs: context.now() };
  try {
    return await transact(context.db, scope, (trx) => scheduleReminder(trx, wish));
  } catch (error) {
    if (context.outage.explains(error)) throw error;
    context.log.error({ err: error, appointment: appointmentId }, 'an appointment could not be reminded of');
    return false;
  }
}

/** Machines are not people: a message that was left reached nobody. */
async function settleEnded(context: ApiContext): Promise<void> {
  for (const { id, accountId, answeredAt, outcome } of await endedReminders(context.read, ENDED_AT_ONCE)) {
    const isReached = answeredAt !== null && outcome !== 'voicemail' && outcome !== 'voicemail_left';
    await settleReminder(context.db, { id, accountId, state: isReached ? 'undecided' : 'unreached' });
  }
}
