// The tests of the API again, on PostgreSQL, beside those in real time, which leave a third of the processor: in a
// process of its own and under SCHED_IDLE, so that they take only what nothing else wants, not even speech synthesis.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { nightly } from './support/nightly.ts';

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

const SUMMARY = /(?:^|\n)(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\n$/;

export interface PostgresRun {
  output: string;
  /** By its last line: a run without one has failed. */
  counts: Counts;
  /** Files in which a test failed. */
  failed: string[];
}

/** With those that go over every limit and format, `test/wide`, at night alone: they cost 170 s of processor time. */
export const runOnPostgresBeside = (runner: string): Promise<PostgresRun> =>
  runOnPostgres(runner, nightly === false ? [] : ['--without-wide'], true);

/** Some files once more, at the usual priority: a database that gets no time at all looks like one that is away. */
export const runOnPostgresAgain = (runner: string, files: string[]): Promise<PostgresRun> =>
  runOnPostgres(
    runner,
    files.map((file) => file.replace('test/', '')),
    false,
  );

async function runOnPostgres(runner: string, parts: string[], isBeside: boolean): Promise<PostgresRun> {
  const command = [process.execPath, ...process.execArgv, runner, '--postgres', ...parts];
  // Of util-linux, which is everywhere on Linux. All processes that the run starts inherit the policy.
  const [program = '', ...args] =
    isBeside && process.platform === 'linux' ? ['chrt', '--idle', '0', ...command] : command;
  const run = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output] = await Promise.all([text(run.stdout), once(run, 'exit')]);
  const [, whatFailed = ''] = output.split('\nwhat failed\n');
  return { output, counts: countsOf(output), failed: whatFailed.match(/^test\/\S+\.test\.ts$/gm) ?? [] };
}

function countsOf(output: string): Counts {
  const [, passed, failed, skipped = 0] = SUMMARY.exec(output) ?? [];
  if (passed === undefined) return { passed: 0, failed: 1, skipped: 0 };
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) };
}
