// Recognises errors of a lost connection, and gives them an SQLSTATE: pg reports them by a message alone, or by Node's
// code of a socket, and code that repeats a write looks at an SQLSTATE.

/** SQLSTATE of a connection that failed. */
const CONNECTION_FAILURE = '08006';
const LOST =
  /connection (terminated|ended)|timeout exceeded when trying to connect|client has encountered a connection/i;
const LOST_CODE = /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND)$/;

const OUTDATED = /cached plan must not change result type/;

/** The schema has changed under a named statement: another connection has none yet. */
export const isOutdatedStatement = (error: unknown): boolean => error instanceof Error && OUTDATED.test(error.message);

/** The same error, with an SQLSTATE where it lacks one. */
export function withFaultCode(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code } = error as { code?: unknown };
  if (isOutdatedStatement(error)) return Object.assign(error, { code: CONNECTION_FAILURE });
  const isLost = typeof code === 'string' ? LOST_CODE.test(code) : LOST.test(error.message);
  return isLost ? Object.assign(error, { code: CONNECTION_FAILURE }) : error;
}
