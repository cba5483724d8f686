// Results of tools that another model asked for and did not speak about before it failed. The receptionist knows
// nothing of that model's plans: it says what the results say, in the call's language, and no more.
import type { DateTime } from 'luxon';
import { isBuiltInTool } from '../../../db/domain/built-in-tools.ts';
import type { Message } from '../llm.ts';
import { phrasesFor } from '../phrases/languages.ts';
import { fill, type Phrases } from '../phrases/phrases.ts';
import { dateText, listText, timeText } from '../spoken.ts';
import { type Context, localTime } from './context.ts';
import { wordsOfAnswer } from './own-tools.ts';
import { fieldOf, hasFailed, slotsIn, textIn, timeIn } from './result-fields.ts';

/** Ids of the receptionist's own calls begin like this. */
export const OWN_CALL = 'rcp_';
/** Times said in one go. */
const MAX_TIMES = 3;

/** A tool that ran for another model, with what it was asked and what it answered. */
export interface Inherited {
  name: string;
  arguments: Readonly<Record<string, unknown>>;
  result: unknown;
}

/**
 * The results at the conversation's end that nobody has spoken about, in order. A failure that a later success of the
 * same tool has mended is left out, and so is a look-up that something else followed.
 */
export function inheritedResults(messages: readonly Message[]): Inherited[] {
  const from = messages.findLastIndex(({ role }) => role !== 'tool-call' && role !== 'tool-result') + 1;
  const open = messages.slice(from);
  // A result that stands before a call of the receptionist's own was spoken about by then.
  const own = open.findLastIndex(({ role, ...rest }) => role === 'tool-result' && isOwn(rest));
  const results = open.slice(own + 1).flatMap((message) => {
    if (message.role !== 'tool-result') return [];
    const asked = open.find((each) => each.role === 'tool-call' && each.id === message.id);
    const args = asked?.role === 'tool-call' ? asked.arguments : {};
    return [{ name: message.name, arguments: args, result: message.result }];
  });
  return results.filter((each, index) => {
    const later = results.slice(index + 1);
    if (each.name === 'check_availability' && later.length > 0) return false;
    return !hasFailed(each.result) || !later.some(({ name, result }) => name === each.name && !hasFailed(result));
  });
}

const isOwn = (message: object): boolean => 'id' in message && String(message.id).startsWith(OWN_CALL);

/** The result; what it does not say of these is as it was asked for. */
export function withAsked({ arguments: args, result }: Inherited, names: readonly string[]): object {
  const asked = names.flatMap((name) => {
    const text = textIn(args, [name]);
    return text === null ? [] : [[name, text]];
  });
  const told = Object.entries(result ?? {}).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(asked), ...Object.fromEntries(told) };
}

/** The words for the caller about it. */
export function inheritedWords(context: Context, { name, arguments: args, result }: Inherited): string {
  const { language } = context.request;
  const { results: phrases, call, menu } = phrasesFor(language);
  const failed = hasFailed(result);
  switch (name) {
    case 'schedule_appointment': {
      if (failed) return [phrases.notDone, insteadText(context, result)].filter(Boolean).join(' ');
      const service = textIn(result, ['service']) ?? textIn(args, ['service']);
      const at = timeOf(context, result, ['startsAt']) ?? timeOf(context, args, ['startsAt']);
      return said(phrases, 'booked', whatText(context, service, at));
    }
    case 'find_own_appointments':
      return call.cannotAnswer;
    case 'move_own_appointment':
    case 'cancel_own_appointment': {
      if (failed) return [phrases.notDone, insteadText(context, result)].filter(Boolean).join(' ');
      const what = whatText(context, textIn(result, ['service']), timeOf(context, result, ['startsAt']));
      return said(phrases, name === 'move_own_appointment' ? 'moved' : 'cancelled', what);
    }
    case 'schedule_callback': {
      if (failed) return [phrases.notDone, insteadText(context, result)].filter(Boolean).join(' ');
      const at = timeOf(context, result, ['at']) ?? timeOf(context, args, ['at']);
      return at === null ? call.done : fill(phrases.callBack, { when: whenText(context, at) });
    }
    case 'check_availability': {
      if (failed) return call.cannotAnswer;
      const times = timesText(context, slotsIn(result));
      return times === '' ? phrases.noneFree : fill(phrases.free, { times });
    }
    case 'opt_out':
      return failed ? phrases.notDone : menu.optedOut;
    case 'transfer_call':
      return failed ? menu.nobodyAnswers : '';
    case 'collect_digits':
      return failed ? phrases.notDone : call.takeYourTime;
    case 'confirm_appointment':
    case 'send_digits':
      return failed ? phrases.notDone : call.done;
    default:
      return isBuiltInTool(name) ? '' : accountWords(context, name, result);
  }
}

