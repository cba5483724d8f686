// Sends seeded requests (fuzz-requests.ts) to an API in this process. Checks: no 500, a 503 only where documented,
// always the envelope, and only documented statuses.
import assert from 'node:assert/strict';
import type { InjectOptions } from 'fastify';
import { ERROR_CODES, type ErrorCode } from '../../../api/frame/error-codes.ts';
import type { TestApi } from '../../../bench/rig/api/api.ts';
import { makeWorld } from '../../../bench/rig/api/world.ts';
import {
  chance,
  fuzzedRequest,
  isDear,
  isStream,
  type Operation,
  operationsOf,
  type Person,
  pick,
} from '../../../bench/rig/fuzz/fuzz-requests.ts';
import { seededRandom } from '../../../engine/test-runs/caller/seeded-random.ts';

/** Requests in flight at once, so that handlers interleave. */
const SIDE_BY_SIDE = 8;

/** Allowed for any request, whether or not its route documents them. */
const ALWAYS = new Set([400, 401, 404, 413, 415, 422, 429]);
/** Sends `requests` requests, derived from `seed`. @throws AssertionError with one problem of each kind */
export async function fuzz(api: TestApi, requests: number, seed: number): Promise<void> {
  const worlds = [await makeWorld(api, api.tenant), await makeWorld(api, api.other), await makeWorld(api, api.admin)];
  const random = seededRandom(seed);
  const routes = operationsOf(api.app.swagger()).filter((operation) => !isStream(operation));
  assert.ok(routes.length > 60);
  // ADMINs may do everything, so most requests come from them or from the ids' owner.
  const people = [api.tenant, api.other, api.admin, api.admin].map(({ userId }): Person => {
    const issue = (familyId: string) => api.app.sessionTokens.issue({ userId, familyId, generation: 0 }, api.clock.now);
    return { token: (random) => issue(`family-${random()}`), marker: 'fuzz' };
  });
  const cheap = routes.filter(({ path }) => !isDear(path));
  const seen = new Map<string, number>();
  const problems = new Map<string, string>();
  let left = requests;
  const worker = async () => {
    while (left-- > 0) {
      const operation = pick(random, chance(random, 0.9) ? cheap : routes);
      const { method, url, headers, payload } = fuzzedRequest(random, operation, { worlds, people });
      const request: InjectOptions = {
        method: method as 'GET',
        url,
        headers,
        ...(payload === null ? {} : { payload }),
      };
      const response = await api.app.inject(request);
      seen.set(`${response.statusCode}`, (seen.get(`${response.statusCode}`) ?? 0) + 1);
      try {
        check(api, operation, request, response);
      } catch (error) {
        // Reports the first problem of each kind; the run continues to find others.
        const kind = `${operation.method} ${operation.path} ${response.statusCode}`;
        if (!problems.has(kind)) problems.set(kind, error instanceof Error ? error.message : String(error));
      }
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
  assert.equal(problems.size, 0, [...problems].map(([kind, message]) => `${kind}\n${message}`).join('\n\n'));
  // The run proves nothing if all requests were rejected early.
  for (const status of ['200', '201', '401', '404', '409', '422']) {
    assert.ok((seen.get(status) ?? 0) > requests / 1_000, `${status}: ${JSON.stringify([...seen])}`);
  }
}

interface Response {
  statusCode: number;
  headers: Record<string, unknown>;
  payload: string;
}

function check(api: TestApi, operation: Operation, request: InjectOptions, response: Response): void {
  const { statusCode, headers, payload } = response;
  const told = () =>
    `${statusCode} ${JSON.stringify(request).slice(0, 2_000)}\n${payload.slice(0, 500)}\n${api.logs.slice(-2).join('\n')}`;
  assert.ok(statusCode < 500 || statusCode === 503, told());
  assert.ok(operation.statuses.has(statusCode) || ALWAYS.has(statusCode), `undocumented ${told()}`);
  assert.ok(headers['x-request-id'], told());
  if (statusCode === 503) assert.ok(Number(headers['retry-after']) >= 1, told());
  if (!/^application\/json/.test(String(headers['content-type']))) {
    assert.equal(statusCode, 200, told());
    return;
  }
  const json = JSON.parse(payload);
  assert.equal(json.success, statusCode < 400, told());
  if (statusCode >= 400) {
    assert.equal(typeof json.error, 'string', told());
    assert.equal(ERROR_CODES[json.code as ErrorCode]?.status, statusCode, told());
  }
  assert.equal(Array.isArray(json.errors), statusCode === 422, told());
}
