// The statements that begin and end each call, compiled once: building them for each call took longer than running
// them.
import { compiledStatement } from '../../compiled-statement.ts';
import {
  type CallTable,
  ENDED_COLUMNS,
  type EndedColumn,
  type NewCall,
  ringingCall,
} from '../../schema/call-columns.ts';
import type { ContactStatus } from '../../schema/campaigns.ts';

export const addRingingCall = compiledStatement((db, call: NewCall & { accountId: string }) =>
  db.insertInto('calls').values(ringingCall(call)),
);

export const findCall = compiledStatement((db, { id }: { id: string }) =>
  db.selectFrom('calls').selectAll().where('id', '=', id),
);

export const findAppointments = compiledStatement((db, { callId }: { callId: string }) =>
  db.selectFrom('appointments').selectAll().where('callId', '=', callId).orderBy('id'),
);

type Ended = Pick<CallTable, 'id' | EndedColumn> & { endedAt: number };

export const writeEnd = compiledStatement((db, call: Ended) =>
  db
    .updateTable('calls')
    .set(Object.fromEntries(ENDED_COLUMNS.map((name) => [name, call[name]])))
    .where('id', '=', call.id)
    .where('endedAt', 'is', null)
    .returningAll(),
);

/** Keeps a do-not-call request that was made during the call. */
export const settleContact = compiledStatement(
  (db, contact: { id: string; status: ContactStatus; nextAttemptAt: number | null }) =>
    db
      .updateTable('contacts')
      .set({ status: contact.status, nextAttemptAt: contact.nextAttemptAt })
      .where('id', '=', contact.id)
      .where('status', '=', 'CALLING'),
);

export const endAttempts = compiledStatement((db, attempt: { callId: string; endedAt: number; outcome: string }) =>
  db
    .updateTable('dialAttempts')
    .set({ endedAt: attempt.endedAt, outcome: attempt.outcome })
    .where('callId', '=', attempt.callId)
    .where('endedAt', 'is', null),
);

export const deleteDialogs = compiledStatement((db, { callId }: { callId: string }) =>
  db.deleteFrom('callDialogs').where('callId', '=', callId),
);
