// Fuzzes a running API over the wire. It checks: no 5xx except a 503 with Retry-After, every answer in the envelope, no
// data of another account in an answer, and the same process alive at the end.
import { readFileSync } from 'node:fs';
import { ERROR_CODES } from '../../../api/frame/error-codes.ts';
import { seededRandom } from '../../../engine/test-runs/caller/seeded-random.ts';
import { startApi } from '../api/api.ts';
import { startProcess } from '../api/api-process.ts';
import { makeWorld, type World } from '../api/world.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { Connection, type WireAnswer } from './connection.ts';
import {
  chance,
  fuzzedRequest,
  isDear,
  type Operation,
  operationsOf,
  type Person,
  pick,
  type Random,
} from './fuzz-requests.ts';
import { onTheWire, type WireRequest } from './mutations.ts';

interface FuzzReport {
  requests: number;
  statuses: Record<string, number>;
  mutations: Record<string, number>;
  routes: number;
  memory: Array<{ requests: number; apiMiB: number }>;
  /** The first of each kind. */
  problems: string[];
}

interface FuzzOptions {
  requests: number;
  seed: number;
  onProgress?(done: number): void;
}

const ENVIRONMENT = { RATE_LIMIT_PER_MINUTE: '100000000', DEMO: '0', WEBHOOK_ALLOW_PRIVATE: '1', LOG_LEVEL: 'error' };
const SIDE_BY_SIDE = 8;
/** Share of requests to routes that hash passwords, wait on purpose or connect out. */
const DEAR_SHARE = 0.03;
const LOOK_AT_MEMORY_EVERY = 250;
/** The server answers 413 and closes while the client is still sending: the answer may be lost on the way. */
const REFUSED_UNREAD_BYTES = 30_000;

interface Setting {
  operations: Operation[];
  worlds: World[];
  /** The first two are tenants who must not see each other's data; the others may see all. */
  people: Person[];
}

/** Three accounts with one of everything, made by an API in this process that ends before the fuzzed one starts. */
async function makeSetting(dataDir: string): Promise<Setting> {
  const api = await startApi({ dataDir, environment: ENVIRONMENT, nowMs: Date.now() });
  const owners = [api.tenant, api.other, api.admin];
  const worlds: World[] = [];
  for (const owner of owners) worlds.push(await makeWorld(api, owner));
  const { sessionTokens } = api.app;
  const people = [...owners, api.admin].map(({ userId, accountId }): Person => {
    const issue = (familyId: string) => sessionTokens.issue({ userId, familyId, generation: 0 }, Date.now());
    return { token: (random) => issue(`family-${random()}`), marker: `only-${accountId}` };
  });
  const operations = operationsOf(api.app.swagger());
  await api.close();
  return { operations, worlds, people };
}

export async function runFuzz({ requests, seed, onProgress }: FuzzOptions): Promise<FuzzReport> {
  const dataDir = temporaryFolder('voice-fuzz');
  const setting = await makeSetting(dataDir);
  const server = await startProcess(dataDir, ENVIRONMENT);
  const { pid } = server.child;
  const { hostname, port } = new URL(server.address);
  const random = seededRandom(seed);
  const report: FuzzReport = {
    requests: 0,
    statuses: {},
    mutations: {},
    routes: setting.operations.length,
    memory: [],
    problems: [],
  };
  const kinds = new Set<string>();
  const note = (kind: string, problem: string): void => {
    if (kinds.has(kind)) return;
    kinds.add(kind);
    report.problems.push(`${kind}: ${problem}`);
  };
  try {
    await Promise.all(
      Array.from({ length: SIDE_BY_SIDE }, async () => {
        const connection = new Connection(hostname, Number(port));
        while (report.requests < requests) {
          const number = report.requests++;
          await sendOne(connection, random, setting, report, note);
          if (number % LOOK_AT_MEMORY_EVERY === 0) report.memory.push({ requests: number, apiMiB: residentMiB(pid) });
          onProgress?.(report.requests);
        }
        connection.close();
      }),
    );
    const alive = await fetch(`${server.address}/healthz`).catch(() => null);
    if (alive?.status !== 200 || server.child.exitCode !== null) note('end', `the API is gone: ${server.output()}`);
    return report;
  } finally {
    await server.stop();
  }
}

