// Texts about appointments that are due: each becomes a message in the conversation with its person, in their language,
// by a number of the business; or it is dropped, where the appointment is not as it was, or no text may go.
import { DateTime } from 'luxon';
import { reachedAt, unaskedTextAt } from '../../db/domain/texts/appointment-texts.ts';
import { getAgent } from '../../db/queries/businesses/agents.ts';
import { getAppointment } from '../../db/queries/businesses/appointments.ts';
import { getBusiness } from '../../db/queries/businesses/businesses.ts';
import { getCall } from '../../db/queries/calls/calls.ts';
import { dueAppointmentTexts, settleAppointmentText } from '../../db/queries/conversations/appointment-texts.ts';
import { conversationWith, getConversation, updateConversation } from '../../db/queries/conversations/conversations.ts';
import { textingNumber } from '../../db/queries/conversations/texting-number.ts';
import { doNotCallEntry } from '../../db/queries/dialling/do-not-call.ts';
import { carrierOfNumber } from '../../db/queries/numbers/carriers.ts';
import { queueServiceText } from '../../db/rules/texting.ts';
import type { AppointmentTable, BusinessTable } from '../../db/schema/businesses.ts';
import type { AppointmentTextTable, ConversationTable } from '../../db/schema/conversations.ts';
import type { Db } from '../../db/schema.ts';
import { CONVERSATIONS, transact } from '../../db/scope.ts';
import type { ApiContext } from '../context.ts';
import { appointmentSentence } from './sentences.ts';

const AT_ONCE = 50;

export async function textAboutAppointments({ db, read, now }: ApiContext): Promise<void> {
  for (const due of await dueAppointmentTexts(read, now(), AT_ONCE))
    await transact(db, CONVERSATIONS, async (tx) => {
      const settled = await textOf(tx, due, now());
      await settleAppointmentText(tx, due, settled);
    });
}

interface Settled {
  /** Null: it is done with. */
  dueAt: number | null;
  messageId: string | null;
}

const DROPPED: Settled = { dueAt: null, messageId: null };

async function textOf(tx: Db, due: AppointmentTextTable, nowMs: number): Promise<Settled> {
  const { accountId, appointmentId, businessId, sequence, kind } = due;
  const appointment = await getAppointment(tx, accountId, appointmentId);
  const business = await getBusiness(tx, accountId, businessId);
  // Of an erased call nothing is begun any more.
  if (!appointment || !business || appointment.eraseAfter !== null) return DROPPED;
  const phone = reachedAt(appointment);
  if (phone === null) return DROPPED;
  if (appointment.sequence !== sequence || appointment.startsAt <= nowMs) return DROPPED;
  const mayGoAt = unaskedTextAt(phone, business.timezone, nowMs);
  if (mayGoAt > nowMs) return mayGoAt < appointment.startsAt ? { dueAt: mayGoAt, messageId: null } : DROPPED;
  if ((await doNotCallEntry(tx, accountId, phone)) !== undefined) return DROPPED;
  const begun = await conversationFor(tx, { ...appointment, phone }, nowMs);
  if (begun === null) return DROPPED;
  const { conversation, language } = begun;
  const text = appointmentSentence(kind, language, words(appointment, business, language));
  const queued = await queueServiceText(tx, conversation, { text, purpose: 'appointment' }, nowMs);
  if ('obstacle' in queued) return DROPPED;
  // The agent reads it from the messages when the person asks about it.
  await updateConversation(tx, accountId, conversation.id, { sealed: null });
  return { dueAt: null, messageId: queued.message.id };
}

/** By the number that was called, else by one of the business's; null: none of them sends texts. */
async function conversationFor(
  tx: Db,
  { accountId, businessId, callId, phone, conversationId }: AppointmentTable & { phone: string },
  nowMs: number,
): Promise<{ conversation: ConversationTable; language: string } | null> {
  const call = callId === null ? undefined : await getCall(tx, accountId, callId);
  const before = conversationId === null ? undefined : await getConversation(tx, accountId, conversationId);
  const number =
    before !== undefined && before.kind === 'sms' && (await carrierOfNumber(tx, accountId, before.ownNumber)) !== null
      ? {
          id: before.phoneNumberId,
          phoneNumber: before.ownNumber,
          campaignId: before.campaignId,
          agentId: before.agentId,
        }
      : await textingNumber(tx, { accountId, businessId, phoneNumberId: call?.phoneNumberId ?? null });
  if (number === null) return null;
  const conversation = await conversationWith(tx, { accountId, businessId, personNumber: phone }, number, nowMs);
  const spoken = (JSON.parse(call?.languages ?? 'null') as string[] | null)?.at(-1);
  const agent = await getAgent(tx, accountId, call?.agentId ?? number.agentId);
  return { conversation, language: spoken ?? agent?.language ?? 'en' };
}

function words(
  { service, startsAt, resource }: AppointmentTable,
  { name, timezone, services }: BusinessTable,
  language: string,
) {
  const own = JSON.parse(services) as Array<{ name: string }>;
  const at = DateTime.fromMillis(startsAt, { zone: timezone }).setLocale(language);
  // A service of no business's is in the words of who booked it.
  const named = own.some((each) => each.name === service) ? service : null;
  const what = [named, resource].filter((part) => part !== null).join(', ');
  return {
    name,
    what: what === '' ? '' : ` (${what})`,
    when: at.toLocaleString({ weekday: 'long', day: 'numeric', month: 'long', hour: 'numeric', minute: '2-digit' }),
  };
}
