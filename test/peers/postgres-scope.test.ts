// Work that runs side by side on PostgreSQL, and work that must not: transactions by what they name, the fan-out beside
// writers, and the writer's operations by their call.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { newAccountRow } from '../../api/auth/registration.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../../bench/rig/database/postgres-server.ts';
import { eventually } from '../../bench/rig/eventually.ts';
import { temporaryFolder } from '../../bench/rig/temporary-folder.ts';
import { isPassingFault } from '../../db/faults/faults.ts';
import { addEvent } from '../../db/outbox.ts';
import { migratePostgres } from '../../db/postgres/migrate.ts';
import { openPostgres } from '../../db/postgres/open.ts';
import { fanOut, settledEvents } from '../../db/queries/webhooks/events.ts';
import { insertWebhook } from '../../db/queries/webhooks/webhooks.ts';
import type { Db } from '../../db/schema.ts';
import { type Scope, transact } from '../../db/scope.ts';
import { compiledStatement } from '../../db/statements/compiled-statement.ts';
import { startWriter } from '../../db/writing/writer.ts';

const skip = postgresPrograms === null ? 'PostgreSQL is not installed' : false;
const NOW = Date.parse('2026-11-18T12:00:00Z');

let server: PostgresServer;
let db: Db;
let accountId = '';
before(async () => {
  if (skip) return;
  server = await startPostgres({ durable: false });
  await migratePostgres(server.url);
  db = openPostgres(server.url);
  const account = newAccountRow('Tenant', NOW, 'PRO');
  accountId = account.id;
  await db.insertInto('accounts').values(account).execute();
});
after(async () => {
  if (skip) return;
  await db.destroy();
  await server.stop();
});

/** Whether the second can end while the first goes on. */
async function overlap(first: Scope | null, second: Scope | null): Promise<boolean> {
  const begin = (scope: Scope | null, work: () => Promise<void>): Promise<void> =>
    scope === null ? db.transaction().execute(work) : transact(db, scope, work);
  let hasBegun = (): void => undefined;
  let end = (): void => undefined;
  const begun = new Promise<void>((resolve) => (hasBegun = resolve));
  const ended = new Promise<void>((resolve) => (end = resolve));
  const one = begin(first, () => {
    hasBegun();
    return ended;
  });
  await begun;
  let isDone = false;
  const two = begin(second, async () => undefined).then(() => (isDone = true));
  await Promise.race([two, pause(300)]);
  const overlapped = isDone;
  end();
  await Promise.all([one, two]);
  return overlapped;
}

test('a transaction whose machine is gone ends before those that wait for it give up', { skip }, async () => {
  const gone = openPostgres(server.url);
  let hasBegun = (): void => undefined;
  const begun = new Promise<void>((resolve) => (hasBegun = resolve));
  let wake = (): void => undefined;
  const stuck = gone.transaction().execute(() => {
    hasBegun();
    return new Promise<void>((resolve) => (wake = resolve));
  });
  await begun;
  await transact(db, { words: ['a'] }, async () => undefined);
  wake();
  await assert.rejects(stuck, 'and the one that wakes has not written');
  await gone.destroy();
});

test('transactions exclude each other by what they name; one that names nothing is alone', { skip }, async () => {
  assert.equal(await overlap({ calls: ['a'] }, { calls: ['b'] }), true);
  assert.equal(await overlap({ calls: ['a'] }, { calls: ['b', 'a'] }), false);
  assert.equal(await overlap({ accounts: ['a'] }, { calls: ['a'] }), true);
  assert.equal(await overlap({ accounts: ['a', 'b'] }, { accounts: ['b'] }), false);
  assert.equal(await overlap({ words: ['a'] }, {}), true);
  assert.equal(await overlap({ words: ['a'] }, null), false);
  assert.equal(await overlap(null, { words: ['a'] }), false);
  assert.equal(await overlap(null, null), false);
});

test('the work of a scope, and what it starts beside it, has no scope', { skip }, async () => {
  let later: Promise<boolean> = Promise.resolve(false);
  await transact(db, {}, async () => {
    later = pause(1).then(() => overlap(null, {}));
  });
  assert.equal(await later, false);
});

