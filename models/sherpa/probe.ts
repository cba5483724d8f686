// Tries a local model in a process of its own before a worker loads it: the library ends the process at a broken file, and a
// worker's process is the engine.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { localName } from '../local-models.ts';
import { messageOf } from '../unexpected.ts';
import type { LocalKind } from '../weights.ts';

/** The largest models take some seconds from a cold disk. */
const DEADLINE_MS = 60_000;
/** Of what the library prints, for the log. */
const MAX_PRINTED_CHARS = 2_000;
const BUILT_IN = { stt: 'soundswallower', tts: 'flite' } as const;

export interface Trusted {
  /** The engine to run: the one that was asked for, or the built-in one. */
  engine: string;
  /** Why the built-in one; null when the model works. */
  refusal: string | null;
}

/** Engines that run no local model are trusted as they are. */
export async function trustedEngine(
  kind: LocalKind,
  engine: string,
  environment: Record<string, string | undefined>,
  deadlineMs = DEADLINE_MS,
): Promise<Trusted> {
  const name = localName(engine);
  if (name === null) return { engine, refusal: null };
  try {
    await probe(kind, name, environment, deadlineMs);
    return { engine, refusal: null };
  } catch (error) {
    return { engine: BUILT_IN[kind], refusal: `${engine}: ${messageOf(error)}` };
  }
}

/** @throws Error when the model cannot be loaded, fails, ends its process or takes too long */
function probe(
  kind: LocalKind,
  name: string,
  environment: Record<string, string | undefined>,
  deadlineMs: number,
): Promise<void> {
  const { DATA_DIR, PATH } = environment;
  const child = spawn(process.execPath, [fileURLToPath(new URL('./probe-child.ts', import.meta.url)), kind, name], {
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

/** `what():` is how a C++ exception that nobody catches begins. */
function lastLine(text: string): string {
  const line = text.trim().split('\n').at(-1) ?? '';
  return line.replace(/^\s*what\(\):/, '').trim();
}