async function sendOne(
  connection: Connection,
  random: Random,
  setting: Setting,
  report: FuzzReport,
  note: (kind: string, problem: string) => void,
): Promise<void> {
  const isDearTurn = chance(random, DEAR_SHARE);
  const operation = pick(
    random,
    setting.operations.filter(({ path }) => isDear(path) === isDearTurn),
  );
  const fuzzed = fuzzedRequest(random, operation, setting);
  const request = onTheWire(random, fuzzed);
  for (const name of request.mutations.length > 0 ? request.mutations : ['none']) {
    report.mutations[name] = (report.mutations[name] ?? 0) + 1;
  }
  const route = `${operation.method} ${operation.path} (${request.mutations.join(', ') || 'unchanged'})`;
  try {
    const answer = await connection.send(request);
    report.statuses[answer.status] = (report.statuses[answer.status] ?? 0) + 1;
    for (const problem of problemsOf(operation, request, answer)) {
      note(`${operation.method} ${operation.path} ${answer.status}`, `${problem}\n${shown(request)}\n${answer.body}`);
    }
    for (const stranger of setting.people.slice(0, 2)) {
      const isTenant = setting.people.indexOf(fuzzed.person) < 2;
      if (isTenant && stranger !== fuzzed.person && answer.body.includes(stranger.marker)) {
        note(`${route} leak`, `another tenant's data in ${shown(request)}\n${answer.body}`);
      }
    }
  } catch (error) {
    if (request.body.length > REFUSED_UNREAD_BYTES) {
      report.statuses.closed = (report.statuses.closed ?? 0) + 1;
      return;
    }
    note(`${route} unanswered`, `${error instanceof Error ? error.message : error}\n${shown(request)}`);
  }
}

const shown = ({ method, url, headers, body }: WireRequest): string =>
  `${method} ${url.slice(0, 500)} ${JSON.stringify(headers).slice(0, 800)} ${body.toString('utf8').slice(0, 800)}`;

/** Statuses of the framework for any request. */
const ALWAYS = new Set([400, 401, 404, 406, 413, 414, 415, 422, 429, 431]);

function problemsOf(operation: Operation, request: WireRequest, answer: WireAnswer): string[] {
  const { status, headers, body } = answer;
  const problems: string[] = [];
  const isItself = !request.mutations.some((name) => name === 'other method' || name === 'odd path');
  if (status >= 500 && status !== 503) problems.push(`${status}`);
  if (isItself && !operation.statuses.has(status) && !ALWAYS.has(status)) problems.push(`undocumented ${status}`);
  if (!headers.has('x-request-id')) problems.push('no X-Request-Id');
  if (status === 503 && !(Number(headers.get('retry-after')) >= 1)) problems.push('503 without Retry-After');
  if (!/^application\/json/.test(headers.get('content-type') ?? '')) {
    if (status >= 300) problems.push(`${status} as ${headers.get('content-type')}`);
    return problems;
  }
  return [...problems, ...envelopeProblems(status, body)];
}

function envelopeProblems(status: number, body: string): string[] {
  let json: { success?: unknown; error?: unknown; code?: unknown; errors?: unknown };
  try {
    json = JSON.parse(body);
  } catch {
    return ['not JSON'];
  }
  // The OpenAPI document itself is bare.
  if (status < 400) return json.success === true || 'openapi' in json ? [] : ['not success'];
  const problems: string[] = [];
  if (json.success !== false || typeof json.error !== 'string') problems.push('not the envelope');
  const known: Record<string, { status: number } | undefined> = ERROR_CODES;
  if (known[String(json.code)]?.status !== status) problems.push(`code ${json.code} with ${status}`);
  if (Array.isArray(json.errors) !== (status === 422)) problems.push('errors without 422, or 422 without errors');
  return problems;
}

function residentMiB(pid: number | undefined): number {
  const kib = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kib ?? 0) / 1024;
}
