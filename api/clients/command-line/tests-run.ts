// The command that runs a test suite from a build, and says by its exit code what came of it.
import { writeFileSync } from 'node:fs';
import type { TestResult, TestRun } from '../typescript/types.ts';
import { wholeNumber } from './arguments.ts';
import { byName } from './by-name.ts';
import type { Command, Run } from './command.ts';
import { EXIT, Failure } from './failure.ts';
import { clean, type Output } from './output.ts';

const LOOK_EVERY_MS = 500;
/** A service that is started again is away for a moment; each look is tried four times by itself. */
const FAILURES_MAX = 5;
const KINDS = ['eval', 'simulation'] as const;
const EXITS: Partial<Record<TestRun['status'], number>> = { PASSED: EXIT.done, FAILED: EXIT.negative };

export const testsRun: Command = {
  name: 'tests run',
  about: 'Runs a test suite. Exit code 0: all have passed, 1: one has failed, 2: it could not be run.',
  args: [{ name: 'SUITE', about: 'the name or the id of the suite' }],
  options: {
    kind: { value: 'KIND', about: 'these cases alone', choices: KINDS },
    seed: { value: 'N', about: 'the same seed makes the same conversations, as far as the model does' },
    junit: { value: 'FILE', about: 'writes the results as JUnit XML', isFile: true },
    results: { value: 'FILE', about: 'writes them as JSON', isFile: true },
    timeout: { value: 'S', about: 'cancels the run after so many seconds (default 1800)' },
  },
  examples: ['voicectl tests run Basics', 'voicectl tests run Basics --junit results.xml --timeout 600'],
  async run(run) {
    const { client, args, options, output } = run;
    const timeoutMs = wholeNumber(options.timeout, 'timeout', 1_800) * 1_000;
    const suite = await byName(client.tests.listSuites(), args.SUITE ?? '', 'test suite');
    const begun = await client.tests.startRun(suite.id, {
      ...(options.kind === undefined ? {} : { kinds: [options.kind as (typeof KINDS)[number]] }),
      ...(options.seed === undefined ? {} : { seed: wholeNumber(options.seed, 'seed', 0) }),
    });
    output.line(`${clean(suite.name)}: ${begun.counts.total} cases, run ${begun.id}, seed ${begun.seed}`);
    const ended = await untilEnded(run, begun, timeoutMs);
    const results = await client.tests.listResults(begun.id).all();
    for (const result of results) print(output, result);
    const { total, passed, failed, errors } = ended.counts;
    output.line(`${ended.status}: ${passed} of ${total} passed, ${failed} failed, ${errors} could not be run`);
    const all = { run: ended, results };
    if (options.junit !== undefined)
      writeFileSync(options.junit, await (await client.tests.getRunAsJunit(begun.id)).text());
    if (options.results !== undefined) writeFileSync(options.results, `${JSON.stringify(all, null, 2)}\n`);
    output.json(all);
    return EXITS[ended.status] ?? EXIT.failed;
  },
};

function print(output: Output, { name, status, statusBefore, checks, error, durationMs }: TestResult): void {
  const isNew = statusBefore !== null && statusBefore !== status ? `, before: ${statusBefore}` : '';
  const verdict = status === 'PASSED' ? output.style('green', 'ok  ') : output.style('red', 'FAIL');
  output.line(`${verdict} ${clean(name)} (${durationMs ?? 0} ms${isNew})`);
  if (error !== null) output.line(`       ${clean(error)}`);
  for (const { passed, turn, expected, found } of checks) {
    if (passed) continue;
    output.line(`       ${turn === null ? '' : `turn ${turn + 1}: `}expected: ${clean(expected)}`);
    output.line(`       found: ${clean(found)}`);
  }
}

/** @throws {Failure} after the time, and where the service is away for long */
async function untilEnded({ client, output, surroundings }: Run, { id }: TestRun, timeoutMs: number): Promise<TestRun> {
  const untilMs = surroundings.now() + timeoutMs;
  let shown = 0;
  for (let failures = 0; ; ) {
    const now = await client.tests.getRun(id).catch((fault: unknown) => {
      if (++failures >= FAILURES_MAX) throw fault;
      return null;
    });
    if (now !== null) {
      failures = 0;
      const done = now.counts.passed + now.counts.failed + now.counts.errors;
      if (done > shown && now.endedAt === null) output.line(`${done} of ${now.counts.total} …`);
      shown = done;
      if (now.status === 'CANCELLED') throw new Failure('The run was cancelled');
      if (now.endedAt !== null) return now;
    }
    if (surroundings.now() > untilMs) {
      await client.tests.cancelRun(id);
      throw new Failure(`The run took longer than ${timeoutMs / 1_000} s, and was cancelled`);
    }
    await surroundings.pause(LOOK_EVERY_MS);
  }
}
