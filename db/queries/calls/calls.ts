// Calls: one call, its appointments, the running ones. Lists are in pages.ts.

import type { AppointmentTable } from '../../schema/businesses.ts';
import type { CallTable } from '../../schema/call-columns.ts';
import type { Db } from '../../schema.ts';
import { columnList } from '../../statements/column-names.ts';
import { runText } from '../../statements/compiled-statement.ts';

/** The whole row, or undefined. */
export function getCall(db: Db, accountId: string, id: string): Promise<CallTable | undefined> {
  return db.selectFrom('calls').selectAll().where('id', '=', id).where('accountId', '=', accountId).executeTakeFirst();
}

const APPOINTMENT = columnList<AppointmentTable>({
  ...{ id: true, accountId: true, businessId: true, callId: true, conversationId: true, service: true },
  ...{ startsAt: true, endsAt: true, name: true, phone: true, notes: true, status: true, resource: true },
  ...{ sequence: true, reference: true, history: true, eraseAfter: true, createdAt: true },
  ...{ reminderCallId: true, reminder: true, phoneProved: true },
});

/** Appointments booked on the calls, oldest first. */
export function appointmentsOfCalls(
  db: Db,
  accountId: string,
  callIds: readonly string[],
): Promise<AppointmentTable[]> {
  if (callIds.length === 0) return Promise.resolve([]);
  return runText<AppointmentTable>(
    db,
    `appointments|${callIds.length}`,
    () =>
      `select ${APPOINTMENT} from appointments
         where call_id in (${callIds.map(() => '?').join()}) and account_id = ? order by id`,
    [...callIds, accountId],
  );
}

/** The account's running calls, newest first, and how many there are. */
export async function listLiveCalls(
  db: Db,
  accountId: string,
  page: { limit: number; offset: number },
): Promise<{ rows: CallTable[]; total: number }> {
  const live = db.selectFrom('calls').where('accountId', '=', accountId).where('endedAt', 'is', null);
  const rows = await live
    .selectAll()
    .orderBy('startedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const { total } = await live.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { rows, total: Number(total) };
}
