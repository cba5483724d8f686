// "I need to cancel my appointment", "can we move it to Thursday at three": finds what is booked for the number that
// calls, names it, and cancels it after a yes, or moves it once day and time are known.
import { DateTime } from 'luxon';
import { spansOn } from '../../../db/domain/hours/opening-hours.ts';
import { weekdayOf } from '../../../db/domain/hours/opening-times.ts';
import { listText } from '../hours-text.ts';
import { yesOrNo } from './caller-intent.ts';
import { type Context, call, canTransfer, hasTool, type ReceptionistReply, say, vary, whenText } from './context.ts';
import type { OwnChange } from './memory.ts';
import { fieldOf, hasFailed, slotsIn, textIn } from './result-fields.ts';
import { settleTime, spokenDay, spokenTime, wordsOf } from './spoken-time.ts';

const IT = '(appointment|booking|reservation|visit)';
const CANCEL = new RegExp(
  `\\b(cancel|call off)\\b.{0,40}\\b${IT}\\b|\\b(can't|cannot|can not) (make|come to) my ${IT}\\b`,
);
const MOVE = new RegExp(`\\b(move|reschedule|change|shift|postpone|push)\\b.{0,40}\\b${IT}\\b|\\breschedule\\b`);
const OFFERED_MAX = 3;

/** Begins with what the caller has booked; null: they ask for something else. */
export function changeOwn(context: Context, text: string): ReceptionistReply | null {
  const said = wordsOf(text).join(' ');
  const kind = CANCEL.test(said) ? 'cancel' : MOVE.test(said) ? 'move' : null;
  if (kind === null || !hasTool(context, `${kind}_own_appointment`)) return null;
  const change = changeOf(context, { kind, found: [] }, text);
  const looking = vary(context, ['Let me look that up.', 'One moment, let me look.']);
  return call(context, looking, 'find_own_appointments', {}, { booking: null, change });
}

/** A change that begins, with the day and time that the words name. */
export const changeOf = (context: Context, of: Pick<OwnChange, 'kind' | 'found'>, text: string): OwnChange =>
  absorb(context, { ...of, index: 0, day: null, minutes: null }, text);

/** Whether the words name a day or a time. */
export const namesTime = ({ now }: Context, text: string): boolean =>
  spokenDay(text, now) !== null || spokenTime(text) !== null;

/** Replies to the result of `find_own_appointments`. */
export function ownFound(context: Context, result: unknown): ReceptionistReply {
  const { change } = context.memory;
  const list = fieldOf(result, 'appointments');
  const found = (Array.isArray(list) ? list : []).flatMap((each: unknown) => {
    const [id, startsAt] = [textIn(each, ['appointmentId']), textIn(each, ['startsAt'])];
    return id === null || startsAt === null ? [] : [{ id, startsAt, service: textIn(each, ['service']) }];
  });
  if (change === null || hasFailed(result) || found.length === 0)
    return toPerson(context, "I'm sorry, I can't find an appointment under this number.");
  return named(context, { ...change, found });
}

/** The answer to one of its questions; null: it is none. */
export function answerChange(context: Context, text: string): ReceptionistReply | null {
  const { change, pending } = context.memory;
  if (change === null) return null;
  const answer = yesOrNo(text);
  const current = change.found[change.index];
  if (current === undefined) return null;
  if (pending === 'change-which') {
    if (answer === 'yes') return carriedOut(context, absorb(context, change, text));
    if (answer !== 'no') return null;
    const next = { ...change, index: change.index + 1 };
    if (change.found[next.index] !== undefined) return named(context, next);
    return toPerson(context, 'Then I find no other one under this number.');
  }
  const heard = absorb(context, change, text);
  if (heard.day !== change.day || heard.minutes !== change.minutes) return carriedOut(context, heard);
  if (answer === 'yes') return carriedOut(context, change);
  if (answer === 'no')
    return say(context, 'All right, it stays as it is. Anything else?', 'anything-else', { change: null });
  return null;
}

