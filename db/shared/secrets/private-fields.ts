// Fields that may contain a secret or a caller's words and never appear in a log line, for pino's `redact`.
const NAMES = [
  'password',
  'newPassword',
  'token',
  'refreshToken',
  'pendingToken',
  'secret',
  'authorization',
  'transcript',
  'text',
  'body',
];

/** At the top level of a line, and one level below. */
export const PRIVATE_FIELDS = { paths: NAMES.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' };
