// The API process is killed between charge and number, as it is started by users; the next start settles it, and the
// client that asks again gets its number for one charge.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { eventually } from '../../../bench/rig/eventually.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { endApiProcess, startApiProcess } from '../../support/api/api-process.ts';
import { FakeStripe } from '../../support/api/fake-stripe.ts';

const PHONE_NUMBER = '+12125550142';

const startProcess = (dataDir: string, stripe: FakeStripe) =>
  startApiProcess(dataDir, { BILLING: 'stripe', STRIPE_SECRET_KEY: 'sk_test_kill', STRIPE_API_BASE: stripe.url });

test('kill -9 between charge and number: both are there after the next start, once', { timeout: 120_000 }, async () => {
  const stripe = await FakeStripe.start();
  const dataDir = temporaryFolder('voice-kill');
  let running = await startProcess(dataDir, stripe);
  try {
    await running.ask('POST', '/admin/inventory', { numbers: [{ phoneNumber: PHONE_NUMBER, monthlyCost: 2 }] });
    await running.ask('POST', '/account/billing/setup');
    const [customer] = [...stripe.customers.keys()];
    stripe.addCard(customer ?? '');
    await running.ask('GET', '/phone-numbers/search');
    // Charged at once, told only much later: the process dies in between.
    stripe.rules = [{ route: 'POST /v1/payment_intents/:id/confirm', fault: { kind: 'slow', ms: 3_000 }, times: 1 }];
    const key = { 'idempotency-key': randomUUID() };
    const buy = () => running.ask('POST', '/phone-numbers/purchase', { phoneNumber: PHONE_NUMBER }, key);
    const lost = buy().catch(() => null);
    await eventually(async () => stripe.balance === 200);
    await endApiProcess(running, 'SIGKILL');
    assert.equal(await lost, null);
    running = await startProcess(dataDir, stripe);
    const charges = async () =>
      ((await (await running.ask('GET', '/account/charges')).json()) as { data: Array<{ status: string }> }).data;
    await eventually(async () => (await charges()).every((charge) => charge.status === 'paid'));
    const repeated = await buy();
    assert.equal(repeated.status, 201);
    assert.equal(((await repeated.json()) as { data: { phoneNumber: string } }).data.phoneNumber, PHONE_NUMBER);
    assert.equal(stripe.balance, 200);
    assert.equal((await charges()).length, 1);
  } finally {
    await endApiProcess(running, 'SIGTERM');
    await stripe.close();
  }
});
