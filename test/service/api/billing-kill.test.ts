// The API process is killed between charge and number, as it is started by users; the next start settles it, and the
// client that asks again gets its number for one charge.
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { eventually } from '../../../bench/rig/eventually.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { FakeStripe } from '../../support/api/fake-stripe.ts';

const PASSWORD = 'correct horse battery';
const PHONE_NUMBER = '+12125550142';

interface Running {
  process: ChildProcess;
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
}

async function startProcess(dataDir: string, stripe: FakeStripe): Promise<Running> {
  const child = fork(new URL('../../../api/main.ts', import.meta.url), {
    execArgv: ['--no-warnings'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      API_PORT: '0',
      DEMO: '0',
      LOG_LEVEL: 'error',
      ADMIN_EMAIL: 'admin@example.com',
      ADMIN_PASSWORD: PASSWORD,
      BILLING: 'stripe',
      STRIPE_SECRET_KEY: 'sk_test_kill',
      STRIPE_API_BASE: stripe.url,
    },
  });
  const address = await new Promise<string>((resolve, reject) => {
    child.on('message', (message: { type: string; address?: string }) => {
      if (message.type === 'ready') resolve(message.address ?? '');
    });
    child.on('exit', (code) => reject(new Error(`the API ended with ${code}`)));
  });
  const base = `${address}/api/v1`;
  const json = { 'content-type': 'application/json' };
  const login = await fetch(`${base}/auth/login`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ email: 'admin@example.com', password: PASSWORD }),
  });
  const { token } = ((await login.json()) as { data: { token: string } }).data;
  return {
    process: child,
    ask: (method, path, body, headers = {}) =>
      fetch(base + path, {
        method,
        headers: { ...(body === undefined ? {} : json), ...headers, authorization: `Bearer ${token}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  };
}

const ended = (child: ChildProcess) =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise<void>((resolve) => child.once('exit', () => resolve()));

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
    running.process.kill('SIGKILL');
    await ended(running.process);
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
    running.process.kill('SIGTERM');
    await ended(running.process);
    await stripe.close();
  }
});
