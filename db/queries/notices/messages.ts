// The messages in which owners are told: waiting ones are claimed and sent, all are kept as a log for thirty days.
import { HOUR_MS } from '../../domain/hours/durations.ts';
import { noticesMayGoAt } from '../../domain/notices/due.ts';
import type { NoticeMessageTable } from '../../schema/notices.ts';
import type { Db } from '../../schema.ts';
import { newestPage, type Page } from '../newest-page.ts';

export async function insertMessage(tx: Db, message: NoticeMessageTable): Promise<void> {
  await tx.insertInto('noticeMessages').values(message).execute();
}

/** When a recipient of the account may have the next message: at once, unless there is a flood. */
export async function nextMessageAt(db: Db, accountId: string, target: string, nowMs: number): Promise<number> {
  const { total, last } = await db
    .selectFrom('noticeMessages')
    .select((eb) => [eb.fn.sum<number | null>('notices').as('total'), eb.fn.max('createdAt').as('last')])
    .where('accountId', '=', accountId)
    .where('target', '=', target)
    .where('createdAt', '>', nowMs - HOUR_MS)
    .executeTakeFirstOrThrow();
  return noticesMayGoAt(Number(total ?? 0), last === null ? null : Number(last), nowMs);
}

/** The message that has been due longest and is no mail, but for those of some accounts; undefined if there is none. */
export async function dueMessage(
  db: Db,
  nowMs: number,
  exceptAccounts: readonly string[],
): Promise<NoticeMessageTable | undefined> {
  const due = db.selectFrom('noticeMessages').selectAll().where('nextAttemptAt', '<=', nowMs);
  return (exceptAccounts.length === 0 ? due : due.where('accountId', 'not in', exceptAccounts))
    .orderBy('nextAttemptAt')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

/** Counts the attempt, and has nobody else make it until `untilMs`; false when another process was first. */
export async function claimMessage(db: Db, { id, attempts }: NoticeMessageTable, untilMs: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('noticeMessages')
    .set({ attempts: attempts + 1, nextAttemptAt: untilMs })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function postponeMessage(db: Db, id: string, nextAttemptAt: number, error: string): Promise<void> {
  await db.updateTable('noticeMessages').set({ nextAttemptAt, error }).where('id', '=', id).execute();
}

/** A failed attempt of a mail, which the outbox makes again. */
export async function noteMailFailure(db: Db, id: string, error: string): Promise<void> {
  await db
    .updateTable('noticeMessages')
    .set((eb) => ({ error, attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** Its notices are done with it; one that is closed already stays so. Call it in a transaction. */
export async function closeMessage(
  tx: Db,
  id: string,
  { status, error, nowMs }: { status: 'sent' | 'failed' | 'dropped'; error: string | null; nowMs: number },
): Promise<void> {
  await tx.deleteFrom('notices').where('messageId', '=', id).execute();
  await tx
    .updateTable('noticeMessages')
    .set({ status, doneAt: nowMs, nextAttemptAt: null, ...(error === null ? {} : { error }) })
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .execute();
}

export function getMessage(db: Db, id: string): Promise<NoticeMessageTable | undefined> {
  return db.selectFrom('noticeMessages').selectAll().where('id', '=', id).executeTakeFirst();
}

/** A page of a business's messages, newest first, and how many there are. */
export function listMessages(
  db: Db,
  accountId: string,
  businessId: string,
  { status, ...page }: Page & { status?: NoticeMessageTable['status'] | undefined },
) {
  const rows = db
    .selectFrom('noticeMessages')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('businessId', '=', businessId);
  return newestPage(status === undefined ? rows : rows.where('status', '=', status), page);
}

/** Removes up to `limit` messages from before `beforeMs`, of all accounts, with what they told of. */
export async function deleteOldMessages(db: Db, beforeMs: number, limit: number): Promise<number> {
  const rows = await db
    .selectFrom('noticeMessages')
    .select('id')
    .where('createdAt', '<', beforeMs)
    .orderBy('createdAt')
    .limit(limit)
    .execute();
  for (const { id } of rows) {
    await db.deleteFrom('notices').where('messageId', '=', id).execute();
    await db.deleteFrom('noticeMessages').where('id', '=', id).execute();
  }
  return rows.length;
}

/** All that is kept of a business that is gone. */
export async function deleteNoticesOf(tx: Db, accountId: string, businessId: string): Promise<void> {
  for (const table of ['notices', 'noticeMessages'] as const)
    await tx.deleteFrom(table).where('accountId', '=', accountId).where('businessId', '=', businessId).execute();
}
