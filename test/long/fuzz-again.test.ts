// Half of the ten thousand requests of the fuzzer (test/support/api/fuzzer.ts); the other seed runs beside it in its
// own process.
import { after, before, test } from 'node:test';
import { startApi, type TestApi } from '../../bench/rig/api/api.ts';
import { fuzz } from '../support/api/fuzzer.ts';

const REQUESTS = 5_000;
const SEED = 7;

let api: TestApi;
before(async () => {
  api = await startApi({ environment: { WEBHOOK_ALLOW_PRIVATE: '1' } });
});
after(() => api.close());

test(`${REQUESTS} requests of seed ${SEED} are all answered as documented`, () => fuzz(api, REQUESTS, SEED));
