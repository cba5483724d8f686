// The receptionist for languages other than English: its rules and the built-in recogniser know English alone. It says
// so in the caller's language and offers a menu of keys: a person, a call back, hours and address, and on outbound
// calls an opt-out from further calls.
import { isBuiltInTool } from '../../../db/domain/built-in-tools.ts';
import { unreachable } from '../../../db/domain/unexpected.ts';
import { type CallNote, triedSentences } from '../call-note.ts';
import type { DialogueRequest, Message } from '../llm.ts';
import { canHandOver, reachablePersons } from '../persons.ts';
import { phraseLanguage, phrasesFor } from '../phrases/languages.ts';
import { fill, type Phrases } from '../phrases/phrases.ts';
import { openingHoursText, phoneText, priceText } from '../spoken.ts';
import { type Context, call, canTransfer, hasTool, type ReceptionistReply, say } from './context.ts';
import { personWanted } from './destination-choice.ts';
import { accountWords, inheritedResults, inheritedWords } from './inherited-results.ts';
import { askedLanguage, languageKept } from './language-change.ts';
import { askedTool, lateResult } from './own-tools.ts';
import { hasFailed } from './result-fields.ts';
import { slowly } from './slowly.ts';
import { type Topic, topicOf } from './topics.ts';

/** Number of consecutive spoken sentences after which the menu acts by itself. */
const MISSES_BEFORE_PERSON = 2;
/** Prices said in one go. */
const PRICES_MAX = 5;

type Call = Pick<DialogueRequest, 'business' | 'direction' | 'language' | 'nowMs'>;

/** Whether the receptionist has phrases in the language but cannot converse in it. */
export function speaksByMenu(language: string): boolean {
  return phraseLanguage(language) !== 'en';
}

/** The menu's text after the greeting. */
export function menuInvitation(request: Call): string {
  return `${phrasesFor(request.language).menu.noConversation} ${menuText(request)}`;
}

/** The whole of a reply, as data. */
export function replyByMenu(context: Context): ReceptionistReply {
  const last = context.request.messages.findLast(({ role }) => role !== 'agent' && role !== 'tool-call');
  const { menu } = phrasesFor(context.request.language);
  if (!last) return say(context, menuInvitation(context.request), 'nothing');
  switch (last.role) {
    case 'caller': {
      const asked = askedLanguage(context, last.text) ?? askedTool(context, last.text);
      if (asked !== null) return asked;
      // Written words need no recogniser.
      return context.isStandIn || context.request.isWritten
        ? spokenFreely(context, menu, last)
        : { ...spoken(context, menu), isUnanswered: true };
    }
    case 'note':
      return noted(context, menu, last.note);
    case 'tool-result':
      return afterTool(context, menu, last);
    case 'agent':
    case 'tool-call':
      return say(context, menuInvitation(context.request), 'nothing');
    default:
      return unreachable(last);
  }
}

/** Reacts to spoken words that name no tool. A caller who keeps speaking may have no keypad. */
function spoken(context: Context, menu: Phrases['menu']): ReceptionistReply {
  const missed = context.memory.missed + 1;
  if (missed <= MISSES_BEFORE_PERSON)
    return say(context, `${menu.keysOnly} ${menuText(context.request)}`, 'nothing', { missed });
  return canTransfer(context) ? connected(context, menu) : calledBack(context, menu);
}

/** In the place of a language model: the words come from a recogniser of the language, and may name what we know. */
function spokenFreely(
  context: Context,
  menu: Phrases['menu'],
  { text, understood }: Extract<Message, { role: 'caller' }>,
): ReceptionistReply {
  const { request } = context;
  const topic = understood ? topicOf(text, phraseLanguage(request.language)) : null;
  if (topic === 'person') return canTransfer(context) ? connected(context, menu, text) : nobodyThere(context, menu);
  if (topic === 'call-back') return calledBack(context, menu);
  if (topic === 'repeat' && context.memory.said !== '')
    return say(context, slowly(context.memory.said), context.memory.pending);
  const fact = topic === null || topic === 'repeat' ? null : factOf(request, topic);
  if (fact !== null) return say(context, fact === context.memory.said ? slowly(fact) : fact, 'anything-else');
  const { cannotAnswer } = phrasesFor(request.language).call;
  const missed = context.memory.missed + 1;
  const reply = say(context, `${cannotAnswer} ${menuText(request)}`, 'nothing', { missed });
  return { ...reply, isUnanswered: true };
}

function nobodyThere(context: Context, menu: Phrases['menu']): ReceptionistReply {
  return say(context, `${menu.nobodyAnswers} ${menuText(context.request)}`, 'nothing');
}

function noted(context: Context, menu: Phrases['menu'], note: CallNote): ReceptionistReply {
  switch (note.kind) {
    case 'digits':
      return pressed(context, menu, note.digits);
    case 'silent':
      if (note.last) return ending(context, menu.hangingUp, menu);
      return say(context, `${menu.stillThere} ${menuText(context.request)}`, 'nothing');
    case 'transfer-failed': {
      const why = triedSentences(note.tried ?? [], context.request.language).join(' ') || menu.nobodyAnswers;
      return say(context, `${why} ${menuText(context.request)}`, 'nothing');
    }
    case 'transfer-declined':
    case 'line-lost':
    case 'voice-lost':
    case 'person-said':
    case 'handed-back':
      return say(context, menuText(context.request), 'nothing');
    case 'language-changed':
      return say(context, menuInvitation(context.request), 'nothing');
    case 'tool-answered':
      return say(context, accountWords(context, note.tool, lateResult(context, note.tool)), 'anything-else');
    case 'limit-near':
      return say(context, `${menu.timeIsShort} ${menuText(context.request)}`, 'nothing');
    default:
      return unreachable(note);
  }
}

