// Appointments: of a business, or of one of its resources, no two booked ones overlap. Run
// checks and changes in one transaction.

import type { AppointmentTable } from '../../schema/businesses.ts';
import type { Db } from '../../schema.ts';
import { newestPage, type Page } from '../newest-page.ts';

interface AppointmentFilter {
  businessId?: string;
  callId?: string;
  status?: 'booked' | 'cancelled';
  phone?: string;
  resource?: string;
  /** The agent that booked it, on a call or in writing. */
  agentId?: string;
  /** Of its beginning, inclusive. */
  fromMs?: number;
  toMs?: number;
}

/** Appointments, newest first, and how many match. */
export async function listAppointments(
  db: Db,
  accountId: string,
  filter: AppointmentFilter,
  page: Page,
): Promise<{ rows: AppointmentTable[]; total: number }> {
  let query = db.selectFrom('appointments').where('accountId', '=', accountId);
  if (filter.businessId !== undefined) query = query.where('businessId', '=', filter.businessId);
  if (filter.callId !== undefined) query = query.where('callId', '=', filter.callId);
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  if (filter.phone !== undefined) query = query.where('phone', '=', filter.phone);
  if (filter.resource !== undefined) query = query.where('resource', '=', filter.resource);
  if (filter.fromMs !== undefined) query = query.where('startsAt', '>=', filter.fromMs);
  if (filter.toMs !== undefined) query = query.where('startsAt', '<=', filter.toMs);
  const { agentId } = filter;
  if (agentId !== undefined)
    query = query.where((eb) =>
      eb.or([
        eb('callId', 'in', eb.selectFrom('calls').select('calls.id').where('calls.agentId', '=', agentId)),
        eb(
          'conversationId',
          'in',
          eb.selectFrom('conversations').select('conversations.id').where('conversations.agentId', '=', agentId),
        ),
      ]),
    );
  return newestPage(query.selectAll(), page);
}

export function getAppointment(db: Db, accountId: string, id: string): Promise<AppointmentTable | undefined> {
  return db
    .selectFrom('appointments')
    .selectAll()
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
}

/** The booked appointments of the business that overlap [startsAt, endsAt), oldest first. */
export function overlappingAppointments(
  db: Db,
  accountId: string,
  businessId: string,
  startsAt: number,
  endsAt: number,
  limit = 500,
): Promise<AppointmentTable[]> {
  return db
    .selectFrom('appointments')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('businessId', '=', businessId)
    .where('status', '=', 'booked')
    .where('startsAt', '<', endsAt)
    .where('endsAt', '>', startsAt)
    .orderBy('startsAt')
    .limit(limit)
    .execute();
}

export function updateAppointment(
  db: Db,
  accountId: string,
  id: string,
  changes: Partial<
    Pick<AppointmentTable, 'startsAt' | 'endsAt' | 'status' | 'resource' | 'reference' | 'sequence' | 'history'>
  >,
): Promise<AppointmentTable | undefined> {
  return db
    .updateTable('appointments')
    .set(changes)
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .returningAll()
    .executeTakeFirst();
}
