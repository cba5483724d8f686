import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { startApi } from '../../../bench/rig/api/api.ts';
import { eventually } from '../../../bench/rig/eventually.ts';
import { startReceiver, TEST_AUTHORITY, trustTestAuthority } from '../../../bench/rig/service/receiver.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { openRaw } from '../../../db/sqlite/open.ts';
import { emit, startDeliveryTest } from '../../support/api/delivery.ts';

const PROGRAM = fileURLToPath(new URL('../../support/api/dispatcher-process.ts', import.meta.url));

async function startDispatcher(dataDir: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--no-warnings', PROGRAM, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_EXTRA_CA_CERTS: TEST_AUTHORITY },
  });
  await once(child.stdout ?? child, 'data');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

test('killed at any moment, the dispatcher loses no event and keeps each subscription’s order', async (t) => {
  trustTestAuthority();
  const dataDir = temporaryFolder('voice-crash');
  const api = await startApi({ dataDir, environment: { WEBHOOK_ALLOW_PRIVATE: '1' }, nowMs: Date.now() });
  const receiver = await startReceiver();
  const children: ChildProcess[] = [];
  t.after(async () => {
    for (const child of children) if (child.exitCode === null && child.signalCode === null) await kill(child);
    await receiver.close();
    await api.close();
  });
  for (const path of ['/quick', '/slow']) {
    const answer = await api.tenant.ask('POST', '/webhooks', { url: receiver.url(path), events: ['call.ended'] });
    assert.equal(answer.status, 201);
  }
  receiver.behave('/slow', (response) => {
    setTimeout(() => response.writeHead(200).end(), 3);
  });
  const sent: string[] = [];
  for (let round = 0; round < 3; round++) {
    const child = await startDispatcher(dataDir);
    children.push(child);
    sent.push(...(await emit(api, api.tenant.accountId, 40, 'call.ended')));
    // Somewhere within the batch: some are delivered, some in flight, some not yet handed out.
    await receiver.until(() => receiver.at('/slow').length >= sent.length - 40 + round * 7);
    await kill(child);
  }
  children.push(await startDispatcher(dataDir));
  const whole = (path: string) => new Set(receiver.at(path).map(({ id }) => id)).size === sent.length;
  await receiver.until(() => whole('/quick') && whole('/slow'));
  for (const path of ['/quick', '/slow']) {
    const firsts = [...new Set(receiver.at(path).map(({ id }) => id))];
    assert.deepEqual(firsts, sent, `${path}: first attempts in order, none missing`);
  }
  const left = () => api.context.read.selectFrom('webhookQueue').select('eventSeq').execute();
  await eventually(async () => (await left()).length === 0);
  const [check] = openRaw(api.context.config.database).pragma('integrity_check') as Array<Record<string, string>>;
  assert.equal(check?.integrity_check, 'ok');
});

test('while the database is locked results wait, and nothing is lost or sent again afterwards', async (t) => {
  const { api, receiver, subscribe, emit: send, queued, log } = await startDeliveryTest(t);
  await sql`pragma busy_timeout = 20`.execute(api.context.db);
  const id = await subscribe('/locked');
  let release: () => void = () => {};
  receiver.behave('/locked', (response) => {
    release = () => response.writeHead(200).end();
  });
  const [event = ''] = await send(1);
  await receiver.until(() => receiver.at('/locked').length === 1);
  const blocker = openRaw(api.context.config.database);
  blocker.exec('begin immediate');
  release();
  await eventually(() => api.logs.some((line) => line.includes('webhook results cannot be written')));
  assert.equal(await queued(id), 1);
  blocker.exec('rollback');
  blocker.close();
  await eventually(async () => (await queued(id)) === 0);
  assert.equal(receiver.at('/locked').length, 1);
  assert.equal((await log(id))[0]?.eventId, event);
  assert.ok(api.logs.some((line) => line.includes('written again')));
});

test('a full disk delays deliveries and corrupts nothing', async (t) => {
  const { api, receiver, subscribe, emit: send, queued, webhook } = await startDeliveryTest(t);
  const id = await subscribe('/full');
  const sent = await send(30);
  await receiver.until(() => receiver.at('/full').length === 30);
  await eventually(async () => (await queued(id)) === 0);
  // The writing connection may not grow the file any more: SQLITE_FULL, as on a full disk.
  const pages = await sql<{ pageCount: number }>`pragma page_count`.execute(api.context.db);
  const full = pages.rows[0]?.pageCount ?? 1;
  const writer = openRaw(api.context.config.database);
  await sql.raw(`pragma max_page_count = ${full}`).execute(api.context.db);
  const insert = writer.prepare(
    'insert into events (id, account_id, type, subject_id, dedupe, data, created_at) values (?, ?, ?, ?, ?, ?, ?)',
  );
  const big = JSON.stringify({ text: 'x'.repeat(20_000) });
  for (let n = 0; n < 20; n++) {
    insert.run(`evt_full${n}`, api.tenant.accountId, 'call.ended', `call_full${n}`, '', big, api.clock.now);
    sent.push(`evt_full${n}`);
  }
  writer.close();
  await eventually(() => api.logs.some((line) => line.includes('SQLITE_FULL')));
  await sql.raw('pragma max_page_count = 1073741823').execute(api.context.db);
  await receiver.until(() => new Set(receiver.at('/full').map((entry) => entry.id)).size === sent.length);
  await eventually(async () => (await queued(id)) === 0);
  assert.deepEqual([...new Set(receiver.at('/full').map((entry) => entry.id))], sent);
  assert.equal((await webhook(id)).failureCount, 0);
  const check = await sql<{ integrityCheck: string }>`pragma integrity_check`.execute(api.context.db);
  assert.equal(check.rows[0]?.integrityCheck, 'ok');
});
