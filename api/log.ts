// Logs: one JSON object per line on stdout, in the supervisor's form. Fields that may hold a secret or a caller's words
// are redacted wherever they appear.
import { type DestinationStream, type Logger, pino } from 'pino';
import type { SharedConfig } from '../db/shared/environment.ts';

const PRIVATE = [
  'password',
  'newPassword',
  'token',
  'refreshToken',
  'pendingToken',
  'secret',
  'code',
  'authorization',
  'transcript',
  'text',
  'body',
].flatMap((name) => (name === 'code' ? [] : [name, `*.${name}`]));

export function createLog(config: Pick<SharedConfig, 'logLevel'>, destination?: DestinationStream): Logger {
  const options = {
    name: 'api',
    level: config.logLevel,
    base: { name: 'api' },
    redact: { paths: PRIVATE, censor: '[redacted]' },
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
  };
  return destination ? pino(options, destination) : pino(options);
}
