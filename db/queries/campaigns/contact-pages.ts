// Pages of a campaign's contacts. A deep page begins at the second in which its contacts were added, found in the kept
// totals (contact_seconds), so that no page of a million contacts skips more than half of one second's contacts.

import type { ContactStatus, ContactTable } from '../../schema/campaigns.ts';
import type { Db } from '../../schema.ts';
import { runText } from '../../statements/compiled-statement.ts';
import { nearestDay } from '../calls/list/page-starts.ts';
import { contactCounts, SELECTED_CONTACT } from './contacts.ts';

/** Skipping up to this many rows costs less than reading the totals of all seconds. */
const SKIP_CHEAPLY = 2_000;

interface Start {
  order: 'desc' | 'asc';
  /** `createdAt` at which reading begins, ms; null: the end of the list. */
  fromMs: number | null;
  /** Rows to skip there; `asc` pages are read backwards and reversed. */
  offset: number;
  limit: number;
}

/** Contacts of the campaign, newest first, and how many match. */
export async function listContacts(
  db: Db,
  accountId: string,
  campaignId: string,
  { status }: { status?: ContactStatus },
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: ContactTable[]; total: number }> {
  const counts = await contactCounts(db, accountId, campaignId);
  const total =
    status === undefined ? [...counts.values()].reduce((sum, count) => sum + count, 0) : (counts.get(status) ?? 0);
  if (offset >= total) return { rows: [], total };
  const start = await startOf(db, campaignId, status, { limit, offset, total });
  const { order, fromMs } = start;
  const bound = order === 'desc' ? ' and created_at <= ?' : ' and created_at >= ?';
  const rows = await runText<ContactTable>(
    db,
    `contacts|${order}|${fromMs === null ? '' : 'bound'}|${status === undefined ? '' : 'status'}`,
    () =>
      `select ${SELECTED_CONTACT} from contacts where account_id = ? and campaign_id = ?
         ${status === undefined ? '' : ' and status = ?'}${fromMs === null ? '' : bound}
       order by created_at ${order}, id ${order} limit ? offset ?`,
    [
      accountId,
      campaignId,
      ...(status === undefined ? [] : [status]),
      ...(fromMs === null ? [] : [fromMs]),
      start.limit,
      start.offset,
    ],
  );
  return { rows: order === 'asc' ? rows.reverse() : rows, total };
}

async function startOf(
  db: Db,
  campaignId: string,
  status: ContactStatus | undefined,
  page: { limit: number; offset: number; total: number },
): Promise<Start> {
  const { offset, total } = page;
  const limit = Math.min(page.limit, total - offset);
  const rest = total - offset - limit;
  if (offset <= SKIP_CHEAPLY) return { order: 'desc', fromMs: null, offset, limit };
  if (rest <= SKIP_CHEAPLY) return { order: 'asc', fromMs: null, offset: rest, limit };
  const { totals, seconds } = await secondTotals(db, campaignId, status);
  const nearest = nearestDay(totals, offset, limit, Math.min(offset, rest));
  const second = nearest === null ? undefined : seconds[nearest.index];
  if (nearest === null || second === undefined) {
    return offset <= rest
      ? { order: 'desc', fromMs: null, offset, limit }
      : { order: 'asc', fromMs: null, offset: rest, limit };
  }
  return nearest.isNearEdge
    ? { order: 'desc', fromMs: second * 1_000 + 999, offset: nearest.skip, limit }
    : { order: 'asc', fromMs: second * 1_000, offset: nearest.skip, limit };
}

/** Newest first, read as one text: rows would take three times as long. */
async function secondTotals(
  db: Db,
  campaignId: string,
  status: ContactStatus | undefined,
): Promise<{ totals: number[]; seconds: number[] }> {
  const [row] = await runText<{ totals: string | null; seconds: string | null }>(
    db,
    `contact-seconds|${status === undefined ? '' : 'status'}`,
    ({ joined }) =>
      `select ${joined('total')} as totals, ${joined('second')} as seconds from (
         select second, sum(total) as total from contact_seconds_now
         where campaign_id = ?${status === undefined ? '' : ' and status = ?'}
         group by second having sum(total) > 0 order by second desc) as seconds`,
    status === undefined ? [campaignId] : [campaignId, status],
  );
  const numbersOf = (text: string | null | undefined): number[] => (text ? text.split(',').map(Number) : []);
  return { totals: numbersOf(row?.totals), seconds: numbersOf(row?.seconds) };
}
