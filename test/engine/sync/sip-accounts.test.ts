// Two engines on one table of registrations: each knows what the other has written, and undoes nothing of it.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { pino } from 'pino';
import { freshDatabase } from '../../../bench/rig/database/fresh-database.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { openDatabase } from '../../../db/database.ts';
import type { Db } from '../../../db/schema.ts';
import { type OperationName, operations } from '../../../db/writing/operations.ts';
import type { SipBinding } from '../../../engine/sip/telephony.ts';
import { SipAccountSync } from '../../../engine/sync/sip-accounts.ts';

const NOW = 1_000_000;

let db: Db;
beforeEach(() => {
  const path = join(temporaryFolder('voice-bindings-'), 'voice.db');
  freshDatabase(path);
  db = openDatabase(path, { synchronous: 'NORMAL' });
});
afterEach(() => db.destroy());

const binding = (changes: Partial<SipBinding> = {}): SipBinding => ({
  sipAccountId: 'sip_ann',
  contact: 'sip:ann@192.168.1.20:5060',
  transport: 'udp',
  address: '192.0.2.7',
  port: 40_000,
  userAgent: null,
  sipCallId: 'register',
  cseq: 1,
  hash: 'MD5',
  path: '<sip:10.0.0.5;lr>',
  registeredAtMs: NOW,
  expiresAtMs: NOW + 600_000,
  ...changes,
});

function engine() {
  let report: (id: string, binding: SipBinding | null, ended: SipBinding | null) => void = () => {};
  const followed: Array<{ bindings: SipBinding[]; except: string[] }> = [];
  let isAway = false;
  let whileReading = () => {};
  let nowMs = NOW;
  const run = async (name: OperationName, args: never) => {
    if (isAway) throw new Error('the database is away');
    return (operations[name] as (db: Db, args: never) => Promise<unknown>)(db, args);
  };
  const sync = new SipAccountSync({
    read: db,
    writer: { run: run as never },
    registrar: {
      setSipAccounts() {},
      restoreBindings() {},
      followBindings: (bindings, except) => followed.push({ bindings: [...bindings], except: [...except] }),
      onBinding: (listener) => {
        report = listener;
      },
    },
    secretKey: randomBytes(32),
    now: () => {
      whileReading();
      return nowMs;
    },
    log: pino({ level: 'silent' }),
  });
  return {
    sync,
    followed,
    report: async (one: SipBinding | null, ended: SipBinding | null = null) => {
      report('sip_ann', one, ended);
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
    },
    away: (is: boolean) => {
      isAway = is;
    },
    pass: (ms: number) => {
      nowMs += ms;
    },
    whileReading: (change: () => void) => {
      whileReading = change;
    },
  };
}

const table = async () =>
  (await db.selectFrom('sipBindings').select(['sipCallId', 'cseq', 'path']).execute()) as object[];

test('an engine follows what another has written, once', async () => {
  const [one, other] = [engine(), engine()];
  await one.report(binding());
  await other.sync.follow();
  await other.sync.follow();
  assert.deepEqual(other.followed, [{ bindings: [binding()], except: [] }]);
  await one.report(binding({ cseq: 2, expiresAtMs: NOW + 700_000 }));
  await other.sync.follow();
  assert.equal(other.followed.at(-1)?.bindings[0]?.cseq, 2);
  await one.report(null, binding({ cseq: 2 }));
  await other.sync.follow();
  assert.deepEqual(other.followed.at(-1), { bindings: [], except: [] });
});

test('an end at one engine does not delete what another took since, nor does an older REGISTER replace it', async () => {
  const [one, other] = [engine(), engine()];
  await one.report(binding());
  await other.report(binding({ cseq: 3 }));
  await one.report(binding({ cseq: 2 }));
  await one.report(null, binding({ cseq: 2 }));
  assert.deepEqual(await table(), [{ sipCallId: 'register', cseq: 3, path: '<sip:10.0.0.5;lr>' }]);
  await one.report(binding({ sipCallId: 'restarted', cseq: 1 }));
  assert.deepEqual(await table(), [{ sipCallId: 'restarted', cseq: 1, path: '<sip:10.0.0.5;lr>' }]);
});

test('what changed here while the table was read stays as it is here, and the table is read again', async () => {
  const { sync, followed, report, whileReading } = engine();
  whileReading(() => void report(binding({ cseq: 5 })));
  await sync.follow();
  whileReading(() => {});
  assert.deepEqual(followed.at(-1)?.except, ['sip_ann']);
  await new Promise((resolve) => setImmediate(resolve));
  await sync.follow();
  assert.deepEqual(followed.at(-1), { bindings: [binding({ cseq: 5 })], except: [] });
});

test('a registration that could not be written stays, and is written later', async () => {
  const { sync, followed, report, away } = engine();
  away(true);
  await report(binding());
  await sync.follow();
  assert.deepEqual(followed.at(-1), { bindings: [], except: ['sip_ann'] });
  away(false);
  await new Promise((resolve) => setImmediate(resolve));
  await sync.follow();
  await sync.follow();
  assert.deepEqual(followed.at(-1), { bindings: [binding()], except: [] });
  assert.equal((await table()).length, 1);
});

test('a large table is not read all the time, and no change is missed', async () => {
  const [one, other] = [engine(), engine()];
  for (let i = 0; i < 100; i++) {
    const { registeredAtMs: registeredAt, expiresAtMs: expiresAt, ...row } = binding({ sipAccountId: `sip_${i}` });
    await operations.writeSipBinding(db, { ...row, registeredAt, expiresAt });
  }
  await other.sync.follow();
  await one.report(binding());
  other.pass(9);
  await other.sync.follow();
  assert.equal(other.followed.length, 1);
  other.pass(1);
  await other.sync.follow();
  assert.equal(other.followed.at(-1)?.bindings.length, 101);
});
