// An API for the tests of the file that calls this: started and closed by its hooks.
import { after, before, beforeEach } from 'node:test';
import { startApi, type TestApi, type TestApiOptions } from '../../../bench/rig/api/api.ts';
import { closeAtEnd } from '../at-end.ts';

/**
 * By their options, the APIs of this process that no file uses any more. The next file goes on with one: a start takes
 * five to ten times as long as to empty its database.
 */
const idle = new Map<string, TestApi[]>();

/** One API for all tests of the file, as new. `prepare` is done when it has started: no second `before` would wait. */
export function useApi(options: TestApiOptions = {}, prepare: () => Promise<void> = async () => {}): TestApi {
  const api = {} as TestApi;
  let running: TestApi | null = null;
  before(async () => {
    running = await take(options);
    Object.assign(api, running);
    await prepare();
  });
  after(async () => {
    if (running !== null) await giveBack(running, options);
  });
  return api;
}

/** One API for all tests of the file, and new tenants for each: for tests that need only accounts of their own. */
export function useTenants(options: TestApiOptions = {}): TestApi {
  const api = useApi(options);
  beforeEach(async () => {
    api.tenant = await api.newTenant();
    api.other = await api.newTenant();
    api.admin = await api.newTenant({ role: 'ADMIN' });
  });
  return api;
}

/** The whole installation as new for each test. */
export function useFreshApi(options: TestApiOptions = {}): TestApi {
  const api = {} as TestApi;
  let running: TestApi | null = null;
  beforeEach(async () => {
    if (running === null) running = await take(options);
    else await running.renew();
    Object.assign(api, running);
  });
  after(async () => {
    if (running !== null) await giveBack(running, options);
  });
  return api;
}

async function take(options: TestApiOptions): Promise<TestApi> {
  const api = idle.get(keyOf(options) ?? '')?.pop();
  if (api === undefined) return startApi(options);
  await api.renew();
  return api;
}

async function giveBack(api: TestApi, options: TestApiOptions): Promise<void> {
  const key = keyOf(options);
  if (key === null || api.app.server.listening) return api.close();
  const others = idle.get(key);
  if (others !== undefined) return void others.push(api);
  const apis = [api];
  idle.set(key, apis);
  closeAtEnd(async () => {
    for (const each of apis) await each.close();
  });
}

/** @returns null: of an API that nobody else can use */
function keyOf({ environment = {}, config = {}, nowMs = 0, ...more }: TestApiOptions): string | null {
  return Object.keys(more).length === 0 ? JSON.stringify([environment, config, nowMs]) : null;
}
