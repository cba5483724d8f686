// The daily run: months and minutes are charged once, failures are told, and after a week the number is out of service.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dailyRound, settlementRound } from '../../../../api/billing/jobs.ts';
import { runBilling } from '../../../../api/billing/monthly.ts';
import { monthsAfter } from '../../../../api/billing/months.ts';
import { overageAmount } from '../../../../api/billing/prices.ts';
import { startJobs } from '../../../../api/upkeep/job.ts';
import { JOBS } from '../../../../api/upkeep/jobs.ts';
import { startApi, type TestApi } from '../../../../bench/rig/api/api.ts';
import { buy, stock, usNumber } from '../../../../bench/rig/api/numbers.ts';
import { buyWithKey, ledger, startPaidApi } from '../../../support/api/paid-api.ts';

const DAY = 86_400_000;
const at = (text: string) => Date.parse(`${text}T03:00:00Z`);

test('months are those of the account: a purchase on the last evening in New York belongs to that month', () => {
  const bought = Date.parse('2026-12-01T02:00:00Z');
  assert.deepEqual(monthsAfter(bought, at('2027-01-15'), 'America/New_York', 12), ['2026-12', '2027-01']);
  assert.deepEqual(monthsAfter(bought, at('2027-01-15'), 'UTC', 12), ['2027-01']);
  assert.deepEqual(monthsAfter(bought, bought, 'UTC', 12), []);
  assert.equal(monthsAfter(0, at('2027-01-15'), 'UTC', 12).length, 12);
});

test('minutes past the plan cost by the minute begun, to the cent', () => {
  assert.equal(overageAmount('STARTER', 500 * 60), 0);
  assert.equal(overageAmount('STARTER', 500 * 60 + 1), 0.05);
  assert.equal(overageAmount('STARTER', 533 * 60), 1.65);
  assert.equal(overageAmount('PRO', 5_001 * 60), 0.05);
  assert.equal(overageAmount('ENTERPRISE', 1e9), 0);
});

test('without a provider each month is recorded once, and a free number costs nothing', async () => {
  const api = await startApi();
  try {
    await stock(api, [{ phoneNumber: usNumber(1), monthlyCost: 1.15 }, { phoneNumber: usNumber(2) }]);
    await buy(api.tenant, usNumber(1));
    await buy(api.tenant, usNumber(2));
    assert.equal((await runBilling(api.context, at('2026-11-30'))).charged, 0);
    assert.equal((await runBilling(api.context, at('2026-12-01'))).charged, 1);
    assert.equal((await runBilling(api.context, at('2026-12-02'))).charged, 0);
    // A month that no run saw is made up for.
    assert.equal((await runBilling(api.context, at('2027-02-05'))).charged, 2);
    const entries = await ledger(api.tenant);
    assert.deepEqual(
      entries.map(({ status, amount }) => [status, amount]),
      Array.from({ length: 4 }, () => ['recorded', 1.15]),
    );
  } finally {
    await api.close();
  }
});

async function useMinutes(api: TestApi, accountId: string, month: string, minutes: number, overage: boolean) {
  await api.context.db
    .insertInto('accountUsage')
    .values({ accountId, month, seconds: minutes * 60 })
    .execute();
  await api.context.db
    .updateTable('accounts')
    .set({ overageEnabled: overage ? 1 : 0 })
    .where('id', '=', accountId)
    .execute();
}

test('minutes past the plan are charged when their month is over, where overage is on', async () => {
  const api = await startApi();
  try {
    await useMinutes(api, api.tenant.accountId, '2026-11', 520, true);
    await useMinutes(api, api.other.accountId, '2026-11', 520, false);
    assert.equal((await runBilling(api.context, at('2026-11-30'))).charged, 0);
    assert.equal((await runBilling(api.context, at('2026-12-01'))).charged, 1);
    assert.equal((await runBilling(api.context, at('2026-12-01'))).charged, 0);
    const [entry] = await ledger(api.tenant);
    assert.deepEqual([entry?.kind, entry?.amount, entry?.status], ['overage', 1, 'recorded']);
    assert.deepEqual(await ledger(api.other), []);
  } finally {
    await api.close();
  }
});