test('events of many writers side by side are queued once each, whatever order they commit in', {
  skip,
  timeout: 120_000,
}, async () => {
  const webhook = await insertWebhook(db, accountId, {
    id: 'wh_1',
    url: 'https://example.com',
    secretDigest: 'digest',
    createdAt: NOW,
    events: ['call.ended'],
  });
  const handles = Array.from({ length: 4 }, () => openPostgres(server.url));
  const written = new Set<string>();
  let writing = true;
  const writers = handles.flatMap((handle, i) =>
    Array.from({ length: 3 }, async (_, j) => {
      for (let n = 0; n < 60; n++) {
        const subjectId = `call_${i}_${j}_${n}`;
        const end = transact(handle, { calls: [subjectId] }, async (tx) => {
          const id = await addEvent(tx, { accountId, type: 'call.ended', subjectId, data: {}, nowMs: NOW });
          // A number that is taken, and not used: as when an event is there already.
          await addEvent(tx, { accountId, type: 'call.ended', subjectId, data: {}, nowMs: NOW });
          await pause(n % 7 === 0 ? 80 : Math.random() * 6);
          if (n % 10 === 9) throw new Error('rolled back');
          written.add(id ?? '');
        });
        await end.catch(() => undefined);
      }
    }),
  );
  const queue = async (): Promise<void> => {
    let position = 0;
    while (writing || (await settledEvents(db, position, 1_000)) !== position) {
      const upTo = await settledEvents(db, position, 1_000);
      if (upTo !== position) ({ position } = await transact(db, {}, (tx) => fanOut(tx, upTo, NOW)));
    }
  };
  const queueing = queue();
  await Promise.all(writers);
  writing = false;
  await queueing;
  const rows = await db
    .selectFrom('webhookQueue')
    .innerJoin('events', 'events.seq', 'webhookQueue.eventSeq')
    .select('events.id')
    .where('webhookId', '=', webhook.id)
    .execute();
  assert.equal(written.size, 4 * 3 * 54);
  assert.deepEqual(rows.map(({ id }) => id).sort(), [...written].sort());
  for (const handle of handles) await handle.destroy();
});

test('of eight calls that want one slot at once, one gets it', { skip }, async () => {
  const writers = ['one', 'two'].map((engineId) =>
    startWriter(server.url, () => undefined, {
      spool: join(temporaryFolder('voice-scope'), 'spool.db'),
      engineId,
    }),
  );
  const booked = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      writers[i % 2]?.runDurably('bookAppointment', {
        accountId,
        businessId: 'biz_1',
        callId: `call_${i}`,
        service: null,
        startsAtMs: NOW,
        endsAtMs: NOW + 1_800_000,
        name: null,
        phone: null,
        notes: null,
        nowMs: NOW,
      }),
    ),
  );
  assert.equal(booked.filter((answer) => answer?.booked).length, 1);
  await Promise.all(writers.map((writer) => writer.close()));
});

test('a call that waits for a lock holds no other call of its engine up', { skip }, async () => {
  const writer = startWriter(server.url, () => undefined, {
    spool: join(temporaryFolder('voice-scope'), 'spool.db'),
    engineId: 'one',
  });
  const dialog = (callId: string) => writer.runDurably('storeDialog', { callId, leg: 'peer', dialog: {}, nowMs: NOW });
  const done: string[] = [];
  let slow: Array<Promise<unknown>> = [];
  await transact(db, { calls: ['slow'] }, async () => {
    slow = [1, 2].map((n) => dialog('slow').then(() => done.push(`slow ${n}`)));
    await dialog('quick').then(() => done.push('quick'));
    await eventually(() => done.length > 0);
  });
  await Promise.all(slow);
  assert.deepEqual(done, ['quick', 'slow 1', 'slow 2']);
  await writer.close();
});

test('statements that a connection keeps outlive a change of the schema', { skip }, async () => {
  const handle = openPostgres(server.url);
  const all = compiledStatement((on, { name }: { name: 'callShare' }) =>
    on.selectFrom('settings').selectAll().where('name', '=', name),
  );
  const ask = () => all(handle, { name: 'callShare' });
  assert.deepEqual(await ask(), []);
  await sql`alter table settings add column added text`.execute(db);
  assert.deepEqual(await ask(), []);
  await sql`alter table settings drop column added`.execute(db);
  // Within a transaction it has to be repeated as a whole.
  await transact(handle, {}, (tx) => all(tx, { name: 'callShare' })).catch((error: unknown) => {
    assert.ok(isPassingFault(error), String(error));
  });
  assert.deepEqual(await transact(handle, {}, (tx) => all(tx, { name: 'callShare' })), []);
  await handle.destroy();
});
