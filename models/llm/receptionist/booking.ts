// The booking dialogue: asks for missing facts (service, day, time, name), looks up free times, repeats everything, and
// books only after a yes. Only a tool's answer confirms a booking; its format is read tolerantly.
import { DateTime } from 'luxon';
import { spansOn } from '../../../db/domain/hours/opening-hours.ts';
import { nextOpening, weekdayOf } from '../../../db/domain/hours/opening-times.ts';
import { clockText, listText } from '../hours-text.ts';
import { canHandOver } from '../persons.ts';
import { named } from './answers.ts';
import { findService, yesOrNo } from './caller-intent.ts';
import {
  type Context,
  call,
  dayText,
  hasTool,
  localTime,
  onDayText,
  type ReceptionistReply,
  say,
  vary,
} from './context.ts';
import type { Inherited } from './inherited-results.ts';
import { type Booking, EMPTY_BOOKING } from './memory.ts';
import { hasFailed, slotsIn, textIn } from './result-fields.ts';
import { settleTime, spokenDay, spokenDayPart, spokenTime } from './spoken-time.ts';

/** Free times offered in one sentence. */
const MAX_OFFERED = 3;
/** Bookings further ahead are left to a person. */
const MAX_DAYS_AHEAD = 180;
const MAX_NAME_CHARS = 60;
/** Free times this much earlier than the wanted time are offered too. */
const SEARCH_BEFORE_MINUTES = 45;
/** With anybody. */
const ANYBODY =
  /\b(any ?(body|one)|whoever|either|no preference|don't (mind|care)|doesn't matter|does not matter|first available)\b/i;