/** Replies to the result of the tool that cancels or moves. */
export function ownChanged(context: Context, name: string, result: unknown): ReceptionistReply {
  const { change } = context.memory;
  const more = vary(context, ['Anything else?', 'Is there anything else I can do for you?']);
  const startsAt = textIn(result, ['startsAt']);
  const what = startsAt === null ? '' : whatText(context, { startsAt, service: textIn(result, ['service']) });
  if (!hasFailed(result)) {
    const done = name === 'move_own_appointment' ? `Done, it is now your ${what}.` : `I have cancelled your ${what}.`;
    return say(context, `${done} ${more}`, 'anything-else', { change: null });
  }
  const others = slotsIn(result, 'alternatives').slice(0, OFFERED_MAX);
  if (change === null || others.length === 0) return toPerson(context, "I'm sorry, I could not change that.");
  const offered = listText(
    others.map((slot) => whenText(context, slot)),
    'or',
  );
  // A mere time is on the day that was offered first; a yes takes the only one.
  const first = DateTime.fromISO(others[0] ?? '').setZone(context.now.zone);
  const minutes = others.length === 1 ? first.hour * 60 + first.minute : null;
  const again = { ...change, day: first.toISODate(), minutes };
  return say(context, `I'm sorry, that time isn't free. How about ${offered}?`, 'change-when', { change: again });
}

function named(context: Context, change: OwnChange): ReceptionistReply {
  const current = change.found[change.index];
  if (current === undefined) return toPerson(context, "I'm sorry, I can't find that appointment.");
  const wish = change.kind === 'cancel' ? 'Shall I cancel it?' : 'Is that the one you want to move?';
  return say(context, `You have a ${whatText(context, current)}. ${wish}`, 'change-which', { change });
}

/** Cancels it, or moves it once day and time are known. */
export function carriedOut(context: Context, change: OwnChange): ReceptionistReply {
  const current = change.found[change.index];
  if (current === undefined) return toPerson(context, "I'm sorry, I can't find that appointment.");
  const appointmentId = current.id;
  if (change.kind === 'cancel')
    return call(context, 'One moment.', 'cancel_own_appointment', { appointmentId }, { change });
  if (change.day === null) return say(context, 'To which day shall I move it?', 'change-when', { change });
  if (change.minutes === null) return say(context, 'And at what time?', 'change-when', { change });
  const day = DateTime.fromISO(change.day, { zone: context.now.zone });
  const at = day.set({ hour: Math.floor(change.minutes / 60), minute: change.minutes % 60 });
  const startsAt = at.toISO({ suppressMilliseconds: true });
  return call(context, 'One moment.', 'move_own_appointment', { appointmentId, startsAt }, { change });
}

/** Day and time of the words; a time without a day is on the day that was named, or on that of the appointment. */
function absorb({ business, now }: Context, change: OwnChange, text: string): OwnChange {
  const current = change.found[change.index];
  const day = spokenDay(text, now)?.toISODate() ?? change.day;
  const time = spokenTime(text);
  if (time === null) return { ...change, day };
  const own = current === undefined ? null : DateTime.fromISO(current.startsAt, { zone: now.zone }).toISODate();
  const on = day ?? own;
  const spans = on === null ? [] : spansOn(business.hours, weekdayOf(DateTime.fromISO(on, { zone: now.zone })));
  return { ...change, day: on, minutes: settleTime(time, spans) };
}

function toPerson(context: Context, text: string): ReceptionistReply {
  const done = { change: null };
  if (canTransfer(context)) return say(context, `${text} Shall I connect you with a person?`, 'offer-person', done);
  return say(context, `${text} Please call again during our opening hours.`, 'anything-else', done);
}

const whatText = (context: Context, { startsAt, service }: { startsAt: string; service: string | null }): string =>
  `${service?.toLowerCase() ?? 'appointment'} ${whenText(context, startsAt)}`;
