// The API process as the supervisor starts it: first run, second run, two at once, health, stop.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { startProcess } from '../../../bench/rig/api/api-process.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { openDatabase } from '../../../db/database.ts';

const post = (address: string, path: string, body: object) =>
  fetch(`${address}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

test('the first start prints a password once that signs in as ADMIN, and makes a demo that answers', async () => {
  const dataDir = temporaryFolder('voice-main');
  const first = await startProcess(dataDir);
  const [, email = '', password = ''] = /^first admin (\S+) password (\S+)$/m.exec(first.output()) ?? [];
  const session = await post(first.address, '/v1/auth/login', { email, password });
  assert.equal(session.status, 200);
  const { data } = (await session.json()) as { data: { token: string; user: { role: string } } };
  assert.equal(data.user.role, 'ADMIN');
  const headers = { authorization: `Bearer ${data.token}` };
  const account = (await (await fetch(`${first.address}/api/v1/account`, { headers })).json()) as {
    data: { plan: string; minutes: { limit: number | null } };
  };
  assert.deepEqual([account.data.plan, account.data.minutes.limit], ['ENTERPRISE', null]);
  assert.equal((await fetch(`${first.address}/healthz`)).status, 200);
  const ready = await fetch(`${first.address}/readyz`);
  assert.equal(ready.status, 503, 'there is no engine');
  assert.ok(ready.headers.get('retry-after'));
  assert.match(await (await fetch(`${first.address}/`)).text(), /href="docs\/"/);
  assert.equal(await first.stop(), 0);
  for (const line of first.output().trim().split('\n')) {
    if (!line.startsWith('first admin')) assert.ok(JSON.parse(line), line);
  }

  const second = await startProcess(dataDir);
  assert.doesNotMatch(second.output(), /password/);
  assert.equal(await second.stop(), 0);

  const db = openDatabase(join(dataDir, 'voice.db'), { readonly: true });
  const number = await db
    .selectFrom('phoneNumbers')
    .innerJoin('campaigns', 'campaigns.id', 'phoneNumbers.campaignId')
    .innerJoin('agents', 'agents.id', 'campaigns.agentId')
    .innerJoin('businesses', 'businesses.id', 'campaigns.businessId')
    .select(['sipAlias', 'campaigns.status', 'businesses.hours', 'agents.voiceId', 'phoneNumbers.isActive'])
    .execute();
  await db.destroy();
  assert.equal(number.length, 1);
  assert.deepEqual([number[0]?.sipAlias, number[0]?.status, number[0]?.isActive], ['demo', 'RUNNING', 1]);
  assert.equal(JSON.parse(number[0]?.hours ?? '[]').length, 6);
});

test('a first start whose port is taken makes no ADMIN: the next one prints the password', async () => {
  const dataDir = temporaryFolder('voice-main');
  const other = createServer();
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const { port } = other.address() as AddressInfo;
  await assert.rejects(startProcess(dataDir, { API_PORT: String(port), API_HOST: '127.0.0.1' }), (error: Error) => {
    assert.match(error.message, /^exit 2/);
    assert.doesNotMatch(error.message, /password/);
    return true;
  });
  other.close();
  const next = await startProcess(dataDir);
  assert.match(next.output(), /^first admin \S+ password \S+$/m);
  assert.equal(await next.stop(), 0);
});

test('two first starts at once make one ADMIN and one demo', async () => {
  const dataDir = temporaryFolder('voice-main');
  const both = await Promise.all([startProcess(dataDir), startProcess(dataDir)]);
  const printed = both.filter(({ output }) => /first admin/.test(output()));
  assert.equal(printed.length, 1);
  assert.deepEqual(await Promise.all(both.map((one) => one.stop())), [0, 0]);
  const db = openDatabase(join(dataDir, 'voice.db'), { readonly: true });
  for (const table of ['users', 'accounts', 'agents', 'businesses', 'campaigns', 'phoneNumbers'] as const) {
    assert.equal((await db.selectFrom(table).select('id').execute()).length, 1, table);
  }
  await db.destroy();
});

test('a given ADMIN is not printed, mails go to the outbox, and DEMO=0 makes no demo', async () => {
  const dataDir = temporaryFolder('voice-main');
  const api = await startProcess(dataDir, {
    ADMIN_EMAIL: 'Boss@Example.com',
    ADMIN_PASSWORD: 'a password of my own',
    DEMO: '0',
  });
  assert.doesNotMatch(api.output(), /password/);
  const session = await post(api.address, '/auth/login', {
    email: 'boss@example.com',
    password: 'a password of my own',
  });
  assert.equal(session.status, 200);
  const registered = await post(api.address, '/auth/register', {
    email: 'new@example.com',
    password: 'a password of my own',
  });
  assert.equal(registered.status, 201);
  const [file = ''] = readdirSync(join(dataDir, 'outbox'));
  const mail = readFileSync(join(dataDir, 'outbox', file), 'utf8');
  assert.match(file, /\.eml$/);
  assert.match(mail, /^To: new@example\.com\r$/m);
  const token = /verify-email\?token=([\w-]+)/.exec(mail.replaceAll('=\r\n', '').replaceAll('=3D', '='))?.[1];
  assert.ok(mail.replaceAll('=\r\n', '').includes(`${api.address}/verify-email`));
  assert.equal((await post(api.address, '/auth/verify-email', { token })).status, 200);
  assert.equal(await api.stop(), 0);
  const db = openDatabase(join(dataDir, 'voice.db'), { readonly: true });
  assert.equal((await db.selectFrom('phoneNumbers').select('id').execute()).length, 0);
  await db.destroy();
});

test('a wrong environment is one line that names the variable, and exit 2', async () => {
  for (const [environment, variable] of [
    [{ JWT_SECRET: 'short' }, 'JWT_SECRET'],
    [{ API_PORT: 'http' }, 'API_PORT'],
    [{ BILLING: 'stripe' }, 'STRIPE_SECRET_KEY'],
    [{ APP_ENV: 'production', WEBHOOK_ALLOW_PRIVATE: '1' }, 'WEBHOOK_ALLOW_PRIVATE'],
    [{ SMTP_URL: 'mail.example.com' }, 'SMTP_URL'],
  ] as const) {
    const child = spawn(process.execPath, ['--no-warnings', 'api/main.ts'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env.PATH, DATA_DIR: temporaryFolder('voice-main'), ...environment },
    });
    let text = '';
    child.stderr.on('data', (chunk) => {
      text += String(chunk);
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    assert.equal(code, 2, variable);
    assert.match(text, new RegExp(`^${variable}: .*\\n$`));
  }
});
