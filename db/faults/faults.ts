// Recognises temporary faults of the database: its disk is full or failing, another process holds the lock, the server
// or the way to it is gone.

/** Matches the start of a code, because SQLite has extended codes: SQLITE_IOERR_FSYNC, SQLITE_BUSY_SNAPSHOT. */
const PASSING = /^SQLITE_(FULL|BUSY|LOCKED|PROTOCOL|IOERR|CANTOPEN|READONLY|NOMEM)(_|$)/;
/**
 * SQLSTATE: connection exceptions (08), resources (53), locks and conflicts (40001, 40P01, 55P03), the server stops or
 * is not up (57P01-57P05), its disk fails (58030), a statement or an idle transaction was cancelled (57014, 25P03).
 */
const PASSING_STATE = /^(08...|53...|40001|40P01|55P03|57P0[1-5]|57014|58030|25P03)$/;
const BUSY = /^SQLITE_BUSY(_|$)/;

const codeOf = (error: unknown): string => {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
};

/** The engine's writer has too many waiting writes, or could not begin one in time (writer.ts). */
const WRITER = /^WRITER_(GONE|OVERLOADED|EXPIRED)$/;

/** Whether the same statement may work later. */
export function isPassingFault(error: unknown): boolean {
  const code = codeOf(error);
  return PASSING.test(code) || PASSING_STATE.test(code) || WRITER.test(code);
}

/** Whether another connection holds the lock that the statement needs. */
export const isBusy = (error: unknown): boolean => BUSY.test(codeOf(error));
