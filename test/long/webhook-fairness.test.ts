// Tenants share the dispatcher: one whose receivers are slow, however many, does not keep another's events waiting.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { type Delivery, startDeliveryTest } from '../support/api/delivery.ts';

const WEBHOOKS = 40;

/** Receivers of one tenant that answer only when they are told to. */
async function slowTenant(delivery: Delivery) {
  const waiting: ServerResponse[] = [];
  const tenant = await delivery.api.newTenant();
  for (let i = 0; i < WEBHOOKS; i++) {
    await delivery.subscribe(`/slow/${tenant.accountId}/${i}`, ['call.ended'], tenant);
    delivery.receiver.behave(`/slow/${tenant.accountId}/${i}`, (response) => waiting.push(response));
  }
  return {
    tenant,
    waiting,
    answerAll() {
      for (const response of waiting.splice(0)) response.writeHead(200).end('ok');
    },
  };
}

test('slow but successful receivers of one tenant do not starve another', { timeout: 60_000 }, async (t) => {
  const delivery = await startDeliveryTest(t, { paceMs: 1, slowAfterMs: 50 });
  const slow = await slowTenant(delivery);
  await delivery.subscribe('/quick');
  await delivery.emit(60, 'call.ended', slow.tenant);
  // Each round of answers was a success: what is in flight must not grow to all there is.
  for (let round = 0; round < 6; round++) {
    await delivery.receiver.until(() => slow.waiting.length >= 60);
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.ok(slow.waiting.length <= 64, `${slow.waiting.length} in flight for one account`);
    slow.answerAll();
  }
  await delivery.receiver.until(() => slow.waiting.length >= 60);
  await delivery.emit(3);
  // None of the slow ones is answered meanwhile.
  await delivery.receiver.until(() => delivery.receiver.at('/quick').length === 3);
});

test('many tenants with slow receivers leave places for those whose receivers are quick', {
  timeout: 60_000,
}, async (t) => {
  const delivery = await startDeliveryTest(t, { paceMs: 400, slowAfterMs: 400 });
  const tenants = await Promise.all(Array.from({ length: 7 }, () => slowTenant(delivery)));
  await delivery.subscribe('/quick');
  for (const { tenant } of tenants) await delivery.emit(10, 'call.ended', tenant);
  const inFlight = () => tenants.reduce((sum, { waiting }) => sum + waiting.length, 0);
  await delivery.receiver.until(() => inFlight() >= 384);
  await delivery.emit(10);
  await delivery.receiver.until(() => delivery.receiver.at('/quick').length === 10);
  assert.ok(inFlight() < 512);
});
