// Recognises temporary faults of the database: the disk is full or failing, another process holds the lock.

/** Matches the start of a code, because SQLite has extended codes: SQLITE_IOERR_FSYNC, SQLITE_BUSY_SNAPSHOT. */
const PASSING = /^SQLITE_(FULL|BUSY|LOCKED|PROTOCOL|IOERR|CANTOPEN|READONLY|NOMEM)(_|$)/;
const BUSY = /^SQLITE_BUSY(_|$)/;

const codeOf = (error: unknown): string => {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
};

/** Whether the same statement may work later. */
export const isPassingFault = (error: unknown): boolean => PASSING.test(codeOf(error));

/** Whether another connection holds the lock that the statement needs. */
export const isBusy = (error: unknown): boolean => BUSY.test(codeOf(error));
