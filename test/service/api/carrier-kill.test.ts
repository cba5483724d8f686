// The API process is killed between the charge, the order at a carrier and the number's row, or as it gives a number
// back, as it is started by users. The next start goes on: the number is bought once and charged once, and belongs to
// who paid for it. A machine that is too busy to hear the carrier in time refunds it: then there is neither, and the
// carrier has its number back.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { eventually } from '../../../bench/rig/eventually.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { type ApiProcess, endApiProcess, startApiProcess } from '../../support/api/api-process.ts';
import { FakeStripe } from '../../support/api/fake-stripe.ts';
import { FakeCarriers } from '../../support/carriers/fake-carrier.ts';
import { FakeTwilio, TWILIO_KEY } from '../../support/carriers/fake-twilio.ts';
import { nightly } from '../../support/nightly.ts';

const NUMBER = '+14155550123';
const BUY = 'POST api.twilio.com/2010-04-01/Accounts/:account/IncomingPhoneNumbers.json';
const GIVE_BACK = 'DELETE api.twilio.com/2010-04-01/Accounts/:account/IncomingPhoneNumbers/:sid.json';

interface Scene {
  stripe: FakeStripe;
  twilio: FakeTwilio;
  http: FakeCarriers;
  running: ApiProcess;
  start(): Promise<ApiProcess>;
}

async function scene(billing: 'none' | 'stripe'): Promise<Scene> {
  const stripe = await FakeStripe.start();
  const twilio = new FakeTwilio();
  const http = await FakeCarriers.start(twilio.routes, new Map(twilio.authorizations));
  const dataDir = temporaryFolder('voice-carrier-kill');
  const start = () =>
    startApiProcess(dataDir, {
      BILLING: billing,
      STRIPE_SECRET_KEY: 'sk_test_kill',
      STRIPE_API_BASE: stripe.url,
      CARRIER_API_BASE: http.url,
      EXTERNAL_IP: '203.0.113.20',
      RATE_LIMIT_PER_MINUTE: '1000000',
    });
  const running = await start();
  const { ask } = running;
  const { data } = (await (await ask('POST', '/admin/carriers', TWILIO_KEY)).json()) as { data: { id: string } };
  await ask('POST', `/admin/carriers/${data.id}/trunk`, {});
  if (billing === 'stripe') {
    await ask('POST', '/account/billing/setup');
    const [customer] = [...stripe.customers.keys()];
    stripe.addCard(customer ?? '');
  }
  twilio.forSale.set(NUMBER, { kind: 'Local', country: 'US' });
  await ask('GET', '/phone-numbers/search');
  return { stripe, twilio, http, running, start };
}

const dataOf = async <T>(answer: Promise<Response>): Promise<T> => ((await (await answer).json()) as { data: T }).data;
const numbers = ({ running }: Scene) => dataOf<Array<{ phoneNumber: string }>>(running.ask('GET', '/phone-numbers'));

/** Buys, kills the process when `reached`, starts it again and waits until the account has its number. */
async function killedPurchase(at: Scene, reached: () => boolean, key = randomUUID()): Promise<void> {
  const buy = () =>
    at.running.ask('POST', '/phone-numbers/purchase', { phoneNumber: NUMBER }, { 'idempotency-key': key });
  const lost = buy().catch(() => null);
  await eventually(async () => reached());
  await endApiProcess(at.running, 'SIGKILL');
  assert.equal(await lost, null);
  at.running = await at.start();
}

async function close({ running, stripe, http }: Scene): Promise<void> {
  await endApiProcess(running, 'SIGTERM');
  await stripe.close();
  await http.close();
  assert.deepEqual(http.faults, []);
}

const isCharged = ({ stripe }: Scene) => stripe.balance === 115;
const steps: Array<[name: string, plan: (at: Scene) => void, reached: (at: Scene) => boolean]> = [
  [
    'charge and order',
    ({ stripe }) => {
      stripe.rules = [{ route: 'POST /v1/payment_intents/:id/confirm', fault: { kind: 'slow', ms: 3_000 }, times: 1 }];
    },
    isCharged,
  ],
  [
    'the order’s row and the carrier',
    ({ http }) => {
      http.planned = [{ route: BUY, kind: 'silent' }];
    },
    (at) => isCharged(at) && at.http.planned.length === 0,
  ],
  [
    'the carrier and its answer',
    ({ http }) => {
      http.planned = [{ route: BUY, kind: 'silent-after' }];
    },
    (at) => at.twilio.purchases === 1,
  ],
];

for (const [name, plan, reached] of steps)
  test(`kill -9 between ${name}: paid once and bought once, or neither`, {
    timeout: 120_000,
    skip: name !== 'the carrier and its answer' && nightly,
  }, async () => {
    const at = await scene('stripe');
    try {
      plan(at);
      await killedPurchase(at, () => reached(at));
      const statuses = async () =>
        (await dataOf<Array<{ status: string }>>(at.running.ask('GET', '/account/charges'))).map((one) => one.status);
      await eventually(async () => !(await statuses()).includes('pending'));
      const [status] = await statuses();
      const count = status === 'paid' ? 1 : 0;
      await eventually(async () => (await numbers(at)).length === count && at.twilio.numbers.size === count);
      assert.equal(at.stripe.balance, 115 * count);
      assert.ok(at.twilio.purchases <= 1);
      assert.equal((await statuses()).length, 1);
    } finally {
      await close(at);
    }
  });

test('kill -9 while nothing is charged: the job goes on with the order', { timeout: 180_000 }, async () => {
  const at = await scene('none');
  try {
    at.http.planned = [{ route: BUY, kind: 'silent-after' }];
    await killedPurchase(at, () => at.twilio.purchases === 1);
    await eventually(async () => (await numbers(at)).length === 1);
    assert.deepEqual([at.twilio.purchases, at.twilio.numbers.size], [1, 1]);
  } finally {
    await close(at);
  }
});

test('kill -9 between the carrier that takes a number back and the row: the number is gone here too', {
  timeout: 180_000,
  skip: nightly,
}, async () => {
  const at = await scene('none');
  try {
    const { id } = await dataOf<{ id: string }>(
      at.running.ask('POST', '/phone-numbers/purchase', { phoneNumber: NUMBER }),
    );
    at.http.planned = [{ route: GIVE_BACK, kind: 'silent-after' }];
    const lost = at.running.ask('DELETE', `/phone-numbers/${id}`).catch(() => null);
    await eventually(async () => at.twilio.numbers.size === 0);
    await endApiProcess(at.running, 'SIGKILL');
    assert.equal(await lost, null);
    at.running = await at.start();
    await eventually(async () => (await numbers(at)).length === 0);
  } finally {
    await close(at);
  }
});
