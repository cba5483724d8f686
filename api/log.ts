// Logs: one JSON object per line on stdout, in the supervisor's form. Fields that may hold a secret or a caller's words
// are redacted wherever they appear.
import { type DestinationStream, type Logger, pino } from 'pino';
import { PRIVATE_FIELDS } from '../db/shared/secrets/private-fields.ts';
import type { SharedConfig } from '../db/shared/settings/environment.ts';

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

/** Writes to a pipe up to this size are atomic, even with other processes writing to it. */
const WRITE_BYTES_MAX = 4_096;
const WRITE_BYTES_MIN = 2_048;
const FLUSH_EVERY_MS = 100;
/** Most bytes kept for a stopped reader; further lines are dropped. */
const WAITING_BYTES_MAX = 4 * 1024 * 1024;

/**
 * stdout, written in the background, several lines at a time: a stopped reader does not stop requests. The end of the
 * process, and a line of level fatal, first write the remaining lines.
 */
export function backgroundOutput(): DestinationStream {
  const output = pino.destination({
    dest: 1,
    sync: false,
    minLength: WRITE_BYTES_MIN,
    maxWrite: WRITE_BYTES_MAX,
    maxLength: WAITING_BYTES_MAX,
    periodicFlush: FLUSH_EVERY_MS,
  });
  let dropped = 0;
  output.on('drop', () => {
    dropped++;
  });
  const tell = (): void => {
    if (dropped === 0) return;
    const line = { level: 'warn', time: new Date().toISOString(), name: 'api', dropped, msg: 'log lines dropped' };
    dropped = 0;
    output.write(`${JSON.stringify(line)}\n`);
  };
  output.on('drain', tell);
  process.on('exit', () => {
    if (dropped === 0) return;
    // The reader was slow until the end. There is room for the line once the others are written.
    output.flushSync();
    tell();
    output.flushSync();
  });
  return output;
}
