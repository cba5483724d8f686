// The tests of the API again, on PostgreSQL, beside those in real time, which leave a third of the processor: in a
// process of its own and under SCHED_IDLE, so that they take only what nothing else wants, not even speech synthesis.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

const SUMMARY = /(?:^|\n)(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\n$/;

/** @returns its whole output, and what its last line counts: a run without one has failed */
export async function runOnPostgresBeside(runner: string): Promise<{ output: string; counts: Counts }> {
  const command = [process.execPath, ...process.execArgv, runner, '--postgres'];
  // Of util-linux, which is everywhere on Linux. All processes that the run starts inherit the policy.
  const [program = '', ...args] = process.platform === 'linux' ? ['chrt', '--idle', '0', ...command] : command;
  const run = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output] = await Promise.all([text(run.stdout), once(run, 'exit')]);
  return { output, counts: countsOf(output) };
}

function countsOf(output: string): Counts {
  const [, passed, failed, skipped = 0] = SUMMARY.exec(output) ?? [];
  if (passed === undefined) return { passed: 0, failed: 1, skipped: 0 };
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) };
}
