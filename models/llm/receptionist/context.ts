// The context that the parts of the receptionist share for one reply.
import { DateTime } from 'luxon';
import type { Expectation } from '../../stt/stt.ts';
import { clockText } from '../hours-text.ts';
import type { DialogueBusiness, DialogueRequest } from '../llm.ts';
import { canHandOver } from '../persons.ts';
import type { Memory, Pending } from './memory.ts';

/** One whole reply. `tool`: the call that ends it; null when it waits for the caller. */
export interface ReceptionistReply {
  text: string;
  tool: { name: string; arguments: Record<string, unknown> } | null;
  memory: Memory;
  /** It does not answer what the caller said. */
  isUnanswered?: true;
  /** It promises that somebody calls back. */
  promisesCallBack?: boolean;
}

export interface Context {
  request: DialogueRequest;
  business: DialogueBusiness;
  /** In the business's time zone. */
  now: DateTime;
  memory: Memory;
  /** It stands in for a language model that fails: the words come from people's free speech. */
  isStandIn: boolean;
}

/** The likely answer to each question. */
export const EXPECTS: Record<Pending, Expectation> = {
  nothing: 'anything',
  'anything-else': 'anything',
  service: 'service',
  staff: 'name',
  day: 'date-time',
  time: 'time',
  name: 'name',
  confirm: 'yes-no',
  'offer-person': 'yes-no',
  'offer-booking': 'yes-no',
  callback: 'date-time',
  'change-which': 'yes-no',
  'change-when': 'date-time',
  reminder: 'yes-no',
  'reminder-no': 'anything',
  'still-there': 'anything',
};

/** The context of one reply, with the request's time in the business's zone. */
export function contextOf(request: DialogueRequest, memory: Memory, isStandIn = false): Context {
  const local = DateTime.fromMillis(request.nowMs, { zone: request.business.timezone, locale: 'en-US' });
  // With an unknown zone the agent speaks in UTC instead of failing.
  const now = local.isValid ? local : DateTime.fromMillis(request.nowMs, { zone: 'utc', locale: 'en-US' });
  return { request, business: request.business, now, memory: asHeard(request, memory), isStandIn };
}

/** Questions that follow an answer: who interrupts it has not heard them. */
const CLOSING: ReadonlySet<Pending> = new Set(['anything-else', 'offer-booking', 'offer-person']);

/** The caller has interrupted the agent's newest words before their question: what they say answers none. */
export function isBeforeQuestion({ messages }: DialogueRequest): boolean {
  const said = messages.findLast(({ role }) => role === 'agent');
  return said?.role === 'agent' && said.interrupted && !said.text.includes('?');
}

function asHeard(request: DialogueRequest, memory: Memory): Memory {
  if (!CLOSING.has(memory.pending) || !isBeforeQuestion(request)) return memory;
  return { ...memory, pending: 'nothing', booking: memory.pending === 'offer-booking' ? null : memory.booking };
}

/** Picks one of several wordings: varied within a call and between calls, equal for equal input. */
export function vary({ memory, request }: Context, wordings: readonly string[]): string {
  const seed = [...(request.callerNumber ?? '')].reduce((sum, char) => sum + char.charCodeAt(0), 0);
  return wordings[(seed + memory.turn) % wordings.length] ?? '';
}

/** Somebody may be called at this hour. */
export const canTransfer = (context: Context): boolean =>
  canHandOver(context.business, context.request.nowMs) && hasTool(context, 'transfer_call');

export function hasTool({ request }: Context, name: string): boolean {
  return request.tools.some((tool) => tool.name === name);
}

/** A reply that says `text` and waits for an answer to `pending`. */
export function say(
  context: Context,
  text: string,
  pending: Pending,
  changes: Partial<Memory> = {},
): ReceptionistReply {
  return { text, tool: null, memory: { ...context.memory, missed: 0, pending, said: text, ...changes } };
}

/** A reply that ends in a tool call; its result comes with the next request. */
export function call(
  context: Context,
  text: string,
  name: string,
  args: Record<string, unknown>,
  changes: Partial<Memory> = {},
): ReceptionistReply {
  return {
    text,
    tool: { name, arguments: args },
    memory: { ...context.memory, missed: 0, pending: 'nothing', said: text, ...changes },
  };
}

/** "Tuesday, November 24", "today", "tomorrow". */
export function dayText(day: DateTime, now: DateTime): string {
  const ahead = day.startOf('day').diff(now.startOf('day'), 'days').days;
  if (ahead === 0) return 'today';
  if (ahead === 1) return 'tomorrow';
  return day.toFormat('cccc, LLLL d');
}

/** "on Tuesday, November 24", "today", "tomorrow". */
export function onDayText(day: DateTime, now: DateTime): string {
  const text = dayText(day, now);
  return /^[A-Z]/.test(text) ? `on ${text}` : text;
}

/** A time as tools tell it, in the business's time zone. */
export const localTime = ({ now }: Context, iso: string): DateTime =>
  DateTime.fromISO(iso, { zone: now.zone, locale: 'en-US' });

/** "on Tuesday, November 24 at 9 AM": of a time as tools tell it. */
export function whenText({ now }: Context, iso: string): string {
  const at = DateTime.fromISO(iso, { locale: 'en-US' }).setZone(now.zone);
  return `${onDayText(at, now)} at ${clockText(at.hour * 60 + at.minute)}`;
}
