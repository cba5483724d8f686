// An API for the tests of the file that calls this: started and closed by its hooks.
import { after, before, beforeEach } from 'node:test';
import { startApi, type TestApi, type TestApiOptions } from '../../../bench/rig/api/api.ts';
import { testServer } from '../../../bench/rig/database/postgres.ts';

/**
 * One API for all tests of the file. `prepare` is done when it has started; a second `before` hook at the top of a file
 * would not wait for the first.
 */
export function useApi(options: TestApiOptions = {}, prepare: () => Promise<void> = async () => {}): TestApi {
  const api = {} as TestApi;
  before(async () => {
    Object.assign(api, await startApi(options));
    await prepare();
  });
  after(() => api.close());
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

/**
 * The whole installation as new for each test. On SQLite the API goes on from test to test: its start takes five times
 * as long as to empty its database.
 */
export function useFreshApi(options: TestApiOptions = {}): TestApi {
  const api = {} as TestApi;
  let running: TestApi | null = null;
  const close = async () => {
    await running?.close();
    running = null;
  };
  beforeEach(async () => {
    if (testServer() !== null) await close();
    if (running === null) running = await startApi(options);
    else await running.renew();
    Object.assign(api, running);
  });
  after(close);
  return api;
}
