// "Do not call me again", said, written, or pressed on a call: the account's list, every contact of that number, and
// the event.

import { addEvent } from '../../outbox.ts';
import { contactResource } from '../../records/resources.ts';
import type { Db } from '../../schema.ts';
import { newId } from '../../shared/id.ts';

interface OptOut {
  accountId: string;
  phoneNumber: string;
  /** Whose writes keep their order; absent: it was written. */
  callId?: string;
  source: 'call' | 'digits';
  reason: string | null;
  nowMs: number;
}

/** Idempotent: a number that is listed stays listed, and no second event is written for a contact. */
export async function optOut(db: Db, wish: OptOut): Promise<void> {
  await db
    .insertInto('doNotCall')
    .values({
      id: newId('dnc'),
      accountId: wish.accountId,
      phoneNumber: wish.phoneNumber,
      reason: wish.reason,
      source: wish.source,
      createdAt: wish.nowMs,
    })
    .onConflict((conflict) => conflict.columns(['accountId', 'phoneNumber']).doNothing())
    .execute();
  const contacts = await db
    .updateTable('contacts')
    .set({ status: 'DO_NOT_CALL', nextAttemptAt: null })
    .where('accountId', '=', wish.accountId)
    .where('phoneNumber', '=', wish.phoneNumber)
    .where('status', '!=', 'DO_NOT_CALL')
    .returningAll()
    .execute();
  for (const contact of contacts) {
    await addEvent(db, {
      accountId: wish.accountId,
      type: 'contact.opted_out',
      subjectId: contact.id,
      data: contactResource(contact),
      nowMs: wish.nowMs,
    });
  }
}
