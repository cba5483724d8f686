// The do-not-call list of an account.

import { endOptOuts } from '../../db/queries/conversations/conversations.ts';
import {
  deleteDoNotCall,
  doNotCallEntry,
  insertDoNotCall,
  listDoNotCall,
} from '../../db/queries/dialling/do-not-call.ts';
import { isoTime } from '../../db/records/resources.ts';
import type { DoNotCallTable } from '../../db/schema/campaigns.ts';
import { newId } from '../../db/shared/id.ts';
import type { ApiContext } from '../context.ts';
import { notFound } from '../frame/errors.ts';
import { offsetOf, type PageQuery, pagination } from '../frame/pagination.ts';
import { parseE164, queriedNumber } from '../frame/phone.ts';

function doNotCallRecord(row: DoNotCallTable) {
  return {
    id: row.id,
    phoneNumber: row.phoneNumber,
    reason: row.reason,
    source: row.source,
    createdAt: isoTime(row.createdAt),
  };
}

export async function listDoNotCallRecords(
  context: ApiContext,
  accountId: string,
  query: PageQuery & { phoneNumber?: string },
) {
  const { page, limit, phoneNumber } = query;
  const filter = phoneNumber === undefined ? {} : { phoneNumber: queriedNumber(phoneNumber) };
  const { rows, total } = await listDoNotCall(context.read, accountId, filter, { limit, offset: offsetOf(query) });
  return { data: rows.map(doNotCallRecord), pagination: pagination(page, limit, total) };
}

/** Lists a number; if it was already listed, `added` is false and the record is the existing one. */
export async function addDoNotCall(
  context: ApiContext,
  accountId: string,
  body: { phoneNumber: string; reason?: string | null },
) {
  const phoneNumber = parseE164(body.phoneNumber, 'phoneNumber');
  return context.db.transaction().execute(async (trx) => {
    const added = await insertDoNotCall(trx, accountId, {
      id: newId('dnc'),
      phoneNumber,
      reason: body.reason ?? null,
      source: 'api',
      createdAt: context.now(),
    });
    const row = added ?? (await doNotCallEntry(trx, accountId, phoneNumber));
    if (row === undefined) throw new Error('a listed number has a record');
    return { added: added !== undefined, record: doNotCallRecord(row) };
  });
}

/** The person may be called and written to again, also where they had ended texts. @throws {ApiError} 404 */
export async function removeDoNotCall(context: ApiContext, accountId: string, phoneNumber: string) {
  return context.db.transaction().execute(async (trx) => {
    const row = await deleteDoNotCall(trx, accountId, phoneNumber);
    if (row === undefined) throw notFound('Do-not-call entry');
    await endOptOuts(trx, accountId, phoneNumber);
    return doNotCallRecord(row);
  });
}
