// The words for results of tools: the receptionist's own, and those that another model asked for before it failed.
import type { Message } from '../llm.ts';
import { phrasesFor } from '../phrases/languages.ts';
import { appointmentMade, availabilityFound, bookingTakenOver } from './booking.ts';
import { callbackMade } from './callback.ts';
import type { Context, ReceptionistReply } from './context.ts';
import { answered, ending } from './going-on.ts';
import { notTransferred } from './handover.ts';
import { accountWords, type Inherited, inheritedResults, inheritedWords, withAsked } from './inherited-results.ts';
import { languageChanged, languageKept } from './language-change.ts';
import { ownChanged, ownFound } from './own-appointment.ts';
import { appointmentConfirmed } from './reminder.ts';
import { hasFailed } from './result-fields.ts';

export function toolResult(context: Context, last: Extract<Message, { role: 'tool-result' }>): ReceptionistReply {
  const inherited = inheritedResults(context.request.messages);
  const theirs = inherited.at(-1) ?? null;
  if (theirs === null) return resultOf(context, last, null);
  const lead = inherited.slice(0, -1).map((each) => inheritedWords(context, each));
  const reply = resultOf({ ...context, memory: { ...context.memory, booking: null } }, last, theirs);
  return { ...reply, text: [...lead, reply.text].filter((words) => words !== '').join(' ') };
}

/** `theirs`: another model asked for it; null: the receptionist did. */
function resultOf(
  context: Context,
  { name, result }: Pick<Inherited, 'name' | 'result'>,
  theirs: Inherited | null,
): ReceptionistReply {
  const failed = hasFailed(result);
  const nothing: ReceptionistReply = { text: '', tool: null, memory: context.memory };
  switch (name) {
    case 'check_availability':
      return theirs ? bookingTakenOver(context, theirs) : availabilityFound(context, result);
    case 'schedule_appointment':
      if (theirs && failed) return bookingTakenOver(context, theirs);
      return appointmentMade(context, theirs ? withAsked(theirs, ['startsAt', 'service']) : result);
    case 'find_own_appointments':
      return theirs ? answered(context, inheritedWords(context, theirs)) : ownFound(context, result);
    case 'move_own_appointment':
    case 'cancel_own_appointment':
      return theirs ? answered(context, inheritedWords(context, theirs)) : ownChanged(context, name, result);
    case 'confirm_appointment':
      return theirs ? answered(context, inheritedWords(context, theirs)) : appointmentConfirmed(context, result);
    case 'schedule_callback':
      return callbackMade(context, theirs ? withAsked(theirs, ['at']) : result);
    case 'opt_out':
      if (failed) return answered(context, phrasesFor('en').results.notDone);
      return ending(context, "You won't be called again. Goodbye.");
    case 'transfer_call':
      return failed ? notTransferred(context) : nothing;
    case 'end_call':
      return nothing;
    case 'switch_language':
      return failed ? languageKept(context) : languageChanged(context);
    default:
      return answered(context, theirs ? inheritedWords(context, theirs) : accountWords(context, name, result));
  }
}
