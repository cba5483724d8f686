// Asks which of the calls that somebody follows have ended, and how: it is sent at each end of a placed call.

import { dialectOf } from '../../../dialect.ts';
import type { Db } from '../../../schema.ts';
import { runText } from '../../../statements/compiled-statement.ts';

interface EndedCall {
  id: string;
  endReason: string | null;
  answeredAt: number | null;
}

/** One text for lists of any length: PostgreSQL plans each text, and whoever places calls asks at each end of one. */
export function endedCalls(db: Db, ids: readonly string[]): Promise<EndedCall[]> {
  return runText<EndedCall>(
    db,
    'ended-calls',
    ({ isListed }) =>
      `select id, end_reason as "endReason", answered_at as "answeredAt" from calls
       where ended_at is not null and ${isListed('id')}`,
    [dialectOf(db).wordList(ids)],
  );
}
