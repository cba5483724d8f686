// `npm run bench -- erasure`: what GET /calls costs while the nightly sweep erases old calls beside it. One API process as users start
// it, on a copy of the api part's database; its own sweep finds the calls due, and is measured until it has erased them.
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openRaw } from '../db/sqlite.ts';
import { startServer, stopServer } from './api.ts';
import { callsFixture, FIXTURE_TOKEN } from './calls-fixture.ts';
import { load } from './http-load.ts';
import { readOptions } from './options.ts';
import { machine, summarise } from './statistics.ts';

interface Phase {
  name: string;
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  failures: number;
}

const DAY_MS = 86_400_000;
const PATHS = ['', '&status=COMPLETED', '&direction=inbound', '&page=50'].map(
  (query) => `/api/v1/calls?limit=20${query}`,
);
const WARM = { seconds: 2, requestsMin: 5_000 };
/** The API looks for due sweeps once a minute. */
const SWEEP_STARTS_WITHIN_MS = 90_000;
const RESULT = new URL('./results/erasure.json', import.meta.url);

const USAGE = `usage: npm run bench -- erasure [--calls 1000000] [--erase 100000] [--seconds 20] [--connections 4]
  GET /calls before, during and after a sweep that erases the oldest calls of the tenant`;

export default async function bench(args: string[]): Promise<void> {
  const options = readOptions(USAGE, { calls: 1_000_000, erase: 100_000, seconds: 20, connections: 4 }, args);
  const directory = mkdtempSync(join(tmpdir(), 'voice-bench-erasure-'));
  cpSync(callsFixture(options.calls), directory, { recursive: true });
  const databasePath = join(directory, 'voice.db');
  makeDue(databasePath, options.erase);
  const server = await startServer(directory);
  const raw = openRaw(databasePath, { readonly: true });
  const erased = raw.prepare('select count(*) from calls where erased_at is not null').pluck();
  const sweptAt = raw.prepare('select swept_at from call_sweeps').pluck();
  const isOver = () => Number(sweptAt.get()) > DAY_MS;
  const phases: Phase[] = [];
  const measure = async (name: string, seconds: number): Promise<void> => {
    const common = { host: server.host, port: server.port, token: FIXTURE_TOKEN, paths: PATHS };
    const { latenciesMs, requests, failures, ...took } = await load({
      ...common,
      connections: options.connections,
      seconds,
    });
    const { p50, p99, max } = summarise(latenciesMs);
    const requestsPerSecond = Math.round(requests / took.seconds);
    phases.push({ name, requestsPerSecond, p50Ms: p50, p99Ms: p99, maxMs: max, failures });
    process.stdout.write(`${JSON.stringify(phases.at(-1))}\n`);
  };
  try {
    await load({
      host: server.host,
      port: server.port,
      token: FIXTURE_TOKEN,
      paths: PATHS,
      connections: options.connections,
      ...WARM,
    });
    await measure('before', options.seconds);
    for (let waited = 0; erased.get() === 0; waited += 200) {
      if (waited > SWEEP_STARTS_WITHIN_MS) throw new Error('the sweep did not start');
      await delay(200);
    }
    const startedMs = performance.now();
    let logBytesMax = 0;
    while (!isOver()) {
      await measure('during', options.seconds);
      logBytesMax = Math.max(logBytesMax, statSync(`${databasePath}-wal`).size);
    }
    const sweepSeconds = Math.round((performance.now() - startedMs) / 1_000);
    await measure('after', options.seconds);
    show(phases, {
      ...options,
      erased: Number(erased.get()),
      sweepSeconds,
      logMegabytes: Math.round(logBytesMax / 1e6),
    });
  } finally {
    raw.close();
    await stopServer(server);
    rmSync(directory, { recursive: true, force: true });
  }
}

/** As an account whose nights were missed: the sweep starts by day. */
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

function show(phases: readonly Phase[], run: Record<string, number>): void {
  const host = machine();
  const quiet = phases.filter(({ name }) => name !== 'during').map(({ p99Ms }) => p99Ms);
  const own = quiet.reduce((sum, p99) => sum + p99, 0) / quiet.length;
  const worst = Math.max(...phases.filter(({ name }) => name === 'during').map(({ p99Ms }) => p99Ms));
  process.stdout.write(
    [
      `${run.erased} of ${run.calls} calls erased in ${run.sweepSeconds} s beside ${run.connections} connections; the log grew to ${run.logMegabytes} MB`,
      `${host.cores} cores (${host.model}), load ${host.load1}, Node ${host.node}, ${new Date().toISOString()}`,
      `p99 of GET /calls: ${own.toFixed(1)} ms of its own, ${worst.toFixed(1)} ms in the worst ${run.seconds} s of the sweep: ${(worst / own).toFixed(2)} times`,
      'Target: within 1.5 times.',
      '',
    ].join('\n'),
  );
  mkdirSync(new URL('./results/', import.meta.url), { recursive: true });
  writeFileSync(RESULT, `${JSON.stringify({ machine: host, at: new Date().toISOString(), run, phases }, null, 2)}\n`);
}
