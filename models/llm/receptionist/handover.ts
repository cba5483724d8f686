// The receptionist hands the caller to a person, or says why it cannot.
import { type TriedPerson, triedSentences } from '../call-note.ts';
import { reachablePersons } from '../persons.ts';
import { type Context, call, canTransfer, type ReceptionistReply, say, vary } from './context.ts';
import { personWanted } from './destination-choice.ts';

/** `text`: what they said, which may name whom. */
export function transfer(context: Context, reason: string, text = ''): ReceptionistReply {
  const { business } = context;
  if (canTransfer(context))
    return call(
      context,
      vary(context, ['Of course. One moment, please, I am connecting you.', 'Sure, let me put you through.']),
      'transfer_call',
      whomToReach(context, reason, text),
      { booking: null },
    );
  const contact = business.email ? ` You can also write to us at ${business.email}.` : '';
  return say(
    context,
    `I'm sorry, nobody can take the call right now.${contact} Is there anything I can do for you?`,
    'anything-else',
  );
}

/** A destination is told why they call by the caller's words, and not by ours. */
function whomToReach(context: Context, reason: string, text: string): Record<string, string> {
  const { business, request } = context;
  if (reachablePersons(business, request.nowMs).length === 0) return { reason };
  const destination = personWanted(context, text);
  return destination === null ? {} : { destination };
}

export function notReachableNow(context: Context, name: string): ReceptionistReply {
  const sorry = `I'm sorry, ${name} can't be reached at this hour.`;
  if (!canTransfer(context)) return say(context, `${sorry} Is there anything I can do for you?`, 'anything-else');
  return say(context, `${sorry} Would you like me to connect you with somebody else?`, 'offer-person');
}

export function notTransferred(context: Context, tried: readonly TriedPerson[] = []): ReceptionistReply {
  const why = triedSentences(tried, 'en').join(' ') || 'nobody is answering at the moment.';
  return say(context, `I'm sorry, ${why} Is there anything I can do for you?`, 'anything-else');
}
