// The API's jobs: the table, and what runs them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FINISHED } from '../../../api/frame/job.ts';
import { type Job, startJobs } from '../../../api/upkeep/job.ts';
import { JOBS } from '../../../api/upkeep/jobs.ts';
import type { TestApi } from '../../../bench/rig/api/api.ts';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import { eventually } from '../../../bench/rig/eventually.ts';
import { useFreshApi } from '../../support/api/use-api.ts';

const api: TestApi = useFreshApi();

/** Lets what a tick has begun run to its next wait. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

function job(given: Partial<Job> & { run: () => Promise<unknown> }): Job {
  const { run, ...rest } = given;
  return { name: 'test', everyMs: 100, begin: () => ({ run }), ...rest };
}

test('each job is named once, and the page that explains them has the same table', () => {
  const names = JOBS.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  const page = readFileSync(new URL('../../../docs/inside/api.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z-]+)` \| ([\d.,]+) s \| (one|each) \|/gm)];
  assert.deepEqual(
    rows.map(([, name, seconds = '', by]) => [name, Number(seconds.replace(',', '')) * 1_000, by]),
    JOBS.map(({ name, everyMs, lease }) => [name, everyMs, lease === undefined ? 'each' : 'one']),
  );
});

test('leases have the names of earlier releases: at an upgrade two releases share them', () => {
  assert.deepEqual(
    JOBS.flatMap(({ name, lease }) => (lease === undefined ? [] : [`${name}: ${lease.name}`])),
    [
      'settlement: billing',
      'billing: billing',
      'scheduled-calls: scheduled-calls',
      'test-suites: test-suites',
      'fold: fold',
      'call-sweep: sweep',
      'notices: notices',
      'costs: costs',
      'alerts: alerts',
      'texts: texts',
      'appointment-texts: appointment-texts',
      'calendars: calendars',
      'appointment-reminders: appointment-reminders',
      'traces: traces',
      'canaries: canaries',
      'port-orders: port-orders',
      'carrier-orders: carrier-orders',
      'number-releases: number-releases',
      'embedding: embedding',
    ],
  );
});

test('a job runs after each interval, never beside itself, and stopping waits for a running one', async () => {
  const clock = new VirtualClock();
  let begun = 0;
  let end = () => {};
  const run = () => {
    begun++;
    return new Promise<void>((resolve) => {
      end = resolve;
    });
  };
  const work = await startJobs([job({ run })], api.context, clock);
  assert.equal(begun, 0, 'not at the start');
  clock.advance(350);
  assert.equal(begun, 1, 'the first has not ended');
  end();
  await settle();
  clock.advance(100);
  assert.equal(begun, 2);
  let isStopped = false;
  const stopped = work.stop().then(() => {
    isStopped = true;
  });
  await settle();
  assert.equal(isStopped, false);
  end();
  await stopped;
  clock.advance(1_000);
  assert.equal(begun, 2);
});

test('one that begins at once does, one that has finished does not run again, one that has no work never does', async () => {
  const clock = new VirtualClock();
  const runs: string[] = [];
  const noting = (name: string, result: unknown = null) => ({
    name,
    run: async () => {
      runs.push(name);
      return result;
    },
  });
  const idle: Job = { name: 'idle', everyMs: 100, begin: () => null };
  const jobs = [job({ ...noting('at once'), atOnce: true }), job(noting('finished', FINISHED)), idle];
  const work = await startJobs(jobs, api.context, clock);
  assert.deepEqual(runs, ['at once']);
  for (let round = 0; round < 3; round++) {
    await settle();
    clock.advance(100);
  }
  assert.deepEqual(runs, ['at once', 'at once', 'finished', 'at once', 'at once']);
  await work.stop();
});

test('a run that fails is logged by its name, and the next one comes', async () => {
  const clock = new VirtualClock();
  let runs = 0;
  const run = async () => {
    runs++;
    throw new Error('out of luck');
  };
  const work = await startJobs([job({ name: 'unlucky', run })], api.context, clock);
  for (let round = 0; round < 2; round++) {
    clock.advance(100);
    await settle();
  }
  assert.equal(runs, 2);
  assert.equal(api.logs.filter((line) => line.includes('"work":"unlucky"')).length, 2);
  await work.stop();
});

test('of one lease one process runs the jobs, and the other goes on when it ends', async () => {
  const clocks = [new VirtualClock(), new VirtualClock()] as const;
  const runs: string[] = [];
  let taken = 0;
  const lease = {
    name: 'test',
    onTaken: async () => {
      taken++;
    },
  };
  const jobsOf = (process: string) =>
    ['a', 'b'].map((name) => job({ name, lease, run: async () => runs.push(`${process} ${name}`) }));
  const first = await startJobs(jobsOf('first'), api.context, clocks[0]);
  const second = await startJobs(jobsOf('second'), api.context, clocks[1]);
  for (const clock of clocks) clock.advance(100);
  assert.deepEqual(runs, ['first a', 'first b']);
  assert.equal(taken, 1, 'the jobs of a lease have one leader');
  await first.stop();
  await eventually(() => {
    clocks[1].advance(100);
    return runs.includes('second b');
  });
  assert.equal(taken, 2);
  await second.stop();
});
