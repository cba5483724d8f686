// Half of the ten thousand requests of the fuzzer (test/support/api/fuzzer.ts). The other seed runs always, in a
// process of its own.
import { test } from 'node:test';
import { fuzz } from '../../support/api/fuzzer.ts';
import { useApi } from '../../support/api/use-api.ts';
import { nightly } from '../../support/nightly.ts';

const REQUESTS = 5_000;
const SEED = 7;

const api = useApi({ environment: { WEBHOOK_ALLOW_PRIVATE: '1' } });

test(`${REQUESTS} requests of seed ${SEED} are all answered as documented`, { skip: nightly }, () =>
  fuzz(api, REQUESTS, SEED),
);
