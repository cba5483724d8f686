// The ends of the receptionist's replies: back to the booking, on to the next question, or out of the call.
import { resumeBooking } from './booking.ts';
import { type Context, call, hasTool, type ReceptionistReply, say, vary } from './context.ts';
import { slowly } from './slowly.ts';

/**
 * After an answer the booking goes on; without one the caller is asked for more, unless the last answer did that: a
 * person does not end each sentence with an offer.
 */
export function answered(context: Context, text: string): ReceptionistReply {
  const { booking, pending } = context.memory;
  // A merely offered booking is dropped when the caller asks something else.
  if (booking && pending !== 'offer-booking') return resumeBooking(context, text);
  const dropped = { booking: null };
  // The same question again: they have not got it.
  if (context.memory.said.startsWith(text)) return say(context, slowly(text), 'anything-else', dropped);
  if (/\?\s*$/.test(text)) return say(context, text, 'nothing', dropped);
  if (pending === 'anything-else' && context.memory.said.endsWith('?')) return say(context, text, pending, dropped);
  const more = ['Is there anything else I can help you with?', 'What else can I do for you?', 'Anything else?'];
  return say(context, `${text} ${vary(context, more)}`, 'anything-else', dropped);
}

/** Says it and hangs up, where the receptionist may. */
export function ending(context: Context, text: string): ReceptionistReply {
  if (!hasTool(context, 'end_call')) return say(context, text, 'nothing', { booking: null });
  return call(context, text, 'end_call', { reason: 'The conversation is over' }, { booking: null });
}
