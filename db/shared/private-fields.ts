// What a log line never holds: fields that may carry a secret or a caller's words, for pino's `redact`.
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

/** At the top of a line, and in an object there. */
export const PRIVATE_FIELDS = { paths: NAMES.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' };
