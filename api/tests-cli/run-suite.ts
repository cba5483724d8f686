// Runs a suite over the routes of a service, and follows it until its end.
import { setTimeout as pause } from 'node:timers/promises';
import type { ResultRecord, RunRecord, SuiteRecord } from '../test-suites/schema.ts';

/** The suite could not be run; the message says why. */
export class CannotRun extends Error {
  override name = 'CannotRun';
}

interface RunWish {
  url: string;
  token: string;
  /** Its id, or its name. */
  suite: string;
  wish: object;
  timeoutMs: number;
  print(line: string): void;
}

const LOOK_EVERY_MS = 500;
/** A service that is started again is away for a moment. */
const FAILURES_MAX = 20;
const REQUEST_TIMEOUT_MS = 30_000;
const PAGE = 100;

/** @throws {CannotRun} */
export async function runSuite({ url, token, suite, wish, timeoutMs, print }: RunWish) {
  const ask = asker(url, token);
  const { id, name } = await suiteOf(ask, suite);
  const run = await ask.data<RunRecord>('POST', `/test-suites/${id}/runs`, wish);
  print(`${name}: ${run.counts.total} cases, run ${run.id}, seed ${run.seed}`);
  const ended = await untilEnded(ask, run, { timeoutMs, print });
  const results = await all<ResultRecord>(ask, `/test-runs/${run.id}/results`);
  for (const result of results) for (const line of linesOf(result)) print(line);
  const { total, passed, failed, errors } = ended.counts;
  print(`${ended.status}: ${passed} of ${total} passed, ${failed} failed, ${errors} could not be run`);
  const junit = await ask.text('GET', `/test-runs/${run.id}/junit.xml`);
  return { status: ended.status, junit, json: `${JSON.stringify({ run: ended, results }, null, 2)}\n` };
}

function linesOf({ name, status, statusBefore, checks, error, durationMs }: ResultRecord): string[] {
  const isNew = statusBefore !== null && statusBefore !== status ? `, before: ${statusBefore}` : '';
  const failed = checks.filter(({ passed }) => !passed);
  return [
    `${status === 'PASSED' ? 'ok  ' : 'FAIL'} ${name} (${durationMs ?? 0} ms${isNew})`,
    ...(error === null ? [] : [`       ${error}`]),
    ...failed.flatMap(({ turn, expected, found }) => [
      `       ${turn === null ? '' : `turn ${turn + 1}: `}expected: ${expected}`,
      `       found: ${found}`,
    ]),
  ];
}

type Asker = ReturnType<typeof asker>;

function asker(url: string, token: string) {
  const base = `${url.replace(/(?:\/api\/v1)?\/?$/, '')}/api/v1`;
  const text = async (method: string, path: string, body?: object): Promise<string> => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    const answer = await response.text();
    if (!response.ok) throw new CannotRun(refusal(response.status, answer));
    return answer;
  };
  const json = async <T>(method: string, path: string, body?: object): Promise<T> =>
    JSON.parse(await text(method, path, body)) as T;
  return {
    text,
    json,
    data: async <T>(method: string, path: string, body?: object): Promise<T> =>
      (await json<{ data: T }>(method, path, body)).data,
  };
}

function refusal(status: number, answer: string): string {
  try {
    const { error, errors = [] } = JSON.parse(answer) as {
      error: string;
      errors?: Array<{ field: string; message: string }>;
    };
    return [`${error} (${status})`, ...errors.map(({ field, message }) => `${field} ${message}`)].join('\n');
  } catch {
    return `The service answered ${status}, and not as this program expects it: is the address right?`;
  }
}

async function all<T>(ask: Asker, path: string): Promise<T[]> {
  const found: T[] = [];
  for (let page = 1; ; page++) {
    const { data, pagination } = await ask.json<{ data: T[]; pagination: { hasNext: boolean } }>(
      'GET',
      `${path}?page=${page}&limit=${PAGE}`,
    );
    found.push(...data);
    if (!pagination.hasNext) return found;
  }
}

/** @throws {CannotRun} */
async function suiteOf(ask: Asker, suite: string): Promise<SuiteRecord> {
  const suites = await all<SuiteRecord>(ask, '/test-suites');
  const found = suites.filter(({ id, name }) => id === suite || name === suite);
  const [first] = found;
  if (first === undefined) throw new CannotRun(`There is no test suite ${suite}`);
  if (found.length > 1) throw new CannotRun(`${found.length} test suites are called ${suite}: name one by its id`);
  return first;
}

/** @throws {CannotRun} after the time, and where the service is away for long */
async function untilEnded(
  ask: Asker,
  run: RunRecord,
  { timeoutMs, print }: Pick<RunWish, 'timeoutMs' | 'print'>,
): Promise<RunRecord> {
  const untilMs = performance.now() + timeoutMs;
  let shown = 0;
  let failures = 0;
  for (;;) {
    const now = await ask.data<RunRecord>('GET', `/test-runs/${run.id}`).catch((error: unknown) => {
      if (++failures >= FAILURES_MAX) throw error;
      return null;
    });
    if (now !== null) {
      failures = 0;
      const done = now.counts.passed + now.counts.failed + now.counts.errors;
      if (done > shown && now.endedAt === null) print(`${done} of ${now.counts.total} …`);
      shown = done;
      if (now.status === 'CANCELLED') throw new CannotRun('The run was cancelled');
      if (now.endedAt !== null) return now;
    }
    if (performance.now() > untilMs) {
      await ask.data('POST', `/test-runs/${run.id}/cancel`);
      throw new CannotRun(`The run took longer than ${timeoutMs / 1_000} s, and was cancelled`);
    }
    await pause(LOOK_EVERY_MS);
  }
}
