// Plans the texts that an appointment's person is to get, in the transaction that books, moves or cancels it, so that
// each is sent once. A change that comes before a text was sent takes its place.
import { appointmentTextsOf, reachedAt, reminderAt, unaskedTextAt } from '../domain/texts/appointment-texts.ts';
import type { AppointmentTable } from '../schema/businesses.ts';
import type { AppointmentTextKind } from '../schema/conversations.ts';
import type { Db } from '../schema.ts';

/** @param isTold whether the person is told of this change; undefined: as the business has it */
export async function planTexts(tx: Db, appointment: AppointmentTable, nowMs: number, isTold?: boolean): Promise<void> {
  const { id, accountId, businessId, sequence, status, startsAt } = appointment;
  const phone = reachedAt(appointment);
  const business = await tx
    .selectFrom('businesses')
    .select(['appointmentTexts', 'timezone'])
    .where('id', '=', businessId)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  const wishes = appointmentTextsOf(business?.appointmentTexts ?? null);
  const unsent = await tx
    .updateTable('appointmentTexts')
    .set({ dueAt: null })
    .where('appointmentId', '=', id)
    .where('dueAt', 'is not', null)
    .returning('kind')
    .execute();
  if (wishes === null || business === undefined || phone === null) return;
  const add = async (kind: AppointmentTextKind, dueAt: number): Promise<void> => {
    const row = { appointmentId: id, kind, sequence, accountId, businessId, dueAt, messageId: null, createdAt: nowMs };
    await tx
      .insertInto('appointmentTexts')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  };
  const soon = unaskedTextAt(phone, business.timezone, nowMs);
  const kind = newsOf(
    appointment,
    unsent.some((each) => each.kind === 'confirmation'),
  );
  const isWanted = isTold ?? (kind === 'confirmation' ? wishes.confirm : wishes.changes);
  // A person who has booked in writing has read it.
  const isKnown = kind === 'confirmation' && appointment.conversationId !== null;
  if (kind !== null && isWanted && !isKnown && soon < startsAt) await add(kind, soon);
  const remindAt = status === 'booked' ? reminderAt({ startsAt, phone }, wishes, business.timezone, nowMs) : null;
  if (remindAt !== null) await add('reminder', remindAt);
}

/** Null: nobody was told of it yet, and it is off again. */
function newsOf({ sequence, status }: AppointmentTable, isUnconfirmed: boolean): AppointmentTextKind | null {
  if (status === 'cancelled') return isUnconfirmed ? null : 'cancellation';
  return sequence === 0 || isUnconfirmed ? 'confirmation' : 'change';
}
