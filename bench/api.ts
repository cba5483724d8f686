// `npm run bench -- api`: GET /calls for a tenant with 1,000,000 calls and one with 10,000, over HTTP against two API
// processes started as users start them. The two alternate within each case, so that machine noise affects both.
// Throughput is given by wall clock and by the API's own CPU time ("one core"), since the machine may be busy.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { callsFixture, FIXTURE_CAMPAIGNS, FIXTURE_END_MS, FIXTURE_TOKEN } from './calls-fixture.ts';
import { load } from './http-load.ts';
import { readOptions } from './options.ts';
import { machine, summarise } from './statistics.ts';

export interface ApiBenchOptions {
  calls: number;
  baseline: number;
  seconds: number;
  connections: number;
}

interface Measured {
  requestsPerSecond: number;
  /** Requests per second of the API's CPU time. */
  requestsPerCoreSecond: number;
  p50Ms: number;
  p99Ms: number;
  requests: number;
  failures: number;
}

interface CaseResult {
  name: string;
  large: Measured;
  small: Measured | null;
  /** CPU time per request relative to the baseline. */
  costRatio: number | null;
}

interface Case {
  name: string;
  paths: readonly string[];
  /** Skipped for the baseline: it has no such page. */
  largeOnly?: boolean;
}

export interface Server {
  process: ChildProcess;
  host: string;
  port: number;
}

/** Linux counts CPU time in ticks of 10 ms. */
const TICKS_PER_SECOND = 100;
const WARM_SECONDS = 0.5;
/** Warm-up that V8 needs for the hot path to reach full speed; and per case. */
const WARM_REQUESTS = 5_000;
const WARM_CASE_REQUESTS = 500;
const DAY_MS = 86_400_000;
const RESULT = new URL('./results/api.json', import.meta.url);

const day = (daysBack: number): string => new Date(FIXTURE_END_MS - daysBack * DAY_MS).toISOString().slice(0, 10);
const path = (query: string): string => `/api/v1/calls?limit=20${query && `&${query}`}`;

function cases(calls: number): Case[] {
  const ranges = [7, 30, 90, 300].map((days) => `startDate=${day(days)}&endDate=${day(Math.floor(days / 7))}`);
  // Bounds that fall inside a day at both ends: the partial days are counted by index, the rest from daily totals.
  const cut = [7, 30, 90, 300].map((days) => `startDate=${day(days)}T09:30:00Z&endDate=${day(2)}T17:45:00Z`);
  return [
    { name: 'GET /account/overview, 7 days', paths: ['/api/v1/account/overview'] },
    { name: 'GET /account/overview, 90 days', paths: ['/api/v1/account/overview?days=90'] },
    // The cost of an answer without any work, as a measure of machine noise in the other cases.
    { name: 'GET /healthz', paths: ['/healthz'] },
    { name: 'first page', paths: [path('')] },
    { name: 'status', paths: ['COMPLETED', 'FAILED', 'VOICEMAIL'].map((value) => path(`status=${value}`)) },
    { name: 'direction', paths: ['inbound', 'outbound'].map((value) => path(`direction=${value}`)) },
    { name: 'outcome', paths: ['completed', 'hung_up', 'busy'].map((value) => path(`outcome=${value}`)) },
    { name: 'sentiment', paths: ['positive', 'neutral'].map((value) => path(`sentiment=${value}`)) },
    { name: 'businessId', paths: [0, 1, 2].map((n) => path(`businessId=biz_bench${n}`)) },
    { name: 'campaignId', paths: FIXTURE_CAMPAIGNS.map((id) => path(`campaignId=${id}`)) },
    { name: 'agentId', paths: [0, 1, 2, 3].map((n) => path(`agentId=agt_bench${n}`)) },
    { name: 'phoneNumberId', paths: [0, 1, 2, 3, 4].map((n) => path(`phoneNumberId=pn_bench${n}`)) },
    { name: 'startDate + endDate', paths: ranges.map(path) },
    { name: 'status + dates', paths: ranges.map((range) => path(`status=COMPLETED&${range}`)) },
    { name: 'status + times', paths: cut.map((range) => path(`status=COMPLETED&${range}`)) },
    {
      name: 'campaignId + dates',
      paths: ranges.flatMap((range) => FIXTURE_CAMPAIGNS.map((id) => path(`campaignId=${id}&${range}`))),
    },
    { name: 'page 1,000', paths: [path('page=1000')], largeOnly: true },
    { name: 'middle page', paths: [path(`page=${Math.floor(calls / 40)}`)], largeOnly: true },
    { name: 'last page', paths: [path(`page=${Math.ceil(calls / 20)}`)], largeOnly: true },
  ];
}