test('a month that fails is a mail, tried each day, and after 7 days the number is inactive', async () => {
  const { api, stripe, customer, close } = await startPaidApi();
  try {
    const bought = (await buyWithKey(api.tenant, usNumber(0))).json.data;
    assert.equal((await runBilling(api.context, at('2026-12-01'))).charged, 1);
    assert.equal(stripe.balance, 400);
    stripe.addCard(customer, 'declined');
    await api.context.db.updateTable('users').set({ language: 'pt' }).where('id', '=', api.tenant.userId).execute();
    const number = async () => (await api.tenant.ask('GET', `/phone-numbers/${bought.id}`)).json.data;
    const first = at('2027-01-01');
    for (let day = 0; day < 7; day++) {
      assert.equal((await runBilling(api.context, first + day * DAY)).failed, 1);
      assert.equal((await number()).isActive, true);
      assert.equal(api.mails.length, 1);
    }
    assert.equal(api.mails[0]?.to, api.tenant.email);
    assert.equal(api.mails[0]?.subject, 'Um pagamento foi recusado');
    assert.match(api.mails[0]?.text ?? '', /2\.00 USD/);
    const last = await runBilling(api.context, first + 7 * DAY);
    assert.equal(last.suspended, 1);
    assert.equal((await number()).isActive, false);
    assert.equal(api.mails.length, 2);
    // Out of service it is not charged any more.
    assert.equal((await runBilling(api.context, first + 8 * DAY)).failed, 0);
    assert.equal(stripe.balance, 400);
    const activate = () => api.tenant.ask('PATCH', `/phone-numbers/${bought.id}`, { isActive: true });
    const unpaid = await activate();
    assert.deepEqual([unpaid.status, unpaid.json.code], [409, 'NUMBER_UNPAID'], 'not while the charge is unpaid');
    assert.equal((await number()).isActive, false);
    stripe.down = true;
    const down = await activate();
    assert.deepEqual([down.status, down.json.code], [503, 'PAYMENT_PROVIDER_DOWN']);
    stripe.down = false;
    await settlementRound(api.context);
    assert.equal((await number()).isActive, false);
    assert.equal(stripe.balance, 400);
    stripe.addCard(customer);
    const answers = await Promise.all([activate(), activate()]);
    assert.ok(
      answers.some(({ status }) => status === 200),
      answers.map(({ text }) => text).join(),
    );
    assert.equal(stripe.balance, 600, 'charged once, at the moment of activating');
    assert.equal((await runBilling(api.context, first + 9 * DAY)).charged, 0);
    assert.equal(stripe.balance, 600);
    assert.equal((await number()).isActive, true);
  } finally {
    await close();
  }
});

test('a provider that is down leaves nothing pending and is no failure of the customer', async () => {
  const { api, stripe, close } = await startPaidApi();
  try {
    await buyWithKey(api.tenant, usNumber(0));
    stripe.down = true;
    const run = await runBilling(api.context, at('2026-12-01'));
    assert.deepEqual([run.complete, run.failed, api.mails.length], [false, 0, 0]);
    stripe.down = false;
    await settlementRound(api.context);
    assert.ok((await ledger(api.tenant)).every((entry) => entry.status !== 'pending'));
    assert.equal((await runBilling(api.context, at('2026-12-02'))).charged, 1);
    assert.equal(stripe.balance, 400);
  } finally {
    await close();
  }
});

test('the jobs begin with a round and end when they are told', async () => {
  const api = await startApi();
  try {
    const jobs = await startJobs(
      JOBS.filter(({ lease }) => lease?.name === 'billing'),
      api.context,
    );
    await jobs.stop();
    assert.equal(api.logs.filter((line) => line.includes('"billing run"')).length, 1);
    assert.ok(!api.logs.some((line) => line.includes('background work failed')));
  } finally {
    await api.close();
  }
});

test('the run happens once a day by itself', async () => {
  const api = await startApi();
  try {
    await stock(api, [{ phoneNumber: usNumber(1), monthlyCost: 3 }]);
    await buy(api.tenant, usNumber(1));
    const runs = () => api.logs.filter((line) => line.includes('"billing run"')).length;
    await dailyRound(api.context, { failedAtMs: null });
    await dailyRound(api.context, { failedAtMs: null });
    assert.equal(runs(), 1);
    api.clock.advance(20 * DAY);
    await dailyRound(api.context, { failedAtMs: null });
    assert.equal(runs(), 2);
    assert.equal((await ledger(api.tenant)).length, 2);
  } finally {
    await api.close();
  }
});
