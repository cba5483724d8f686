// `npm run bench -- api`: GET /calls for a tenant with 1,000,000 calls and one with 10,000, over HTTP against two API
// processes started as users start them, and against a plain server (plain-server.ts) on the larger database; and
// writes. All alternate within each case, so that machine noise affects them alike.
// Throughput is given by wall clock and by the API's own CPU time ("one core"), since the machine may be busy.
import { callsPath, cases } from '../api/api-cases.ts';
import { copyOf, writeCases } from '../api/api-writes.ts';
import { callsFixture, FIXTURE_TOKEN } from '../api/calls-fixture.ts';
import { type ApiProcess, startProcess } from '../rig/api/api-process.ts';
import { type LoadOptions, load } from '../rig/measure/http-load.ts';
import { readStat } from '../rig/measure/process-usage.ts';
import { type Report, summarise, table } from '../rig/measure/statistics.ts';
import { part } from '../rig/part.ts';

interface ApiBenchOptions {
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
  plain: Measured | null;
}

interface WriteResult extends Measured {
  name: string;
}

const WARM_SECONDS = 0.5;
/** Warm-up that V8 needs for the hot path to reach full speed; and per case. */
const WARM_REQUESTS = 5_000;
const WARM_CASE_REQUESTS = 500;

/** An API, or another program with its routes, that refuses no request for its rate. */
export const startServer = (dataDir: string, program = 'api/main.ts'): Promise<ApiProcess> =>
  startProcess(dataDir, { DEMO: '0', RATE_LIMIT_PER_MINUTE: '100000000' }, { program, stdout: 'ignore' });

/** User and system CPU seconds of all its threads; NaN without /proc. */
const cpuSeconds = ({ child }: ApiProcess): number => (readStat(child.pid ?? 0)?.cpuMs ?? Number.NaN) / 1_000;

interface Load {
  paths: readonly string[];
  write?: LoadOptions['write'];
  /** The plain server takes seconds for as many requests as compile our code. */
  warmRequests?: number;
}

async function measure(server: ApiProcess, what: Load, options: ApiBenchOptions): Promise<Measured> {
  const common = {
    host: server.host,
    port: server.port,
    token: FIXTURE_TOKEN,
    paths: what.paths,
    ...(what.write === undefined ? {} : { write: what.write }),
    connections: options.connections,
  };
  await load({ ...common, seconds: WARM_SECONDS, requestsMin: what.warmRequests ?? WARM_CASE_REQUESTS });
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

async function run(options: ApiBenchOptions): Promise<Report> {
  const started = performance.now();
  const directories = { large: callsFixture(options.calls), small: callsFixture(options.baseline) };
  process.stdout.write(`databases ready after ${Math.round((performance.now() - started) / 1000)} s\n`);
  const large = await startServer(directories.large);
  const small = await startServer(directories.small);
  const plain = await startServer(directories.large, 'bench/api/plain-server.ts');
  const reads: CaseResult[] = [];
  try {
    for (const { host, port } of [small, large]) {
      const warming = { host, port, token: FIXTURE_TOKEN, paths: [callsPath('')], connections: options.connections };
      await load({ ...warming, seconds: WARM_SECONDS, requestsMin: WARM_REQUESTS });
    }
    for (const { name, paths, largeOnly, ownOnly } of cases(options.calls)) {
      const small_ = largeOnly ? null : await measure(small, { paths }, options);
      const large_ = await measure(large, { paths }, options);
      const plain_ = ownOnly ? null : await measure(plain, { paths, warmRequests: 1 }, options);
      const costRatio = small_ === null ? null : round2(small_.requestsPerCoreSecond / large_.requestsPerCoreSecond);
      reads.push({ name, large: large_, small: small_, costRatio, plain: plain_ });
      process.stdout.write(`${name}: ${JSON.stringify(large_)}\n`);
    }
  } finally {
    for (const server of [large, small, plain]) await server.stop();
  }
  const writes = await measureWrites(directories.small, options);
  return reportOf(reads, writes, options);
}

async function measureWrites(directory: string, options: ApiBenchOptions): Promise<WriteResult[]> {
  const copy = copyOf(directory);
  const results: WriteResult[] = [];
  try {
    const server = await startServer(copy.directory);
    try {
      for (const { name, method, path, body } of await writeCases(server.address)) {
        const what = { paths: [path], write: { method, body }, warmRequests: 1 };
        results.push({ name, ...(await measure(server, what, options)) });
      }
    } finally {
      await server.stop();
    }
  } finally {
    copy.remove();
  }
  return results;
}

function reportOf(reads: readonly CaseResult[], writes: readonly WriteResult[], options: ApiBenchOptions): Report {
  const first = reads.find(({ name }) => name === 'first page')?.large;
  const cost = ({ large, costRatio }: CaseResult) =>
    costRatio ?? `${round2((first?.requestsPerCoreSecond ?? 0) / large.requestsPerCoreSecond)} of the first page`;
  const columns = (measured: Measured) => [
    measured.requestsPerSecond,
    measured.requestsPerCoreSecond,
    measured.p50Ms,
    measured.p99Ms,
  ];
  const head = ['requests/s by the clock', 'requests/s of one core', 'p50 ms', 'p99 ms'];
  const more = ['cost against 10,000 calls', 'plain: requests/s of one core', 'plain: p99 ms'];
  const lines = [
    `GET /calls?limit=20 over ${options.calls.toLocaleString('en')} calls of one tenant, ${options.connections} connections`,
    '',
    ...table(
      ['query', ...head, ...more],
      reads.map((result) => [
        result.name,
        ...columns(result.large),
        cost(result),
        result.plain?.requestsPerCoreSecond ?? '',
        result.plain?.p99Ms ?? '',
      ]),
    ),
    '',
    ...table(
      ['write', ...head],
      writes.map((result) => [result.name, ...columns(result)]),
    ),
    '',
    `Requests that failed: ${failures(reads, writes)}. Targets: >= 5,000 requests/s on one core, p99 <= 10 ms, on any page and filter.`,
  ];
  return { title: 'API', lines, data: { options, reads, writes } };
}

const failures = (reads: readonly CaseResult[], writes: readonly WriteResult[]): number =>
  [...reads.flatMap(({ large, small, plain }) => [large, small, plain]), ...writes].reduce(
    (sum, measured) => sum + (measured?.failures ?? 0),
    0,
  );

const round2 = (value: number): number => Math.round(value * 100) / 100;

const USAGE = `usage: npm run bench -- api [--calls 1000000] [--baseline 10000] [--seconds 3] [--connections 16]
  GET /calls over a year of calls of one tenant; the databases are made once and kept in the temporary folder`;

export default part(USAGE, { calls: 1_000_000, baseline: 10_000, seconds: 3, connections: 16 }, run);