const ANY_TIME =
  /\b(any ?time|whatever|whenever|earliest|as soon as possible|first available|what do you have|doesn't matter)\b/i;

/** Begins or continues a booking with the facts in the text. */
export function bookFrom(context: Context, text: string): ReceptionistReply {
  if (!hasTool(context, 'schedule_appointment')) {
    const offer = canHandOver(context.business, context.request.nowMs)
      ? ' Shall I connect you with someone who can?'
      : '';
    return say(
      context,
      `I'm sorry, I can't make appointments myself.${offer}`,
      offer ? 'offer-person' : 'anything-else',
    );
  }
  return advance(context, absorb(context, context.memory.booking ?? EMPTY_BOOKING, text));
}

/** Handles an answer to one of the booking's questions; null when the text answers none. */
export function answerBooking(context: Context, text: string): ReceptionistReply | null {
  const { memory } = context;
  const { booking } = memory;
  if (!booking) return null;
  const answer = yesOrNo(text);
  if (memory.pending === 'confirm') {
    const changed = absorb(context, { ...booking, minutes: null, day: null }, text);
    const names = changed.day !== null || changed.minutes !== null;
    if (names) return advance(context, absorb(context, { ...booking, slots: null }, text));
    if (agreesTo(text)) return schedule(context, booking);
    if (answer === 'no') {
      if (/\b(cancel|never mind|forget)\b/i.test(text)) return dropped(context);
      const again = { ...booking, day: null, minutes: null, dayPart: null, slots: null };
      return say(context, 'All right. Which day and time would you like instead?', 'day', { booking: again });
    }
    return null;
  }
  if (memory.pending === 'name') {
    const answered = withName(booking, text, answer);
    // "Yes" to "may I have your name" says that they will give it.
    if (answer === 'yes' && answered.name === null && memory.missed === 0)
      return say(context, 'And what is your name?', 'name', { missed: 1 });
    return advance(context, answered);
  }
  if (memory.pending === 'staff') {
    const staff = staffNamed(context, text);
    if (staff !== null || answer === 'no' || ANYBODY.test(text))
      return advance(context, { ...absorb(context, booking, text), staff, staffAsked: true });
  }
  if (memory.pending === 'time' && booking.slots) {
    const chosen = chosenSlot(context, booking, text);
    if (chosen) return advance(context, chosen);
  }
  if (memory.pending === 'day' && answer === 'yes' && booking.day !== null && spokenDay(text, context.now) === null)
    return advance(context, absorb(context, booking, text));
  if (answer === 'no' && spokenDay(text, context.now) === null && spokenTime(text) === null) {
    if (memory.pending === 'service' || memory.pending === 'day') return dropped(context);
    const again = { ...booking, day: null, minutes: null, dayPart: null, slots: null };
    return say(context, 'What other day would suit you?', 'day', { booking: again });
  }
  return namesWhatOrWhen(context, text) ? advance(context, absorb(context, booking, text)) : null;
}

/** Whether the text says yes to the whole booking; "that's it" does as well. */
export function agreesTo(text: string): boolean {
  const answer = yesOrNo(text);
  return answer === 'yes' || (answer === null && /\bthat('s| is) it\b/i.test(text));
}

/** Whether the words announce a name: "my name is Sarah". */
export const introducesName = (text: string): boolean => /\b(name is|name's|this is)\s+\p{L}/iu.test(text);

/** Whether the text adds a service, a day or a time to the booking. */
export function namesWhatOrWhen(context: Context, text: string): boolean {
  const booking = context.memory.booking ?? EMPTY_BOOKING;
  return JSON.stringify(absorb(context, booking, text)) !== JSON.stringify(booking);
}

/** Asks again for the booking's next missing fact, after answering another question. */
export function resumeBooking(context: Context, lead: string): ReceptionistReply {
  const reply = advance(context, context.memory.booking ?? EMPTY_BOOKING);
  return { ...reply, text: `${lead} ${reply.text}` };
}

/** Replies to the result of `check_availability`. */
export function availabilityFound(context: Context, result: unknown): ReceptionistReply {
  const { memory, business, now } = context;
  const booking = memory.booking ?? EMPTY_BOOKING;
  if (hasFailed(result))
    return say(context, `I'm sorry, I can't look at our calendar right now. ${personOffer(context)}`, 'offer-person');
  const slots = slotsIn(result).filter((slot) => localTime(context, slot) > now);
  if (slots.length === 0) {
    const day = booking.day ? dayText(DateTime.fromISO(booking.day, { zone: now.zone }), now) : 'that day';
    const open = business.hours.length === 0 ? null : nextOpening(business.hours, dayOf(context, booking).endOf('day'));
    const other = open ? ` How about ${dayText(open, now)}?` : ' What other day would suit you?';
    // A yes to the proposed day counts as naming it.
    const proposed = { ...booking, day: open?.toISODate() ?? null, minutes: null, slots: null };
    return say(context, `I'm sorry, ${day} is fully booked.${other}`, 'day', { booking: proposed });
  }
  return advance(context, { ...booking, slots });
}

/** Replies to the result of `schedule_appointment`. */
export function appointmentMade(context: Context, result: unknown): ReceptionistReply {
  const booking = context.memory.booking ?? EMPTY_BOOKING;
  if (hasFailed(result)) {
    const again = { ...booking, minutes: null, slots: null };
    return advance(context, again, "I'm sorry, that time has just been taken.");
  }
  const when = whenText(context, bookedAs(context, booking, result));
  const text = vary(context, [
    `You're all set: ${when}. Is there anything else I can do for you?`,
    `Done, you are booked for ${when}. Can I help you with anything else?`,
  ]);
  return say(context, text, 'anything-else', { booking: null });
}

/** The appointment as the result has it, which is what counts. */
function bookedAs(context: Context, booking: Booking, result: unknown): Booking {
  const startsAt = textIn(result, ['startsAt']);
  const service = textIn(result, ['service']) ?? booking.service;
  if (startsAt === null || !localTime(context, startsAt).isValid) return { ...booking, service };
  const day = localTime(context, startsAt).toISODate();
  return { ...booking, service, day, minutes: minutesOf(context, startsAt) };
}

/**
 * Goes on with the booking of another model, from what its tool was asked and what it answered: free times, or other
 * times than the one that it could not have.
 */
export function bookingTakenOver(context: Context, { name, arguments: args, result }: Inherited): ReceptionistReply {
  const isRefusal = name === 'schedule_appointment';
  const asked = textIn(args, isRefusal ? ['startsAt'] : ['from']);
  const [first = asked, ...more] = slotsIn(result, isRefusal ? 'alternatives' : 'slots');
  const at = first === null ? null : localTime(context, first);
  const day = at?.isValid ? at.toISODate() : null;
  const slots = [first, ...more].flatMap((slot) =>
    slot !== null && slot !== asked && localTime(context, slot).toISODate() === day ? [slot] : [],
  );
  const service = textIn(result, ['service']) ?? textIn(args, ['service']);
  const caller = textIn(args, ['name']);
  const booking: Booking = { ...EMPTY_BOOKING, service, day, name: caller, nameAsked: caller !== null };
  const taken: Context = { ...context, memory: { ...context.memory, booking } };
  const offered: Booking = { ...booking, slots, dayPart: 'any' };
  if (!isRefusal) {
    // The times that were found come first; for what they are can be asked with the next question.
    if (service === null && slots.length > 0 && !hasFailed(result))
      return say(taken, offerText(taken, offered), 'time', { booking: offered });
    return availabilityFound(taken, hasFailed(result) ? result : { ...asObject(result), slots });
  }
  const isTaken = textIn(result, ['error']) === 'taken';
  const lead = isTaken ? "I'm sorry, that time is taken." : "I'm sorry, I could not book that.";
  if (slots.length === 0) return advance(taken, without(booking), lead);
  return say(taken, `${lead} ${offerText(taken, offered)}`, 'time', { booking: offered });
}

const asObject = (value: unknown): object => (value !== null && typeof value === 'object' ? value : {});

function advance(context: Context, booking: Booking, lead = ''): ReceptionistReply {
  const { business, now } = context;
  const ask = (text: string, pending: 'service' | 'staff' | 'day' | 'time' | 'name' | 'confirm', changed = booking) =>
    say(context, `${lead} ${text}`.trim(), pending, { booking: changed });
  if (booking.service === null && business.services.length === 1)
    return advance(context, { ...booking, service: business.services[0]?.name ?? null }, lead);
  if (booking.service === null && business.services.length > 1) {
    const names = business.services.slice(0, 4).map(({ name }) => name.toLowerCase());
    const question = vary(context, ['What would you like to book?', 'What can we do for you?']);
    return ask(`${question} We have ${listText(names, 'or')}.`, 'service');
  }
  const staff = context.business.resources ?? [];
  if (staff.length > 1 && booking.staff === null && !booking.staffAsked) {
    const names = staff.slice(0, STAFF_NAMED_MAX).map(({ name }) => name);
    const question = `With whom: ${listText(names, 'or')}? Anybody is fine, too.`;
    return ask(question, 'staff', { ...booking, staffAsked: true });
  }
  if (booking.day === null)
    return ask(vary(context, ['What day would you like to come in?', 'Which day suits you best?']), 'day');
  const day = dayOf(context, booking);
  if (day < now.startOf('day'))
    return ask('That day has already passed. Which day would you like?', 'day', without(booking));
  if (day > now.plus({ days: MAX_DAYS_AHEAD }))
    return ask("That's further ahead than I can book. Which other day would you like?", 'day', without(booking));
  const spans = spansOn(business.hours, weekdayOf(day));
  if (business.hours.length > 0 && spans.length === 0) {
    const open = nextOpening(business.hours, day.endOf('day'));
    const other = open ? ` We're open again ${onDayText(open, now)}.` : '';
    return ask(`We're closed ${onDayText(day, now)}.${other} Which day would you like?`, 'day', without(booking));
  }
  if (booking.minutes === null && booking.dayPart === null && booking.slots === null)
    return ask(vary(context, ['What time would you like?', 'And what time suits you?']), 'time');
  if (booking.slots === null && hasTool(context, 'check_availability')) {
    const from = DateTime.max(searchFrom(day, booking), now);
    const args = {
      ...(booking.service === null ? {} : { service: booking.service }),
      ...(booking.staff === null ? {} : { staff: booking.staff }),
      from: from.toISO({ suppressMilliseconds: true }),
      to: day.plus({ days: 1 }).startOf('day').toISO({ suppressMilliseconds: true }),
    };
    const checking = vary(context, ['Let me check.', 'One moment, let me look.', 'Let me see what we have.']);
    return call(context, `${lead} ${checking}`.trim(), 'check_availability', args, { booking });
  }
  if (booking.minutes === null) {
    if (booking.slots === null) return ask('What time exactly would you like?', 'time', { ...booking, dayPart: null });
    return ask(offerText(context, booking), 'time');
  }
  if (booking.slots && !booking.slots.some((slot) => minutesOf(context, slot) === booking.minutes)) {
    const near = nearest(context, booking.slots, booking.minutes);
    const offered = listText(
      near.map((slot) => clockText(minutesOf(context, slot))),
      'or',
    );
    return ask(
      `${clockText(booking.minutes)} isn't free, I'm afraid. I could offer you ${offered}. Which would you like?`,
      'time',
      {
        ...booking,
        minutes: null,
        slots: near,
      },
    );
  }
  if (booking.name === null && !booking.nameAsked) {
    const known = context.request.callerName;
    if (known) return advance(context, { ...booking, name: known, nameAsked: true }, lead);
    return ask(vary(context, ['And what name shall I put it under?', 'May I have your name, please?']), 'name');
  }
  const question = vary(context, ['Shall I book that?', 'Is that right?', 'Does that sound good?']);
  return ask(
    `So that's ${whenText(context, booking)}${booking.name ? `, for ${booking.name}` : ''}. ${question}`,
    'confirm',
  );
}

/** Start of the search: shortly before the wanted time, because tools return only a few times. */
function searchFrom(day: DateTime, booking: Booking): DateTime {
  if (booking.minutes !== null) return day.plus({ minutes: Math.max(0, booking.minutes - SEARCH_BEFORE_MINUTES) });
  const hour = booking.dayPart === 'afternoon' ? 12 : booking.dayPart === 'evening' ? 17 : 0;
  return day.set({ hour });
}

/** Takes service, day and time from a sentence. A new day invalidates the slots that were looked up. */
function absorb(context: Context, booking: Booking, text: string): Booking {
  const { business, now } = context;
  const service = findService(text, business)?.name ?? booking.service;
  const day = spokenDay(text, now) ?? earliestDay(context, text);
  const iso = day?.toISODate() ?? booking.day;
  // Their own name may be one of the staff's: only whom they want to come to counts.
  const staff = (WITH.test(text) ? staffNamed(context, text) : null) ?? booking.staff;
  const isNewDay = iso !== booking.day || service !== booking.service || staff !== booking.staff;
  const withDay: Booking = { ...booking, service, staff, day: iso, slots: isNewDay ? null : booking.slots };
  const time = spokenTime(text);
  if (time) {
    const spans = iso ? spansOn(business.hours, weekdayOf(dayOf(context, withDay))) : [];
    const minutes = settleTime(time, spans);
    const isKnownFree = withDay.slots?.some((slot) => minutesOf(context, slot) === minutes) ?? false;
    return { ...withDay, minutes, dayPart: null, slots: isKnownFree ? withDay.slots : null };
  }
  const dayPart = spokenDayPart(text) ?? (ANY_TIME.test(text) ? 'any' : null);
  return dayPart ? { ...withDay, dayPart, minutes: null, slots: null } : withDay;
}

const WITH = /\b(with|by|to see|from)\s/i;
/** More are no question. */
const STAFF_NAMED_MAX = 4;

/** The one of the staff whose name, or part of it, is in the text; null: none, or several. */
function staffNamed({ business }: Context, text: string): string | null {
  const words = new Set(text.toLowerCase().split(/[^\p{L}\d]+/u));
  const isIn = (name: string): boolean =>
    name
      .toLowerCase()
      .split(/[^\p{L}\d]+/u)
      .some((word) => words.has(word));
  const fitting = (business.resources ?? []).filter(({ name, aliases }) => [name, ...aliases].some(isIn));
  return fitting.length === 1 ? (fitting[0]?.name ?? null) : null;
}

function earliestDay({ business, now }: Context, text: string): DateTime | null {
  if (!/\b(as soon as possible|earliest|first available|any day|soonest|next available)\b/i.test(text)) return null;
  return nextOpening(business.hours, now)?.startOf('day') ?? now.plus({ days: 1 }).startOf('day');
}

/** The slot chosen among the free times by "the first one", "the earliest", "ten", "morning"; null when none is. */
function chosenSlot(context: Context, booking: Booking, text: string): Booking | null {
  const offered = offeredSlots(context, booking);
  const plain = text.toLowerCase();
  const place = /\b(first|second|third) one\b/.exec(plain)?.[1];
  const index = place ? ['first', 'second', 'third'].indexOf(place) : -1;
  const pick = /\b(earliest|any time|anything|whatever|either)\b/.test(plain)
    ? offered[0]
    : /\b(latest|last)\b/.test(plain)
      ? offered.at(-1)
      : (offered[index] ?? (offered.length === 1 && yesOrNo(plain) === 'yes' ? offered[0] : undefined));
  if (pick) return { ...booking, minutes: minutesOf(context, pick) };
  const time = spokenTime(text);
  if (!time || spokenDay(text, context.now)) return null;
  // "Three" among 9, 11 and 3 p.m. means the one that is free.
  const slots = booking.slots ?? [];
  const both = time.isCertain ? [time.minutes] : [time.minutes, (time.minutes + 720) % 1_440];
  const free = both.find((minutes) => slots.some((slot) => minutesOf(context, slot) === minutes));
  return free === undefined ? null : { ...booking, minutes: free };
}

const CLOSING_WORD = / (?:please|thank you|thanks|that's (?:it|all)|good ?bye|bye)$/i;
/** Only the first part of an answer is searched for a name. */
const MAX_ANSWER_CHARS = 200;

function withName(booking: Booking, text: string, answer: 'yes' | 'no' | null): Booking {
  let bare = text
    .slice(0, MAX_ANSWER_CHARS)
    .replace(
      /^(?:\s*(?:yes|yeah|sure|okay|ok|um|uh|well|hi|hello|bye|it's|it is|this is|my name is|my name's|the name is|i'm|i am|for|name)\b[,.]?)+/i,
      '',
    )
    .replace(/[^\p{L}'-]+/gu, ' ')
    .trim();
  while (CLOSING_WORD.test(bare)) bare = bare.replace(CLOSING_WORD, '');
  bare = bare.slice(0, MAX_NAME_CHARS);
  const refused = answer === 'no' || /\b(rather not|skip|don't want)\b/i.test(text) || bare.split(' ').length > 4;
  const name = refused || bare === '' ? null : bare.replace(/(^|[\s-])\p{Ll}/gu, (letter) => letter.toUpperCase());
  return { ...booking, name, nameAsked: true };
}

function schedule(context: Context, booking: Booking): ReceptionistReply {
  const minutes = booking.minutes ?? 0;
  const startsAt = dayOf(context, booking).set({ hour: Math.floor(minutes / 60), minute: minutes % 60 });
  const args = {
    ...(booking.service === null ? {} : { service: booking.service }),
    ...(booking.staff === null ? {} : { staff: booking.staff }),
    startsAt: startsAt.toISO({ suppressMilliseconds: true }),
    ...(booking.name === null ? {} : { name: booking.name }),
    ...(context.request.callerNumber === null ? {} : { phone: context.request.callerNumber }),
  };
  return call(
    context,
    vary(context, ['One moment, please.', 'Great, I am booking that.']),
    'schedule_appointment',
    args,
    { booking },
  );
}

function dropped(context: Context): ReceptionistReply {
  return say(context, 'No problem, I have left that. Is there anything else I can help you with?', 'anything-else', {
    booking: null,
  });
}

function offerText(context: Context, booking: Booking): string {
  const offered = offeredSlots(context, booking).map((slot) => clockText(minutesOf(context, slot)));
  const day = onDayText(dayOf(context, booking), context.now);
  if (offered.length === 1) return `${capitalised(day)} I have ${offered[0]}. Would that suit you?`;
  return `${capitalised(day)} I have ${listText(offered, 'or')}. Which would you like?`;
}

/** Up to three free times, spread over the wanted day or part of it. */
function offeredSlots(context: Context, booking: Booking): string[] {
  const all = booking.slots ?? [];
  const wished = all.filter((slot) => {
    const minutes = minutesOf(context, slot);
    if (booking.dayPart === 'morning') return minutes < 720;
    if (booking.dayPart === 'afternoon') return minutes >= 720 && minutes < 1_020;
    return booking.dayPart === 'evening' ? minutes >= 1_020 : true;
  });
  const free = wished.length > 0 ? wished : all;
  if (free.length <= MAX_OFFERED) return free;
  return [free[0], free[Math.floor(free.length / 2)], free.at(-1)].flatMap((slot) => slot ?? []);
}

function nearest(context: Context, slots: readonly string[], minutes: number): string[] {
  const distance = (slot: string) => Math.abs(minutesOf(context, slot) - minutes);
  const close = [...slots].sort((a, b) => distance(a) - distance(b)).slice(0, 2);
  return close.sort((a, b) => minutesOf(context, a) - minutesOf(context, b));
}

function whenText(context: Context, booking: Booking): string {
  const day = onDayText(dayOf(context, booking), context.now);
  const service = booking.service === null ? '' : `${named({ name: booking.service })} `;
  return `${service}${day} at ${clockText(booking.minutes ?? 0)}`;
}

function dayOf({ now }: Context, booking: Booking): DateTime {
  return booking.day ? DateTime.fromISO(booking.day, { zone: now.zone, locale: 'en-US' }) : now.startOf('day');
}

function without(booking: Booking): Booking {
  return { ...booking, day: null, minutes: null, slots: null };
}

function minutesOf(context: Context, iso: string): number {
  const at = localTime(context, iso);
  return at.hour * 60 + at.minute;
}

function personOffer({ business, request }: Context): string {
  return canHandOver(business, request.nowMs)
    ? 'Shall I connect you with someone?'
    : 'Can I help you with anything else?';
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
