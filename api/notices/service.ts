// The log of what owners were told, and an example that is sent now.
import { noticeRules, noticeTarget } from '../../db/domain/notices/rules.ts';
import { getMessage, listMessages, nextMessageAt } from '../../db/queries/notices/messages.ts';
import { isoOrNull, isoTime } from '../../db/records/resources.ts';
import type { NoticeMessageTable } from '../../db/schema/notices.ts';
import { businessRow, liveBusiness } from '../businesses/service.ts';
import type { ApiContext } from '../context.ts';
import type { Auth } from '../frame/app.ts';
import { invalid, notFound, retryLater } from '../frame/errors.ts';
import { offsetOf, pagination } from '../frame/pagination.ts';
import { checkMayTell } from './rules.ts';
import type { NoticeMessageRecord, NoticeQuery } from './schema.ts';
import { sendExample } from './send.ts';

export async function listNotices(context: ApiContext, accountId: string, businessId: string, query: NoticeQuery) {
  await businessRow(context.read, accountId, businessId);
  const { page, limit, status } = query;
  const { rows, total } = await listMessages(context.read, accountId, businessId, {
    limit,
    offset: offsetOf(query),
    status,
  });
  return { data: rows.map(messageRecord), pagination: pagination(page, limit, total) };
}

/** @throws {ApiError} 403, 404, 409, 422; 429 where the recipient was sent ten within the hour */
export async function testNotice(
  context: ApiContext,
  auth: Auth,
  businessId: string,
  index: number,
): Promise<NoticeMessageRecord> {
  const { accountId } = auth;
  const business = await liveBusiness(context.read, accountId, businessId);
  const rule = noticeRules(business.notify)[index];
  if (rule === undefined)
    throw invalid([{ field: 'index', message: 'is of no rule that calls obey: save it, and publish the draft' }]);
  checkMayTell(auth, [rule], '[]');
  const target = noticeTarget(rule);
  await refuseFlood(context, accountId, target);
  const id = await sendExample(context, { accountId, businessId, target }, rule);
  const row = await getMessage(context.read, id);
  if (row === undefined) throw notFound('Business');
  return messageRecord(row);
}

/** @throws {ApiError} 429 where the recipient was sent ten within the hour */
export async function refuseFlood({ read, now }: ApiContext, accountId: string, target: string): Promise<void> {
  const nowMs = now();
  const mayGoAt = await nextMessageAt(read, accountId, target, nowMs);
  if (mayGoAt <= nowMs) return;
  const message = 'This recipient was told ten times within the hour';
  throw retryLater('NOTICES_TOO_MANY', message, (mayGoAt - nowMs) / 1_000);
}

export const messageRecord = (row: NoticeMessageTable): NoticeMessageRecord => ({
  id: row.id,
  on: JSON.parse(row.kinds),
  by: row.channel,
  to: row.recipient,
  notices: row.notices,
  status: row.status,
  attempts: row.attempts,
  nextAttemptAt: isoOrNull(row.nextAttemptAt),
  error: row.error,
  isTest: row.isTest === 1,
  createdAt: isoTime(row.createdAt),
  doneAt: isoOrNull(row.doneAt),
});
