// Logs: one JSON object per line on stdout, in the supervisor's form. Fields that may hold a secret or a caller's words
// are redacted wherever they appear.
import { type DestinationStream, type Logger, pino } from 'pino';
import type { SharedConfig } from '../db/shared/environment.ts';
import { PRIVATE_FIELDS } from '../db/shared/private-fields.ts';

export function createLog(config: Pick<SharedConfig, 'logLevel'>, destination?: DestinationStream): Logger {
  const options = {
    name: 'api',
    level: config.logLevel,
    base: { name: 'api' },
    redact: PRIVATE_FIELDS,
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
  };
  return destination ? pino(options, destination) : pino(options);
}