/** The words about a tenant's own tool: its own words, else what it did and the time in its data. */
export function accountWords(context: Context, name: string, result: unknown): string {
  const { call, results: phrases } = phrasesFor(context.request.language);
  const data = fieldOf(result, 'data');
  const deed = deedOf(name, data);
  if (fieldOf(result, 'ok') !== true) return deed === null ? call.cannotAnswer : phrases.notDone;
  if (fieldOf(result, 'status') === 'running') return call.passedOn;
  const words = wordsOfAnswer(result);
  // A single word is a state of the other system, and not meant for ears.
  if (words !== null && (/\s/.test(words) || deed === null)) return words;
  const time = timeIn(data, context.now.zone, deed === 'moved');
  const what = whatText(context, textIn(data, ['service', 'serviceName', 'service_name']), time);
  if (deed !== null) return said(phrases, deed, what);
  return time === null ? call.done : fill(phrases.known, { what });
}

type Deed = 'booked' | 'moved' | 'cancelled';

/** In this order: "rescheduled" is no booking, and "cancel_booking" none either. */
const DEEDS: ReadonlyArray<[Deed, RegExp]> = [
  ['cancelled', /cancel|delete|remove|storn|annul/],
  ['moved', /resched|move|change|shift|postpone|umbuch|verleg/],
  ['booked', /book|schedul|reserv|confirm/],
];
/** Such names ask, and do nothing. */
const ASKS = /^(get|list|find|check|search|look|show|read|is|has|fetch)(?![a-z])/;

/** By the state that the answer names, else by the tool's name. */
function deedOf(name: string, data: unknown): Deed | null {
  const state = textIn(data, ['status', 'state', 'result'])?.toLowerCase() ?? '';
  const plain = name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
  const named = ASKS.test(plain) ? '' : plain;
  const found = DEEDS.find(([, words]) => words.test(named)) ?? DEEDS.find(([, words]) => words.test(state));
  return found?.[0] ?? null;
}

const said = (phrases: Phrases['results'], deed: Deed, what: string): string =>
  what === '' ? phrases[`${deed}Plain`] : fill(phrases[deed], { what });

function whatText(context: Context, service: string | null, at: DateTime | null): string {
  return [service, at === null ? null : whenText(context, at)].filter(Boolean).join(', ');
}

/** "am Dienstag, 1. Dezember 2026 um 11 Uhr". */
function whenText(context: Context, at: DateTime): string {
  const { language } = context.request;
  const { when } = phrasesFor(language).results;
  return fill(when, { date: dateText(language, at), time: timeText(language, at.hour * 60 + at.minute) });
}

function timesText(context: Context, slots: readonly string[]): string {
  const { language } = context.request;
  const times = slots.slice(0, MAX_TIMES).map((slot) => localTime(context, slot));
  const texts = times.map((at, index) =>
    index > 0 && times[index - 1]?.hasSame(at, 'day')
      ? timeText(language, at.hour * 60 + at.minute)
      : whenText(context, at),
  );
  return listText(language, texts, 'disjunction');
}

function insteadText(context: Context, result: unknown): string {
  const times = timesText(context, slotsIn(result, 'alternatives'));
  return times === '' ? '' : fill(phrasesFor(context.request.language).results.instead, { times });
}

function timeOf(context: Context, value: unknown, names: readonly string[]): DateTime | null {
  const text = textIn(value, names);
  const at = text === null ? null : localTime(context, text);
  return at?.isValid ? at : null;
}
