// "Can you call me back at four?": asks for the time if none was named, and promises the call only once the tool has
// taken it.
import { DateTime } from 'luxon';
import { spansOn } from '../../../db/domain/hours/opening-hours.ts';
import { weekdayOf } from '../../../db/domain/hours/opening-times.ts';
import { yesOrNo } from './caller-intent.ts';
import { type Context, call, hasTool, type ReceptionistReply, say, vary, whenText } from './context.ts';
import { textIn } from './result-fields.ts';
import { settleTime, spokenDay, spokenDayPart, spokenTime, wordsOf } from './spoken-time.ts';

const ASKS =
  /\b((call|ring|phone|try) (me|us) (back|again|later|at|on|tomorrow|in (a|an|half|\w+ (minutes?|hours?)))|(give|drop) (me|us) a (call|ring)|call ?back|called back)\b/;
/** A call that the business itself makes is another matter: "can I call you back". */
const CALLS_ITSELF = /\b(i|we)('ll| will| can| could)? (call|ring|phone) (you|back)\b/;
const PART_MINUTES = { morning: 600, afternoon: 900, evening: 1_080 } as const;
const AMOUNTS: Record<string, number> = Object.fromEntries(
  'one two three four five six seven eight nine ten'.split(' ').map((word, at) => [word, at + 1]),
);

export function asksForCallback(context: Context, text: string): boolean {
  const said = wordsOf(text).join(' ');
  return hasTool(context, 'schedule_callback') && ASKS.test(said) && !CALLS_ITSELF.test(said);
}

/** Takes the wish with the time in the text, or asks for it. */
export function callBackAt(context: Context, text: string): ReceptionistReply {
  const at = wishedTime(context, text);
  if (at === null) return say(context, 'Of course. When shall we call you back?', 'callback', { callback: null });
  const iso = at.toISO({ suppressMilliseconds: true });
  return call(context, 'One moment.', 'schedule_callback', { at: iso }, { booking: null, callback: iso });
}

/** The answer to "When shall we call you back?", or to a time that was proposed; null: it is none. */
export function answerCallback(context: Context, text: string): ReceptionistReply | null {
  const { callback } = context.memory;
  if (wishedTime(context, text) !== null) return callBackAt(context, text);
  const answer = yesOrNo(text);
  if (answer === 'yes' && callback !== null)
    return call(context, 'One moment.', 'schedule_callback', { at: callback }, { callback });
  if (answer === 'no') return say(context, 'All right. What can I do for you?', 'nothing', { callback: null });
  return null;
}

/** Replies to the result of `schedule_callback`. */
export function callbackMade(context: Context, result: unknown): ReceptionistReply {
  const { ok, error, alternatives } = (result ?? {}) as { ok?: unknown; error?: unknown; alternatives?: unknown };
  // The result has it, whoever asked for it.
  const callback = textIn(result, ['at']) ?? context.memory.callback;
  if (ok === true && callback !== null && DateTime.fromISO(callback).isValid)
    return say(
      context,
      `All right, we will call you back ${whenText(context, callback)}. ${vary(context, ['Anything else?', 'Is there anything else I can do for you?'])}`,
      'anything-else',
      { callback: null },
    );
  const [next] = Array.isArray(alternatives) ? alternatives : [];
  if (typeof next === 'string' && DateTime.fromISO(next).isValid)
    return say(context, `We can't call you at that hour. How about ${whenText(context, next)}?`, 'callback', {
      callback: next,
    });
  if (error === 'in_the_past' || error === 'past' || error === 'too_far')
    return say(context, "I'm sorry, that time doesn't work. When else shall we call you back?", 'callback', {
      callback: null,
    });
  return say(context, "I'm sorry, I can't arrange that. Is there anything else I can do for you?", 'anything-else', {
    callback: null,
  });
}

/** Null: no time was named. A day alone means the part of it that was named. */
function wishedTime({ business, now }: Context, text: string): DateTime | null {
  const ahead = aheadMinutes(text);
  if (ahead !== null) return now.plus({ minutes: ahead }).startOf('minute');
  const time = spokenTime(text);
  const part = spokenDayPart(text);
  if (time === null && part === null) return null;
  const named = spokenDay(text, now);
  const day = named ?? now.startOf('day');
  const spans = spansOn(business.hours, weekdayOf(day));
  const minutes = time === null ? PART_MINUTES[part ?? 'morning'] : settleTime(time, spans);
  const at = day.startOf('day').set({ hour: Math.floor(minutes / 60), minute: minutes % 60 });
  return named === null && at <= now ? at.plus({ days: 1 }) : at;
}

/** "In half an hour", "in twenty minutes", "in an hour". */
function aheadMinutes(text: string): number | null {
  const said = wordsOf(text).join(' ');
  if (/\bin half an hour\b/.test(said)) return 30;
  const match = /\bin (an?|\d{1,3}|[a-z]+) (minute|hour)s?\b/.exec(said);
  if (match === null) return null;
  const [, amount = '', unit] = match;
  const count = /^an?$/.test(amount) ? 1 : (TENS[amount] ?? AMOUNTS[amount] ?? Number(amount));
  return Number.isInteger(count) && count > 0 ? count * (unit === 'hour' ? 60 : 1) : null;
}

const TENS: Record<string, number> = { fifteen: 15, twenty: 20, thirty: 30, forty: 40, fifty: 50 };
