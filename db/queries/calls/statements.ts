// The statements that begin and end each call, compiled once: building them for each call took longer than running
// them.

import {
  type CallTable,
  ENDED_COLUMNS,
  type EndedColumn,
  type NewCall,
  ringingCall,
} from '../../schema/call-columns.ts';
import { compiledStatement } from '../../statements/compiled-statement.ts';

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