export async function startServer(dataDir: string): Promise<Server> {
  const child = spawn(process.execPath, ['--no-warnings', new URL('../api/main.ts', import.meta.url).pathname], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      API_PORT: '0',
      DEMO: '0',
      RATE_LIMIT_PER_MINUTE: '100000000',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const address = await new Promise<string>((resolve, reject) => {
    child.on('message', (message: { type: string; address?: string; message?: string }) => {
      if (message.type === 'ready' && message.address) resolve(message.address);
      else if (message.type === 'config-error') reject(new Error(message.message));
    });
    child.once('exit', (code) => reject(new Error(`the API ended with ${code}`)));
  });
  const { hostname, port } = new URL(address);
  return { process: child, host: hostname, port: Number(port) };
}

export async function stopServer({ process: child }: Server): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}

/** User and system CPU seconds of all its threads; NaN without /proc. */
function cpuSeconds({ process: child }: Server): number {
  try {
    const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}

async function measure(server: Server, paths: readonly string[], options: ApiBenchOptions): Promise<Measured> {
  const common = {
    host: server.host,
    port: server.port,
    token: FIXTURE_TOKEN,
    paths,
    connections: options.connections,
  };
  await load({ ...common, seconds: WARM_SECONDS, requestsMin: WARM_CASE_REQUESTS });
  const before = cpuSeconds(server);
  const result = await load({ ...common, seconds: options.seconds });
  const cpu = cpuSeconds(server) - before;
  const { p50, p99 } = summarise(result.latenciesMs);
  return {
    requestsPerSecond: Math.round(result.requests / result.seconds),
    requestsPerCoreSecond: Math.round(result.requests / cpu),
    p50Ms: p50,
    p99Ms: p99,
    requests: result.requests,
    failures: result.failures,
  };
}

/** Measures, prints and writes bench/results/api.json. */
export async function run(options: ApiBenchOptions): Promise<CaseResult[]> {
  const started = performance.now();
  const directories = { large: callsFixture(options.calls), small: callsFixture(options.baseline) };
  process.stdout.write(`databases ready after ${Math.round((performance.now() - started) / 1000)} s\n`);
  const large = await startServer(directories.large);
  const small = await startServer(directories.small);
  const results: CaseResult[] = [];
  try {
    for (const { host, port } of [small, large]) {
      const warming = { host, port, token: FIXTURE_TOKEN, paths: [path('')], connections: options.connections };
      await load({ ...warming, seconds: WARM_SECONDS, requestsMin: WARM_REQUESTS });
    }
    for (const { name, paths, largeOnly } of cases(options.calls)) {
      const small_ = largeOnly ? null : await measure(small, paths, options);
      const large_ = await measure(large, paths, options);
      const costRatio =
        small_ === null ? null : Math.round((small_.requestsPerCoreSecond / large_.requestsPerCoreSecond) * 100) / 100;
      results.push({ name, large: large_, small: small_, costRatio });
      process.stdout.write(`${name}: ${JSON.stringify(large_)}\n`);
    }
  } finally {
    await stopServer(large);
    await stopServer(small);
  }
  show(results, options);
  return results;
}

function show(results: readonly CaseResult[], options: ApiBenchOptions): void {
  const host = machine();
  const first = results.find(({ name }) => name === 'first page')?.large;
  const lines = [
    `GET /calls?limit=20 over ${options.calls.toLocaleString('en')} calls of one tenant, ${options.connections} connections`,
    `${host.cores} cores (${host.model}), load ${host.load1}, Node ${host.node}, ${new Date().toISOString()}`,
    '',
    '| query | requests/s by the clock | requests/s of one core | p50 ms | p99 ms | cost against 10,000 calls |',
    '|---|---|---|---|---|---|',
    ...results.map(
      ({ name, large, costRatio }) =>
        `| ${name} | ${large.requestsPerSecond} | ${large.requestsPerCoreSecond} | ${large.p50Ms} | ${large.p99Ms} | ${
          costRatio ?? `${round2((first?.requestsPerCoreSecond ?? 0) / large.requestsPerCoreSecond)} of the first page`
        } |`,
    ),
    '',
    'Targets: >= 3,000 requests/s on one core, p99 <= 15 ms, cost <= 1.5; page 1,000 <= 2 of the first page; last page <= 10 ms.',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  mkdirSync(new URL('./results/', import.meta.url), { recursive: true });
  writeFileSync(
    RESULT,
    `${JSON.stringify({ machine: host, at: new Date().toISOString(), options, results }, null, 2)}\n`,
  );
}

const round2 = (value: number): number => Math.round(value * 100) / 100;

const USAGE = `usage: npm run bench -- api [--calls 1000000] [--baseline 10000] [--seconds 3] [--connections 16]
  GET /calls over a year of calls of one tenant; the databases are made once and kept in the temporary folder`;

export default async function bench(args: string[]): Promise<void> {
  await run(readOptions(USAGE, { calls: 1_000_000, baseline: 10_000, seconds: 3, connections: 16 }, args));
}
