// `npm run bench -- erasure`: what GET /calls costs while the nightly sweep erases old calls beside it. Two API
// processes as users start them, each on a copy of the api part's database: in one the sweep finds calls due, the other
// has none. They are measured in turns, so that other work on the machine affects both.
import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openRaw } from '../../db/sqlite/open.ts';
import { callsFixture, FIXTURE_TOKEN } from '../api/calls-fixture.ts';
import type { ApiProcess } from '../rig/api/api-process.ts';
import { load } from '../rig/measure/http-load.ts';
import { type Report, summarise, table } from '../rig/measure/statistics.ts';
import { part } from '../rig/part.ts';
import { startServer } from './api.ts';

interface Options {
  calls: number;
  erase: number;
  seconds: number;
  connections: number;
}

interface Subject {
  server: ApiProcess;
  database: string;
  latenciesMs: number[];
}

const DAY_MS = 86_400_000;
const PATHS = ['', '&status=COMPLETED', '&direction=inbound', '&page=50'].map(
  (query) => `/api/v1/calls?limit=20${query}`,
);
const WARM_REQUESTS = 5_000;
/** The API looks for due sweeps once a minute. */
const SWEEP_STARTS_WITHIN_MS = 90_000;

const USAGE = `usage: npm run bench -- erasure [--calls 1000000] [--erase 100000] [--seconds 3] [--connections 4]
  GET /calls while the oldest calls of the tenant are erased, in turns with a process that erases nothing`;

const DEFAULTS = { calls: 1_000_000, erase: 100_000, seconds: 3, connections: 4 };

export default part(USAGE, DEFAULTS, async (options) => {
  const directory = mkdtempSync(join(tmpdir(), 'voice-bench-erasure-'));
  const subjects: Subject[] = [];
  try {
    for (const name of ['sweeping', 'quiet']) {
      cpSync(callsFixture(options.calls), join(directory, name), { recursive: true });
      const database = join(directory, name, 'voice.db');
      if (name === 'sweeping') makeDue(database, options.erase);
      subjects.push({ server: await startServer(join(directory, name)), database, latenciesMs: [] });
    }
    const [sweeping, quiet] = subjects;
    if (sweeping === undefined || quiet === undefined) throw new Error('two servers are measured');
    for (const subject of subjects) await ask(subject, { ...options, seconds: 0.5 }, WARM_REQUESTS);
    return await measure(sweeping, quiet, options);
  } finally {
    for (const { server } of subjects) await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
});

async function measure(sweeping: Subject, quiet: Subject, options: Options): Promise<Report> {
  const raw = openRaw(sweeping.database, { readonly: true });
  const erased = raw.prepare('select count(*) from calls where erased_at is not null').pluck();
  const sweptAt = raw.prepare('select swept_at from call_sweeps').pluck();
  for (let waited = 0; erased.get() === 0; waited += 200) {
    if (waited > SWEEP_STARTS_WITHIN_MS) throw new Error('the sweep did not start');
    await delay(200);
  }
  const startedMs = performance.now();
  let logBytes = 0;
  while (Number(sweptAt.get()) < DAY_MS) {
    quiet.latenciesMs.push(...(await ask(quiet, options)));
    sweeping.latenciesMs.push(...(await ask(sweeping, options)));
    logBytes = Math.max(logBytes, statSync(`${sweeping.database}-wal`).size);
  }
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  const run = { ...options, erased: Number(erased.get()), seconds, logMegabytes: Math.round(logBytes / 1e6) };
  raw.close();
  return reportOf(sweeping, quiet, run);
}

async function ask({ server }: Subject, { seconds, connections }: Options, requestsMin = 0): Promise<number[]> {
  const { host, port } = server;
  const result = await load({ host, port, token: FIXTURE_TOKEN, paths: PATHS, connections, seconds, requestsMin });
  if (result.failures > 0) throw new Error(`${result.failures} requests failed`);
  return result.latenciesMs;
}

/** Makes the sweep overdue, like that of an account whose nights were missed, so that it starts by day. */
function makeDue(path: string, calls: number): void {
  const raw = openRaw(path);
  const last = raw
    .prepare('select started_at from calls order by started_at limit 1 offset ?')
    .pluck()
    .get(calls - 1);
  const days = Math.floor((Date.now() - Number(last)) / DAY_MS);
  raw.prepare('update accounts set retention_days = ?').run(days);
  raw.exec(`insert into call_sweeps select id, 0, 1 from accounts where retention_days is not null`);
  raw.close();
}

function reportOf(sweeping: Subject, quiet: Subject, run: Options & { erased: number; logMegabytes: number }): Report {
  const [beside, own] = [summarise(sweeping.latenciesMs), summarise(quiet.latenciesMs)];
  const row = (name: string, { count, p50, p99, max }: typeof own) => [name, count, p50, p99, max];
  const lines = [
    `${run.erased} of ${run.calls} calls erased in ${run.seconds} s, ${run.connections} connections; the log grew to ${run.logMegabytes} MB`,
    '',
    ...table(
      ['GET /calls', 'requests', 'p50 ms', 'p99 ms', 'max ms'],
      [row('beside the sweep', beside), row('without', own)],
    ),
    '',
    `p99 ${(beside.p99 / own.p99).toFixed(2)} times. Target: within 1.5 times.`,
  ];
  return { title: 'Erasing old calls', lines, data: { run, beside, own } };
}
