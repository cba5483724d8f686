// Makes messages of notices: those of one recipient become one, in the transaction that also writes it into the outbox
// of mails.
import { type NoticeRule, noticeRules, noticeTarget } from '../../db/domain/notices/rules.ts';
import { closeMessage, insertMessage, nextMessageAt } from '../../db/queries/notices/messages.ts';
import { type DueGroup, dropNotices, findTeller, holdNotices, takeDue } from '../../db/queries/notices/notices.ts';
import type { NoticeMessageTable } from '../../db/schema/notices.ts';
import type { Db } from '../../db/schema.ts';
import { newId } from '../../db/shared/id.ts';
import type { ApiContext } from '../context.ts';
import { shownRecipient } from './rules.ts';

/** A message of what is due for a recipient, unless a flood has it wait. */
export async function makeMessage(context: ApiContext, tx: Db, group: DueGroup): Promise<void> {
  const nowMs = context.now();
  const teller = await findTeller(tx, group.accountId, group.businessId);
  const rule = teller && noticeRules(teller.notify).find((each) => noticeTarget(each) === group.target);
  if (!rule) return dropNotices(tx, group);
  const mayGoAt = await nextMessageAt(tx, group.accountId, group.target, nowMs);
  if (mayGoAt > nowMs) return holdNotices(tx, group, nowMs, mayGoAt);
  const id = newId('ntm');
  const taken = await takeDue(tx, group, id, nowMs);
  if (taken.length === 0) return;
  const kinds = [...new Set(taken.map(({ kind }) => kind))];
  const notices = new Set(taken.map(({ callId, subjectId }) => callId ?? subjectId)).size;
  await postMessage(context, tx, { ...messageRow(group, rule, id, nowMs), kinds: JSON.stringify(kinds), notices });
}

/** Writes a message, and a mail into the outbox; the first attempt of any other is due at once. */
export async function postMessage(context: ApiContext, tx: Db, message: NoticeMessageTable): Promise<void> {
  await insertMessage(tx, message);
  if (message.channel !== 'mail' || (await context.mail.post(tx, { noticeMessageId: message.id }))) return;
  await closeMessage(tx, message.id, { status: 'failed', error: 'too many mails wait', nowMs: context.now() });
}

export const messageRow = (
  { accountId, businessId, target }: DueGroup,
  rule: NoticeRule,
  id: string,
  nowMs: number,
): NoticeMessageTable => ({
  ...{ id, accountId, businessId, target, channel: rule.by, recipient: shownRecipient(rule) },
  kinds: JSON.stringify([rule.on]),
  notices: 1,
  status: 'waiting',
  attempts: 0,
  nextAttemptAt: rule.by === 'mail' ? null : nowMs,
  error: null,
  isTest: 0,
  createdAt: nowMs,
  doneAt: null,
});
