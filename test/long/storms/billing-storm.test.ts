// A seeded storm of faults over purchases, retries and settlement: afterwards every number is paid for once, every
// payment has its number, and nothing is pending.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { settleCharges } from '../../../api/billing/settlement.ts';
import { CarrierError } from '../../../api/carriers/carrier.ts';
import { usNumber } from '../../../bench/rig/api/numbers.ts';
import { unattendCharges } from '../../../db/queries/numbers/charges.ts';
import { seededRandom } from '../../../engine/test-runs/caller/seeded-random.ts';
import type { Fault } from '../../support/api/fake-stripe.ts';
import { again, buyWithKey, customerOf, startPaidApi } from '../../support/api/paid-api.ts';

const NUMBERS = 30;
const STEPS = 70;
const ROUTES = [
  '*',
  'POST /v1/payment_intents',
  'GET /v1/payment_intents/:id',
  'GET /v1/payment_methods',
  'POST /v1/payment_intents/:id/confirm',
  'POST /v1/payment_intents/:id/cancel',
  'POST /v1/refunds',
];
const FAULTS: Fault[] = [
  { kind: 'status', status: 503 },
  { kind: 'status', status: 503, after: true },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 500, after: true },
  { kind: 'status', status: 429 },
  { kind: 'status', status: 401 },
  { kind: 'broken' },
  { kind: 'broken', after: true },
];

for (const seed of [1, 2]) {
  test(`number and charge, or neither: storm ${seed}`, async () => {
    const { api, stripe, customer, close } = await startPaidApi({ numbers: NUMBERS });
    try {
      const random = seededRandom(seed);
      const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
      const carrier = api.context.carrier;
      const second = await api.newTenant();
      const customers = new Map([
        [api.tenant, customer],
        [second, await customerOf(api, stripe, second)],
      ]);
      const open: Array<[tenant: typeof second, phoneNumber: string, key: string]> = [];
      for (let step = 0; step < STEPS; step++) {
        stripe.rules =
          random() < 0.6 ? [{ route: pick(ROUTES), fault: pick(FAULTS), times: 1 + Math.floor(random() * 3) }] : [];
        stripe.down = random() < 0.03;
        const crash = random();
        api.context.carrier =
          crash < 0.1
            ? { ...carrier, order: () => Promise.reject(new Error('the process died here')) }
            : crash < 0.2
              ? { ...carrier, order: () => Promise.reject(new CarrierError('CARRIER_UNAVAILABLE', 'down')) }
              : carrier;
        const tenant = pick([api.tenant, second]);
        if (random() < 0.2)
          stripe.addCard(customers.get(tenant) ?? '', pick(['ok', 'ok', 'ok', 'ok', 'declined', 'requires_action']));
        const deed = random();
        const earlier = pick(open);
        if (deed < 0.5 || earlier === undefined) {
          const order: (typeof open)[number] = [tenant, usNumber(Math.floor(random() * NUMBERS)), randomUUID()];
          open.push(order);
          await buyWithKey(...order);
        } else if (deed < 0.75) {
          const answers = await Promise.all([again(...earlier), again(...earlier)]);
          for (const { status } of answers) assert.ok([201, 404, 409, 500, 503].includes(status), String(status));
        } else if (deed < 0.9) {
          await settleCharges(api.context);
        } else {
          await unattendCharges(api.context.db);
        }
        if (random() < 0.2) api.clock.advance(6 * 60_000);
      }
      stripe.rules = [];
      stripe.down = false;
      api.context.carrier = carrier;
      await unattendCharges(api.context.db);
      // The jobs go round and round; a machine that is busy may need a second one.
      for (let round = 0; round < 3; round++) await settleCharges(api.context);
      const numbers = await api.context.db.selectFrom('phoneNumbers').select(['id', 'accountId']).execute();
      const charges = await api.context.db.selectFrom('charges').selectAll().execute();
      assert.ok(numbers.length > 2, `${numbers.length} numbers were bought`);
      assert.deepEqual(
        charges.filter((charge) => charge.status === 'pending'),
        [],
      );
      const paidFor = charges.filter((charge) => charge.status === 'paid').map((charge) => charge.phoneNumberId);
      assert.deepEqual(paidFor.sort(), numbers.map((number) => number.id).sort());
      assert.equal(stripe.balance, numbers.length * 200);
      const owned = await api.context.db
        .selectFrom('inventory')
        .select('phoneNumber')
        .where('ownedBy', 'is not', null)
        .execute();
      assert.equal(owned.length, numbers.length);
      // Each payment that was taken names the entry that is paid.
      const byId = new Map(charges.map((charge) => [charge.id, charge]));
      for (const intent of stripe.intents.values()) {
        const taken = intent.status === 'succeeded' && !stripe.refunds.has(intent.id);
        assert.equal(byId.get(intent.metadata.chargeId ?? '')?.status === 'paid', taken, intent.id);
      }
    } finally {
      await close();
    }
  });
}