function pressed(context: Context, menu: Phrases['menu'], digits: string): ReceptionistReply {
  const { request } = context;
  switch (digits.replace(/#$/, '')) {
    case '0':
    case '1':
      if (canTransfer(context)) return connected(context, menu);
      return say(context, `${menu.nobodyAnswers} ${menuText(request)}`, 'nothing');
    case '2':
      return calledBack(context, menu);
    case '3':
      return say(context, [...factsOf(request), menuText(request)].join(' '), 'nothing');
    case '9':
      // Confirmed only after it is stored: see afterTool.
      if (request.direction === 'outbound' && hasTool(context, 'opt_out'))
        return call(context, '', 'opt_out', { reason: `pressed ${digits}` });
      return say(context, menuText(request), 'nothing');
    default:
      return say(context, menuText(request), 'nothing');
  }
}

function afterTool(
  context: Context,
  menu: Phrases['menu'],
  { name, result }: Extract<Message, { role: 'tool-result' }>,
): ReceptionistReply {
  const inherited = inheritedResults(context.request.messages);
  const words = inherited.map((each) => inheritedWords(context, each)).filter((text) => text !== '');
  const failed = hasFailed(result);
  if (name === 'switch_language') {
    const reply = failed ? languageKept(context) : say(context, menuInvitation(context.request), 'nothing');
    const before = words.join(' ');
    return before === '' ? reply : { ...reply, text: `${before} ${reply.text}` };
  }
  if (name === 'opt_out' && !failed) return ending(context, words.join(' ') || menu.optedOut, menu);
  if (words.length > 0) {
    // Of what failed, and of free times, the menu is the way on.
    const isOpen = failed || name === 'check_availability';
    const way = isOpen ? ` ${menuText(context.request)}` : '';
    return say(context, `${words.join(' ')}${way}`, isOpen ? 'nothing' : 'anything-else');
  }
  if (inherited.length > 0) return { text: '', tool: null, memory: context.memory };
  if (name === 'opt_out') return say(context, menuText(context.request), 'nothing');
  if (name === 'transfer_call' && failed)
    return say(context, `${menu.nobodyAnswers} ${menuText(context.request)}`, 'nothing');
  if (!isBuiltInTool(name)) return say(context, accountWords(context, name, result), 'anything-else');
  return { text: '', tool: null, memory: context.memory };
}

/** `text`: what they said, which may name whom. */
function connected(context: Context, menu: Phrases['menu'], text = ''): ReceptionistReply {
  const { business, request } = context;
  const destination = personWanted(context, text);
  const hasPersons = reachablePersons(business, request.nowMs).length > 0;
  const whom = destination === null ? {} : { destination };
  const why = hasPersons ? whom : { reason: 'The caller chose a person by key' };
  return call(context, menu.connecting, 'transfer_call', why);
}

function calledBack(context: Context, menu: Phrases['menu']): ReceptionistReply {
  const { callerNumber, business, language } = context.request;
  if (callerNumber === null) return ending(context, menu.cannotCallBack, menu);
  const promise = fill(menu.willCallBack, {
    businessName: business.name,
    phone: phoneText(language, callerNumber),
  });
  return { ...ending(context, promise, menu, 'callback_requested'), promisesCallBack: true };
}

function ending(context: Context, text: string, menu: Phrases['menu'], reason = 'done'): ReceptionistReply {
  const isOutbound = context.request.direction === 'outbound';
  const farewell = `${text} ${isOutbound ? menu.goodbyeOutbound : menu.goodbye}`;
  if (!hasTool(context, 'end_call')) return say(context, farewell, 'nothing');
  return call(context, farewell, 'end_call', { reason });
}

/** The keys that are available for this business and call. */
function menuText({ business, direction, language, nowMs }: Call): string {
  const { menu } = phrasesFor(language);
  const offers = [
    canHandOver(business, nowMs) ? menu.pressForPerson : null,
    menu.pressForCallBack,
    factsOf({ business, direction, language, nowMs }).length === 0 ? null : menu.pressForFacts,
    direction === 'outbound' ? menu.pressToOptOut : null,
  ];
  return offers.filter((offer) => offer !== null).join(' ');
}

function factsOf(call: Call): string[] {
  return (['hours', 'address', 'phone'] as const).map((topic) => factOf(call, topic)).filter((fact) => fact !== null);
}

/** Null where the business does not say it. */
function factOf({ business, language }: Call, topic: Exclude<Topic, 'person' | 'repeat' | 'call-back'>): string | null {
  const { facts } = phrasesFor(language);
  switch (topic) {
    case 'hours': {
      const hours = openingHoursText(language, business.hours);
      return hours === null ? null : fill(facts.hours, { hours });
    }
    case 'address':
      return business.address ? fill(facts.address, { address: business.address }) : null;
    case 'phone':
      return business.phone ? fill(facts.phone, { phone: phoneText(language, business.phone) }) : null;
    case 'prices': {
      const priced = business.services.flatMap(({ name, price }) =>
        price === null ? [] : [`${name} ${priceText(language, price, business.currency)}`],
      );
      return priced.length === 0 ? null : fill(facts.prices, { prices: priced.slice(0, PRICES_MAX).join(', ') });
    }
    default:
      return unreachable(topic);
  }
}
