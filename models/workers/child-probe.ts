// Tries a model in a separate process: a broken file may make a native library end its process.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The largest models take some seconds from a cold disk. */
export const PROBE_DEADLINE_MS = 60_000;
/** Limit of the library's output that is kept for the log. */
const MAX_PRINTED_CHARS = 2_000;

/** @throws Error when the model cannot be loaded, fails, ends its process or takes too long */
export function probeInChild(
  script: URL,
  args: readonly string[],
  environment: Record<string, string | undefined>,
  deadlineMs = PROBE_DEADLINE_MS,
): Promise<void> {
  const { DATA_DIR, PATH } = environment;
  const child = spawn(process.execPath, [fileURLToPath(script), ...args], {
    env: { ...(PATH ? { PATH } : {}), ...(DATA_DIR ? { DATA_DIR } : {}) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let printed = '';
  child.stderr.on('data', (data: Buffer) => {
    printed = (printed + data).slice(-MAX_PRINTED_CHARS);
  });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`it did not load and answer within ${deadlineMs / 1_000} s`));
    }, deadlineMs);
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve();
      else reject(new Error(lastLine(printed) || `its trial ended with ${signal ?? `exit code ${code}`}`));
    });
  });
}

/** The message of an uncaught C++ exception begins with `what():`. */
function lastLine(text: string): string {
  const line = text.trim().split('\n').at(-1) ?? '';
  return line.replace(/^\s*what\(\):/, '').trim();
}
