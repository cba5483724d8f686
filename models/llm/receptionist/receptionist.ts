// The built-in dialogue: rules over the business's own data, in English; in other languages a menu of keys
// (key-menu.ts). It is pure: equal requests get equal replies, and its state is passed as memory, so an unused reply
// leaves no trace.

import { unreachable } from '../../../db/domain/unexpected.ts';
import type { CallNote } from '../call-note.ts';
import { greetingText } from '../greeting.ts';
import type { DialogueChunk, DialogueModel, DialogueRequest } from '../llm.ts';
import { phrasesFor } from '../phrases/languages.ts';
import {
  addressAnswer,
  emailAnswer,
  hoursAnswer,
  phoneAnswer,
  pricesAnswer,
  serviceAnswer,
  servicesAnswer,
} from './answers.ts';
import { agreesTo, answerBooking, bookFrom, introducesName, namesWhatOrWhen, resumeBooking } from './booking.ts';
import { answerCallback, asksForCallback, callBackAt } from './callback.ts';
import { findFaq, findService, type Intent, intentsOf, isMoreSpecific, yesOrNo } from './caller-intent.ts';
import {
  type Context,
  call,
  canTransfer,
  contextOf,
  EXPECTS,
  hasTool,
  isBeforeQuestion,
  type ReceptionistReply,
  say,
  vary,
} from './context.ts';
import { personAskedFor } from './destination-choice.ts';
import { answered, ending } from './going-on.ts';
import { notReachableNow, notTransferred, transfer } from './handover.ts';
import { accountWords, OWN_CALL } from './inherited-results.ts';
import { menuInvitation, replyByMenu, speaksByMenu } from './key-menu.ts';
import { askedLanguage, languageChanged } from './language-change.ts';
import { EMPTY_BOOKING, readMemory, writeMemory } from './memory.ts';
import { answerChange, changeOwn } from './own-appointment.ts';
import { askedTool, lateResult } from './own-tools.ts';
import { answerAgain, answerReminder, reminding } from './reminder.ts';
import { slowly } from './slowly.ts';
import { toolResult } from './tool-results.ts';
import { writtenAnswer } from './written-answer.ts';

/** A FAQ with at least this score is answered before any other rule applies. */
const SURE_FAQ = 0.72;
const LIKELY_FAQ = 0.45;
const SENTENCE_WORDS = 4;
/** Number of consecutive missed turns after which a person is offered. */
const MISSES_BEFORE_OFFER = 2;

export class Receptionist implements DialogueModel {
  readonly name = 'receptionist';
  readonly complete = null;
  readonly #isStandIn: boolean;

  /** `isStandIn`: it answers only the turns in which a language model fails. */
  constructor({ isStandIn = false }: { isStandIn?: boolean } = {}) {
    this.#isStandIn = isStandIn;
  }

  invitation(call: Pick<DialogueRequest, 'business' | 'direction' | 'language' | 'nowMs'>): string | null {
    return speaksByMenu(call.language) ? menuInvitation(call) : null;
  }

