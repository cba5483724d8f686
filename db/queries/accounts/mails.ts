// The outbox of mails: rows are claimed, sent and deleted.
import { HOUR_MS } from '../../domain/hours/durations.ts';
import type { MailTable } from '../../schema/mails.ts';
import type { Db } from '../../schema.ts';

/** Longest delay of a mail; a due time further ahead means that the clock was set back. */
const AHEAD_MAX_MS = 2 * HOUR_MS;

export async function insertMail(db: Db, mail: MailTable): Promise<void> {
  await db.insertInto('mails').values(mail).execute();
}

export async function countMails(db: Db): Promise<number> {
  const { total } = await db
    .selectFrom('mails')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** The mail that has been due longest, or undefined. */
export function dueMail(db: Db, nowMs: number): Promise<MailTable | undefined> {
  return db
    .selectFrom('mails')
    .selectAll()
    .where((eb) => eb.or([eb('nextAttemptAt', '<=', nowMs), eb('nextAttemptAt', '>', nowMs + AHEAD_MAX_MS)]))
    .orderBy('nextAttemptAt')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

/** Claims a due mail until `untilMs` and counts the attempt; false when another process was first. */
export async function claimMail(db: Db, mail: MailTable, untilMs: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('mails')
    .set({ attempts: mail.attempts + 1, nextAttemptAt: untilMs })
    .where('id', '=', mail.id)
    .where('attempts', '=', mail.attempts)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function postponeMail(db: Db, id: string, nextAttemptAt: number): Promise<void> {
  await db.updateTable('mails').set({ nextAttemptAt }).where('id', '=', id).execute();
}

export async function deleteMail(db: Db, id: string): Promise<void> {
  await db.deleteFrom('mails').where('id', '=', id).execute();
}

/** Number of mails from before `beforeMs` that were tried and not sent. */
export async function waitingMails(db: Db, beforeMs: number): Promise<number> {
  const { total } = await db
    .selectFrom('mails')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('attempts', '>', 0)
    .where('createdAt', '<', beforeMs)
    .executeTakeFirstOrThrow();
  return Number(total);
}
