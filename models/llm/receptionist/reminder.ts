// A call that reminds somebody of their appointment: the greeting has named it and asked whether they will come. A yes
// confirms it; a no, or a wish, moves or cancels it.
import { fillTemplate } from '../../../db/domain/template.ts';
import type { DialogueRequest } from '../llm.ts';
import { phrasesFor } from '../phrases/languages.ts';
import { type Intent, intentsOf, yesOrNo } from './caller-intent.ts';
import { type Context, call, type ReceptionistReply, say } from './context.ts';
import { answered, ending } from './going-on.ts';
import type { Memory, OwnChange } from './memory.ts';
import { carriedOut, changeOf, namesTime } from './own-appointment.ts';
import { hasFailed } from './result-fields.ts';

const COMES = /\b(i'll|i will|we'll|we will) (be there|come)\b|\bsee you\b|\bconfirm\b/;
const COMES_NOT = /\b(can't|cannot|can not|won't|will not)\b|\bnot (coming|be able|going to)\b/;
const CANCEL = /\b(cancel|call it off)\b/;
const MOVE = /\b(move|reschedule|change|shift|postpone|later|earlier|(another|different) (time|day))\b/;

/** Before the first reply: the greeting was no reply, and has asked. */
export function reminding(request: DialogueRequest, memory: Memory): Memory {
  const isReminder = request.tools.some(({ name }) => name === 'confirm_appointment');
  return isReminder && memory.turn === 0 ? { ...memory, pending: 'reminder' } : memory;
}

/** The answer to its questions; null: it is none, or this is no such call. */
export function answerReminder(context: Context, text: string): ReceptionistReply | null {
  const { memory, request } = context;
  const { appointmentId, appointmentAt, service = null } = request.variables;
  if (appointmentId === undefined || appointmentAt === undefined) return null;
  const isAsked = memory.pending === 'reminder' || memory.pending === 'reminder-no';
  if (!isAsked || memory.change !== null || memory.booking !== null) return null;
  const said = text.toLowerCase();
  const begin = (kind: OwnChange['kind']): ReceptionistReply =>
    carriedOut(
      context,
      changeOf(context, { kind, found: [{ id: appointmentId, startsAt: appointmentAt, service }] }, text),
    );
  const wasRefused = memory.pending === 'reminder-no';
  const answer = COMES_NOT.test(said) ? 'no' : COMES.test(said) ? 'yes' : yesOrNo(text);
  if (CANCEL.test(said)) return begin('cancel');
  if (MOVE.test(said) || (wasRefused && (answer === 'yes' || namesTime(context, text)))) return begin('move');
  if (wasRefused && answer === 'no') return begin('cancel');
  if (answer === 'yes') return call(context, 'Good.', 'confirm_appointment', {});
  if (answer === 'no') return say(context, 'All right. Shall I move it to another time, or cancel it?', 'reminder-no');
  return isHello(intentsOf(text)) ? asked(context) : null;
}

/** Said for the second time, and doubted for the second time: it is the answer. */
export function answerAgain(context: Context, text: string): ReceptionistReply | null {
  const { pending, missed } = context.memory;
  return pending === 'reminder' && missed > 0 && yesOrNo(text) !== null ? answerReminder(context, text) : null;
}

const isHello = (intents: readonly Intent[]): boolean => intents.length === 1 && intents[0] === 'hello';

/** Said once more, to somebody who said no more than hello. */
function asked(context: Context): ReceptionistReply {
  const { agentName, callerName, variables, language } = context.request;
  const names = { businessName: context.business.name, agentName, callerName, variables };
  return say(context, fillTemplate(phrasesFor(language).call.reminder, names), 'reminder');
}

/** Replies to the result of `confirm_appointment`. */
export function appointmentConfirmed(context: Context, result: unknown): ReceptionistReply {
  if (hasFailed(result)) return answered(context, "I'm sorry, that appointment has just been changed.");
  return ending(context, 'Thank you. We look forward to seeing you. Goodbye.');
}
