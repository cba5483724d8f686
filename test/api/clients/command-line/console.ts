// The command line in the process of a test: a folder of its own, a terminal that records, an API in memory.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { COMMANDS } from '../../../../api/clients/command-line/commands.ts';
import { runCommandLine } from '../../../../api/clients/command-line/run.ts';

interface Options {
  fetch: typeof fetch;
  env?: Record<string, string>;
  isTerminal?: boolean;
  /** To questions, in order; none: nobody is there. */
  answers?: string[];
  input?: string;
}

interface Ran {
  code: number;
  out: string;
  err: string;
}

/** One user of the command line. */
export function useConsole() {
  const folder = mkdtempSync(join(tmpdir(), 'voicectl-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const run = async (
    args: readonly string[],
    { fetch, env = {}, isTerminal = false, answers = [], input = '' }: Options,
  ): Promise<Ran> => {
    const ran: Ran = { code: 0, out: '', err: '' };
    let pauses = 0;
    ran.code = await runCommandLine(
      args,
      COMMANDS,
      {
        out: (text) => {
          ran.out += text;
        },
        err: (text) => {
          ran.err += text;
        },
        isTerminal,
      },
      {
        ...{ env: { HOME: folder, ...env }, fetch, now: Date.now },
        async pause() {
          // Something that waits without an end must not hold the test.
          if (++pauses > 50) throw new Error('enough waiting');
        },
        ask: async () => answers.shift() ?? null,
        read: async () => input,
        async write(bytes) {
          ran.out += Buffer.from(bytes).toString('latin1');
        },
        play: async () => false,
      },
    );
    return ran;
  };
  return { folder, run };
}
