// Logs: one JSON object per line on stdout, in the supervisor's form. Fields that may hold a secret or a caller's words
// are redacted wherever they appear.
import fs from 'node:fs';
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
    timestamp: timestamps(),
  };
  return destination ? pino(options, destination) : pino(options);
}

/** The time as a member of a line. Lines of one millisecond share its text, which costs as much as the rest of it. */
function timestamps(): () => string {
  let atMs = 0;
  let text = '';
  return () => {
    const nowMs = Date.now();
    if (nowMs !== atMs) {
      atMs = nowMs;
      text = `,"time":"${new Date(nowMs).toISOString()}"`;
    }
    return text;
  };
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
  const { flushSync } = output;
  output.flushSync = () => passingBrokenPipes(() => flushSync.call(output));
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

/**
 * The destination's last flush, at the process's end, tries again for ever where the reader of a pipe has gone: the
 * process would ignore every signal but SIGKILL. Then nobody wants the lines, and they count as written.
 */
function passingBrokenPipes(flush: () => void): void {
  const { writeSync } = fs;
  fs.writeSync = ((fd: number, text: string | NodeJS.ArrayBufferView) => {
    try {
      return typeof text === 'string' ? writeSync(fd, text) : writeSync(fd, text);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
      return Buffer.byteLength(text);
    }
  }) as typeof fs.writeSync;
  try {
    flush();
  } finally {
    fs.writeSync = writeSync;
  }
}
