// The job that has appointments reminded of by a call: begins the calls that are due, and notes what came of those that
// have ended. Nothing is planned ahead, so an appointment that is moved or cancelled in time has no call.

import { storedHistory } from '../../db/domain/booking/history.ts';
import { REMINDER_HOURS_MAX, reminderDueAt } from '../../db/domain/booking/reminders.ts';
import { HOUR_MS } from '../../db/domain/hours/durations.ts';
import {
  appointmentsToRemind,
  endedReminders,
  type RemindedAppointment,
} from '../../db/queries/businesses/reminders.ts';
import { scheduleReminder, settleReminder } from '../../db/rules/reminding.ts';
import { appointmentsWord, transact } from '../../db/scope.ts';
import type { ApiContext } from '../context.ts';

/** Later than that nobody is called: they are on their way. */
const LEAST_AHEAD_MS = HOUR_MS;
const PAGE = 500;
/** In one run; the next one follows within seconds. */
const PAGES_MAX = 20;
const CALLS_AT_ONCE = 50;
const ENDED_AT_ONCE = 200;

export async function remindOfAppointments(context: ApiContext): Promise<void> {
  await settleEnded(context);
  const nowMs = context.now();
  const range = { fromMs: nowMs + LEAST_AHEAD_MS, toMs: nowMs + REMINDER_HOURS_MAX * HOUR_MS, limit: PAGE };
  let afterId = '';
  let begun = 0;
  for (let page = 0; page < PAGES_MAX && begun < CALLS_AT_ONCE; page++) {
    const appointments = await appointmentsToRemind(context.read, { ...range, afterId });
    for (const appointment of appointments)
      if (begun < CALLS_AT_ONCE && isDue(appointment, nowMs) && (await remind(context, appointment))) begun++;
    if (appointments.length < PAGE) return;
    afterId = appointments.at(-1)?.id ?? afterId;
  }
}

/** One that was booked or moved after its time has just been spoken of. */
function isDue(appointment: RemindedAppointment, nowMs: number): boolean {
  const dueAt = reminderDueAt(appointment, appointment.startsAt, appointment.timezone);
  const changedAt = Date.parse(storedHistory(appointment.history).at(-1)?.at ?? '') || 0;
  return dueAt <= nowMs && Math.max(appointment.createdAt, changedAt) < dueAt;
}

/** A fault of one keeps no other from being reminded of. */
async function remind(context: ApiContext, appointment: RemindedAppointment): Promise<boolean> {
  const { id: appointmentId, accountId, businessId, startsAt, campaignId, timezone } = appointment;
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