  async *reply(request: DialogueRequest, signal: AbortSignal): AsyncIterable<DialogueChunk> {
    const { text, tool, memory, promisesCallBack, isUnanswered } = replyTo(request, this.#isStandIn);
    const next = { ...memory, turn: memory.turn + 1 };
    if (isUnanswered) yield { type: 'unanswered' };
    // Sentence by sentence, as a model would stream it. A final abbreviation's full stop ends the sentence: "until 5
    // p.m."
    for (const sentence of text.replace(/\.\.(?!\.)/g, '.').split(/(?<=[.!?])\s+(?=[A-Z])/)) {
      if (signal.aborted) return;
      if (sentence) yield { type: 'text', text: `${sentence} ` };
    }
    yield { type: 'expects', expects: EXPECTS[next.pending] };
    yield { type: 'memory', memory: writeMemory(next) };
    if (promisesCallBack) yield { type: 'call-back-promised' };
    if (tool) yield { type: 'tool-call', id: `${OWN_CALL}${next.turn}`, ...tool };
  }
}

/** The whole of a reply, as data. */
function replyTo(request: DialogueRequest, isStandIn: boolean): ReceptionistReply {
  const context = contextOf(request, reminding(request, readMemory(request.memory)), isStandIn);
  if (speaksByMenu(request.language)) return replyByMenu(context);
  // The agent's own words may follow the message to answer, if it spoke before a tool call.
  const last = request.messages.findLast(({ role }) => role !== 'agent' && role !== 'tool-call');
  if (!last) return greeting(context);
  switch (last.role) {
    case 'caller':
      if (last.understood) return answer(context, last.text);
      return answerAgain(context, last.text) ?? missed(context, last.text);
    case 'tool-result':
      return toolResult(context, last);
    case 'note':
      return noted(context, last.note);
    case 'agent':
    case 'tool-call':
      return greeting(context);
    default:
      return unreachable(last);
  }
}

/** The greeting, for the first time or repeated. */
function greeting(context: Context): ReceptionistReply {
  const { business, request } = context;
  const { agentName, callerName, direction, language, variables } = request;
  const names = { businessName: business.name, agentName, callerName, direction, language, variables };
  return say(context, greetingText({ template: business.greetingTemplate, ...names }), 'nothing');
}

/** Answers the caller's words by their most binding intent. */
function answer(context: Context, text: string): ReceptionistReply {
  const { memory, business } = context;
  const intents = intentsOf(text);
  const has = (intent: Intent) => intents.includes(intent);
  if (has('opt-out')) return optOut(context);
  const other = askedLanguage(context, text);
  if (other) return other;
  const own = askedTool(context, text);
  if (own) return own;
  const faq = findFaq(text, business);
  if (faq && faq.score >= SURE_FAQ) return answered(context, faq.answer);
  const asked = personAskedFor(context, text);
  if (asked !== null && !asked.isReachable) return notReachableNow(context, asked.name);
  if (asked !== null || has('person')) return transfer(context, 'The caller asked for a person', text);
  if (has('repeat')) return memory.said ? say(context, repeated(context), memory.pending) : greeting(context);
  const reminded = answerReminder(context, text);
  if (reminded) return reminded;
  const change = changeOwn(context, text) ?? (memory.change && answerChange(context, text));
  if (change) return change;
  if (asksForCallback(context, text)) return callBackAt(context, text);
  if (memory.pending === 'callback') {
    const reply = answerCallback(context, text);
    if (reply) return reply;
  }
  if (memory.pending === 'offer-person') {
    const wanted = yesOrNo(text);
    if (wanted === 'yes') return transfer(context, 'The caller accepted a transfer');
    if (wanted === 'no' && intents.length === 1) return say(context, 'All right. What can I do for you?', 'nothing');
  }
  if (memory.pending === 'offer-booking') {
    const wanted = yesOrNo(text);
    if (wanted === 'yes') return bookFrom(context, text);
    if (wanted === 'no' && !isQuestion(intents))
      return say(context, 'All right. Is there anything else I can help you with?', 'anything-else', { booking: null });
  }
  if (memory.booking && (!isQuestion(intents) || answersBeforeGoodbye(context, text, intents))) {
    const reply = answerBooking(context, text);
    if (reply) return reply;
  }
  if (faq && faq.score >= LIKELY_FAQ && isMoreSpecific(faq, text, business)) return answered(context, faq.answer);
  const known = informed(context, text, intents);
  if (known) return answered(context, known);
  if (has('booking') || wishesService(context, text)) return bookFrom(context, text);
  if (faq && faq.score >= LIKELY_FAQ) return answered(context, faq.answer);
  if (has('goodbye')) return goodbye(context);
  const isDone = memory.pending === 'anything-else' || memory.pending === 'offer-booking';
  if (isDone && yesOrNo(text) === 'no') return goodbye(context);
  if (has('thanks') && has('no')) return goodbye(context);
  if (has('thanks'))
    return say(
      context,
      vary(context, ["You're welcome. Is there anything else?", 'My pleasure. Anything else I can help with?']),
      'anything-else',
    );
  if (has('agent-name'))
    return say(
      context,
      `This is ${context.request.agentName}, the automated receptionist of ${business.name}. What can I do for you?`,
      'nothing',
    );
  const service = serviceAnswer(context, text);
  if (service) return offerBooking(context, service, text);
  if (memory.booking && (has('yes') || has('hello'))) return resumeBooking(context, 'Good.');
  if (has('hello'))
    return say(context, vary(context, ['Hello! How can I help you?', 'Hi there. What can I do for you?']), 'nothing');
  if (has('yes')) return say(context, 'What can I do for you?', 'nothing');
  if (has('no') && isBeforeQuestion(context.request))
    return say(context, 'All right. What would you like to know?', 'nothing');
  if (has('no')) return say(context, 'All right. Is there anything else I can help you with?', 'anything-else');
  const written = writtenAnswer(context.request.passages, text);
  if (written) return answered(context, written);
  return isSentence(text) ? { ...beyondMe(context), isUnanswered: true } : missed(context);
}

/** Words that were heard as a sentence: who is asked to repeat it says the same again, and gets no further. */
const isSentence = (text: string): boolean => text.trim().split(/\s+/).length >= SENTENCE_WORDS;

/** The answer to a question about the business; null when the text asks none. */
function informed(context: Context, text: string, intents: readonly Intent[]): string | null {
  const has = (intent: Intent) => intents.includes(intent);
  if (has('price') || has('duration'))
    return serviceAnswer(context, text) ?? (has('price') ? pricesAnswer(context) : null);
  if (has('hours') && !/\b(book|appointment|schedule|openings)\b/i.test(text)) return hoursAnswer(context, text);
  if (has('booking')) return null;
  if (has('email')) return emailAnswer(context);
  if (has('address')) return addressAnswer(context);
  if (has('phone')) return phoneAnswer(context);
  if (has('services')) return serviceAnswer(context, text) ?? servicesAnswer(context);
  return null;
}

/**
 * Whether words of farewell only accompany an answer to the booking's question: "yes that's it", "my name is Sarah,
 * thanks, bye". And recognisers write "bye Tuesday" for "by Tuesday".
 */
function answersBeforeGoodbye(context: Context, text: string, intents: readonly Intent[]): boolean {
  if (isQuestion(intents.filter((intent) => intent !== 'goodbye'))) return false;
  const { pending } = context.memory;
  if (pending === 'confirm' && agreesTo(text)) return true;
  return pending === 'name' ? introducesName(text) : namesWhatOrWhen(context, text);
}

/** Whether the text is a question: it interrupts a booking; any other text may answer the booking's question. */
function isQuestion(intents: readonly Intent[]): boolean {
  return intents.some((intent) =>
    ['hours', 'price', 'duration', 'address', 'email', 'phone', 'services', 'goodbye', 'agent-name'].includes(intent),
  );
}

function offerBooking(context: Context, answerText: string, text: string): ReceptionistReply {
  if (!hasTool(context, 'schedule_appointment')) return answered(context, answerText);
  const service = findService(text, context.business)?.name ?? null;
  const booking = { ...EMPTY_BOOKING, service };
  return say(context, `${answerText} Would you like to book an appointment?`, 'offer-booking', { booking });
}

/** "I'd like a root canal on Wednesday" asks for a booking without the word. */
function wishesService(context: Context, text: string): boolean {
  const wishes = /\b(i('d| would) like|i (want|need)|can i (have|get)|could i (have|get))\b/i.test(text);
  return wishes && findService(text, context.business) !== null;
}

function optOut(context: Context): ReceptionistReply {
  const canNote = hasTool(context, 'opt_out') && context.request.callerNumber !== null;
  if (canNote) return call(context, 'Of course.', 'opt_out', {}, { booking: null });
  return answered(context, "I'm sorry, I don't see your number here, so I can't note that.");
}

/** "No, when are you open?" gets an answer; a mere no, or "don't put me through", requests nothing. */
function transferDeclined(context: Context): ReceptionistReply {
  const said = context.request.messages.findLast(({ role }) => role === 'caller');
  const text = said?.role === 'caller' && said.understood ? said.text : '';
  const asks = intentsOf(text).filter((intent) => !['no', 'yes', 'thanks', 'hello'].includes(intent));
  if (asks.length > 0 && !asks.includes('person')) return answer(context, text);
  return say(context, 'All right. What can I do for you?', 'nothing');
}

function goodbye(context: Context): ReceptionistReply {
  const { business } = context;
  return ending(
    context,
    vary(context, [
      `Thank you for calling ${business.name}. Goodbye!`,
      'Thank you for your call. Have a nice day. Goodbye!',
      'You are welcome. Goodbye, and have a good day!',
    ]),
  );
}

/** Not understood: ask again twice, each time with more help, then offer a person or say the fallback. */
function missed(context: Context, text = ''): ReceptionistReply {
  return { ...askedAgain(context, text), isUnanswered: true };
}

/** @param text what was heard, and is not believed */
function askedAgain(context: Context, text = ''): ReceptionistReply {
  const { memory, business } = context;
  if (context.isStandIn) return beyondMe(context);
  const misses = memory.missed + 1;
  const keep = { missed: misses };
  if (memory.pending === 'name') {
    // Names are the hardest words to recognise; the caller's number suffices.
    const booking = memory.booking && { ...memory.booking, nameAsked: true };
    return resumeBooking({ ...context, memory: { ...memory, booking } }, 'Never mind.');
  }
  if (misses > MISSES_BEFORE_OFFER) {
    if (misses > MISSES_BEFORE_OFFER + 2) {
      if (canTransfer(context)) return transfer(context, 'The caller could not be understood');
      return ending(
        context,
        `${business.fallbackMessage ?? "I'm sorry, I'm having trouble hearing you. Please call again later."} Goodbye.`,
      );
    }
    const sorry = business.fallbackMessage ?? "I'm sorry, I still didn't get that.";
    if (canTransfer(context))
      return say(context, `${sorry} Would you like me to connect you with a person?`, 'offer-person', keep);
    return say(
      context,
      `${sorry} You can ask about our opening hours, our services or an appointment.`,
      'nothing',
      keep,
    );
  }
  if (memory.pending !== 'nothing' && memory.pending !== 'anything-else' && memory.said) {
    const again = vary(context, ["Sorry, I didn't catch that.", "I'm sorry, could you say that again?"]);
    return { ...say(context, `${again} ${questionOf(memory.said)}`.trim(), memory.pending, keep) };
  }
  const first = vary(context, [
    "Sorry, I didn't catch that. Could you say it again?",
    "I'm sorry, could you repeat that?",
  ]);
  const second =
    "I'm sorry, I didn't understand. You can ask about our opening hours, services and prices, or book an appointment.";
  return say(context, misses === 1 && !isSentence(text) ? first : second, memory.pending, keep);
}

/** The words were understood, and would have been for a language model. */
function beyondMe(context: Context): ReceptionistReply {
  const { memory } = context;
  if (memory.missed > MISSES_BEFORE_OFFER) return askedAgain({ ...context, isStandIn: false });
  const cannotAnswer = context.isStandIn
    ? phrasesFor(context.request.language).call.cannotAnswer
    : vary(context, ["I'm sorry, I can't help with that.", "I'm afraid I can't help you with that."]);
  const keep = { missed: memory.missed + 1 };
  if (memory.booking && memory.said && memory.pending !== 'offer-booking')
    return say(context, `${cannotAnswer} ${questionOf(memory.said)}`, memory.pending, keep);
  if (canTransfer(context))
    return say(context, `${cannotAnswer} Would you like me to connect you with a person?`, 'offer-person', keep);
  // Two sentences in a row that nobody can help with: the list of what can be asked is known by then.
  if (memory.missed > 0 && !context.isStandIn)
    return say(context, `${cannotAnswer} What else can I do for you?`, 'anything-else', keep);
  const offer = 'You can ask about our opening hours, services and prices, or book an appointment.';
  return say(context, `${cannotAnswer} ${offer}`, 'nothing', keep);
}

function repeated(context: Context): string {
  return `${vary(context, ['Of course.', 'Sure.'])} ${slowly(context.memory.said)}`;
}

/** The last sentence: it is the question. */
function questionOf(said: string): string {
  return said.split(/(?<=[.!?])\s+(?=[A-Z])/).at(-1) ?? '';
}

/** Reacts to an event of the call. */
function noted(context: Context, note: CallNote): ReceptionistReply {
  switch (note.kind) {
    case 'digits':
      return pressed(context, note.digits);
    case 'silent':
      return note.last
        ? ending(context, "I can't hear you, so I'll hang up now. Please call again. Goodbye!")
        : stillThere(context);
    case 'transfer-failed':
      return notTransferred(context, note.tried);
    case 'transfer-declined':
      return transferDeclined(context);
    case 'line-lost':
    case 'person-said':
      return stillThere(context);
    case 'voice-lost':
      return owed(context);
    case 'language-changed':
      return languageChanged(context);
    case 'handed-back':
      return say(context, phrasesFor(context.request.language).menu.backAgain, 'anything-else');
    case 'tool-answered':
      return answered(context, accountWords(context, note.tool, lateResult(context, note.tool)));
    case 'limit-near':
      return timeIsShort(context);
    default:
      return unreachable(note);
  }
}

/** The answer to the caller's last words, which another model did not finish. */
function owed(context: Context): ReceptionistReply {
  const last = context.request.messages.findLast(({ role }) => role === 'caller');
  if (last?.role !== 'caller') return stillThere(context);
  return last.understood ? answer(context, last.text) : missed(context);
}

function stillThere(context: Context): ReceptionistReply {
  const { pending, missed: misses } = context.memory;
  const text = vary(context, ['Hello, are you still there?', 'Are you still there?']);
  return say(context, text, pending, { missed: misses });
}

function timeIsShort(context: Context): ReceptionistReply {
  const text = "I'm sorry, we have about a minute left. Is there one more thing I can do for you?";
  return say(context, text, 'anything-else', { booking: context.memory.booking });
}

/** 0 asks for a person; 1 and 2 answer a yes-or-no question. The call itself decides whether a 9 opts out. */
function pressed(context: Context, digits: string): ReceptionistReply {
  const key = digits.replace(/#$/, '');
  const asksYesNo = EXPECTS[context.memory.pending] === 'yes-no';
  if (key === '0') return transfer(context, 'The caller pressed 0');
  if (asksYesNo && key === '1') return answer(context, 'yes');
  if (asksYesNo && key === '2') return answer(context, 'no');
  return say(context, 'Please just tell me what you would like, or press 0 for a person.', context.memory.pending);
}

/** Default export: the factory. */
export default async function createReceptionist(
  _environment: Record<string, string | undefined> = {},
): Promise<DialogueModel> {
  return new Receptionist();
}
