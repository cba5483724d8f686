// Notices of one thing that has happened, as those who are told of it wish: ids, until they are sent. Each is added in
// the transaction that makes the thing true, or that moves the cursor over its event, so that a process that dies tells
// nobody twice and forgets nobody.
import { noticeDueAt } from '../../db/domain/notices/due.ts';
import { type NoticeRule, noticeRules, noticeTarget } from '../../db/domain/notices/rules.ts';
import { insertNotice, type Teller } from '../../db/queries/notices/notices.ts';
import type { NoticeTable } from '../../db/schema/notices.ts';
import type { Db } from '../../db/schema.ts';
import { newId } from '../../db/shared/id.ts';

export interface Happened extends Pick<NoticeTable, 'subjectId' | 'callId'> {
  atMs: number;
  isAbout(rule: NoticeRule): boolean;
  /** Something more of it is to come, for which the notice waits. */
  waitMs?: number;
}

export async function addNotices(
  tx: Db,
  teller: Pick<Teller, 'id' | 'accountId' | 'timezone' | 'notify'>,
  { subjectId, callId, atMs, isAbout, waitMs = 0 }: Happened,
): Promise<void> {
  for (const rule of noticeRules(teller.notify).filter(isAbout))
    await insertNotice(tx, {
      id: newId('ntc'),
      accountId: teller.accountId,
      businessId: teller.id,
      target: noticeTarget(rule),
      kind: rule.on,
      subjectId,
      callId,
      dueAt: Math.max(noticeDueAt(rule, teller.timezone, atMs), atMs + waitMs),
      messageId: null,
      createdAt: atMs,
    });
}
