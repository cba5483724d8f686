// A number of a carrier that an account pays for: charge, order and row come together or not at all.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { settleCharges } from '../../../../api/billing/settlement.ts';
import type { Carrier } from '../../../../api/carriers/carrier.ts';
import { goOnWithOrders } from '../../../../api/carriers/orders.ts';
import { finishPurchase } from '../../../../api/phone-numbers/purchase.ts';
import { unattendCharges } from '../../../../db/queries/numbers/charges.ts';
import { FakeStripe } from '../../../support/api/fake-stripe.ts';
import { ledger, numbersOf } from '../../../support/api/paid-api.ts';
import { TWILIO_KEY } from '../../../support/carriers/fake-twilio.ts';
import { connect, useCarriers } from '../../../support/carriers/use-carriers.ts';

const NUMBER = '+14155550123';
const BUY = 'POST api.twilio.com/2010-04-01/Accounts/:account/IncomingPhoneNumbers.json';
const HALF_A_MINUTE = 30_000;

const stripe = await FakeStripe.start();
const lab = useCarriers({
  environment: { BILLING: 'stripe', STRIPE_SECRET_KEY: 'sk_test_carriers', STRIPE_API_BASE: stripe.url },
});
beforeEach(async () => {
  const { api, twilio } = lab;
  stripe.intents.clear();
  stripe.refunds.clear();
  const id = await connect(api, TWILIO_KEY);
  await api.admin.ask('POST', `/admin/carriers/${id}/trunk`, {});
  await api.admin.ask('POST', '/account/billing/setup');
  const found = [...stripe.customers].find(([, { accountId }]) => accountId === api.admin.accountId);
  stripe.addCard(found?.[0] ?? '');
  twilio.forSale.set(NUMBER, { kind: 'Local', country: 'US' });
  await api.admin.ask('GET', '/phone-numbers/search');
});
test.after(() => stripe.close());

const buy = () => lab.api.admin.ask('POST', '/phone-numbers/purchase', { phoneNumber: NUMBER });
const status = async () => (await ledger(lab.api.admin)).map((one) => one.status);

/** The rounds of settlement and of the orders' job, in a process that comes after one that died. */
async function nextProcess(): Promise<void> {
  const { context, clock } = lab.api;
  await unattendCharges(context.db);
  await settleCharges(context);
  clock.advance(HALF_A_MINUTE);
  await goOnWithOrders(context, (order) => finishPurchase(context, order));
}

test('an account pays the carrier’s price, once', async () => {
  const answer = await buy();
  assert.equal(answer.status, 201, answer.text);
  assert.deepEqual([stripe.balance, await status(), lab.twilio.purchases], [115, ['paid'], 1]);
});

for (const [name, dies] of [
  ['before the carrier is asked', async () => {}],
  ['after the carrier has sold it', (carrier, asked) => carrier.order(...asked)],
] as ReadonlyArray<[string, (carrier: Carrier, asked: Parameters<Carrier['order']>) => Promise<void>]>)
  test(`a process that dies ${name}: settlement goes on, and nothing is paid or bought twice`, async () => {
    const { api, twilio } = lab;
    const { carrier } = api.context;
    api.context.carrier = {
      ...carrier,
      async order(...asked: Parameters<Carrier['order']>) {
        await dies(carrier, asked);
        throw new Error('the process dies');
      },
    };
    assert.equal((await buy()).status, 500);
    api.context.carrier = carrier;
    assert.deepEqual(await status(), ['pending']);
    await nextProcess();
    assert.deepEqual([stripe.balance, await status(), await numbersOf(api.admin)], [115, ['paid'], [NUMBER]]);
    assert.deepEqual([twilio.purchases, twilio.numbers.size], [1, 1]);
  });

test('an answer of the carrier that was lost: refunded, and the number is given back', async () => {
  const { api, http, twilio } = lab;
  http.planned = [{ route: BUY, kind: 'broken-after' }];
  assert.equal((await buy()).status, 503);
  assert.deepEqual([stripe.balance, await status()], [0, ['refunded']]);
  await nextProcess();
  assert.deepEqual([await numbersOf(api.admin), twilio.numbers.size], [[], 0]);
});

test('the same after which it is bought again: the number that is there already', async () => {
  const { http, twilio, api } = lab;
  http.planned = [{ route: BUY, kind: 'broken-after' }];
  assert.equal((await buy()).status, 503);
  const again = await buy();
  assert.equal(again.status, 201, again.text);
  await nextProcess();
  assert.deepEqual([stripe.balance, twilio.purchases, twilio.numbers.size], [115, 1, 1]);
  assert.deepEqual(await numbersOf(api.admin), [NUMBER]);
});
