// Kept totals and the beginning of pages against plain counting, over enough calls that pages begin at days.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { freshDatabase } from '../../../../../bench/rig/database/fresh-database.ts';
import { openDatabase } from '../../../../../db/database.ts';
import { DAY_MS } from '../../../../../db/domain/hours/durations.ts';
import { type CallFilter, countKept } from '../../../../../db/queries/calls/list/counts.ts';
import { findPage, KnownDays, SKIP_CHEAPLY } from '../../../../../db/queries/calls/list/page-starts.ts';
import { countCalls, pageOfCalls } from '../../../../../db/queries/calls/list/pages.ts';
import type { Db } from '../../../../../db/schema.ts';
import { openRaw } from '../../../../../db/sqlite/open.ts';

const FIRST = Date.UTC(2026, 0, 1);
const CALLS = 6_000;
const ACCOUNT = 'acc_1';

/** Id, status, start, end, creation. */
const INSERT = `insert into calls (id, account_id, business_id, campaign_id, agent_id, direction, medium, from_number,
  to_number, status, started_at, ended_at, duration_seconds, tags, transcript, created_at)
  values (?, '${ACCOUNT}', 'biz', 'cmp', 'agt', 'inbound', 'sip', '+1', '+1', ?, ?, ?, 0, '[]', '[]', ?)`;

interface Seeded {
  id: string;
  startedAt: number;
  status: string;
}

let directory: string;
let path: string;
let db: Db;
const calls: Seeded[] = [];

before(() => {
  directory = mkdtempSync(join(tmpdir(), 'voice-counts-'));
  path = join(directory, 'voice.db');
  freshDatabase(path);
  const raw = openRaw(path);
  const insert = raw.prepare(INSERT);
  raw.exec('begin');
  for (let i = 0; i < CALLS; i++) {
    // A hundred days of some 60 calls, one of 300, others of none; several calls of one ms.
    const day = (i * 7919) % 23 === 0 ? 3 : (i * i) % 199;
    const startedAt = FIRST + day * DAY_MS + ((i * 104_729) % 4_000) * 21_600;
    const status = i % 3 === 0 ? 'FAILED' : 'COMPLETED';
    const id = `call_${String((i * 2_654_435_761) % 2 ** 32).padStart(10, '0')}_${i}`;
    insert.run(id, status, startedAt, startedAt + 1, startedAt);
    calls.push({ id, startedAt, status });
  }
  raw.exec('commit');
  raw.close();
  calls.sort((a, b) => b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1));
  db = openDatabase(path, { readonly: true });
});
after(async () => {
  await db.destroy();
  rmSync(directory, { recursive: true, force: true });
});

const matching = ({ status, fromMs = 0, toMs = Number.MAX_SAFE_INTEGER }: CallFilter) =>
  calls.filter(
    (call) => (status === undefined || call.status === status) && call.startedAt >= fromMs && call.startedAt <= toMs,
  );

const FILTERS: CallFilter[] = [
  {},
  { status: 'FAILED' },
  { fromMs: FIRST + 2 * DAY_MS, toMs: FIRST + 12 * DAY_MS - 1 },
  { fromMs: FIRST + 2.3 * DAY_MS, toMs: FIRST + 12.7 * DAY_MS },
  { status: 'COMPLETED', fromMs: FIRST + 0.9 * DAY_MS, toMs: FIRST + 15.1 * DAY_MS },
  { status: 'COMPLETED', fromMs: FIRST + 3.25 * DAY_MS },
  { toMs: FIRST + 14.5 * DAY_MS },
  { fromMs: FIRST + 0.3 * DAY_MS, toMs: FIRST + 195.6 * DAY_MS },
  { status: 'COMPLETED', fromMs: FIRST + 20.2 * DAY_MS },
  { fromMs: FIRST + 4.1 * DAY_MS, toMs: FIRST + 4.9 * DAY_MS },
];

test('kept totals equal counted ones', async () => {
  for (const filter of FILTERS) {
    const total = matching(filter).length;
    assert.equal((await countKept(db, ACCOUNT, filter)).total, total, JSON.stringify(filter));
    assert.equal(await countCalls(db, ACCOUNT, filter), total, JSON.stringify(filter));
  }
});

test('a page begun at a day, or read from the older end, is the slice it should be', async () => {
  const orders = new Set<string>();
  for (const filter of FILTERS) {
    const wanted = matching(filter);
    for (const limit of [1, 20, 100]) {
      for (let offset = 0; offset < wanted.length; offset += 89) {
        const records = await pageOfCalls(db, ACCOUNT, filter, { limit, offset, total: wanted.length });
        const rows: Array<{ id: string }> = JSON.parse(`[${records}]`);
        assert.deepEqual(
          rows.map(({ id }) => id),
          wanted.slice(offset, offset + limit).map(({ id }) => id),
          `${JSON.stringify(filter)} offset ${offset} limit ${limit}`,
        );
        orders.add((await findPage(db, ACCOUNT, filter, { total: wanted.length, offset, limit }))?.order ?? 'none');
      }
    }
  }
  assert.deepEqual([...orders].sort(), ['asc', 'desc']);
});

test('no page skips more rows than its own day has', async () => {
  const perDay = new Map<number, number>();
  for (const { startedAt } of calls) {
    const day = Math.floor(startedAt / DAY_MS);
    perDay.set(day, (perDay.get(day) ?? 0) + 1);
  }
  const largest = Math.max(...perDay.values());
  for (let offset = 0; offset < CALLS; offset += 61) {
    const start = await findPage(db, ACCOUNT, {}, { total: CALLS, offset, limit: 20 });
    const isNearAnEnd = Math.min(offset, CALLS - offset - 20) <= SKIP_CHEAPLY;
    const skipMax = isNearAnEnd ? SKIP_CHEAPLY : largest;
    assert.ok(start !== null && start.offset <= skipMax, `offset ${offset} skips ${start?.offset}`);
  }
  assert.equal(await findPage(db, ACCOUNT, {}, { total: CALLS, offset: CALLS, limit: 20 }), null);
});

test('days that are known are those that would be read, whatever changes in between', async () => {
  const writer = openRaw(path);
  const known = new KnownDays();
  const [oldest, middle] = [calls.at(-1), calls[3_000]];
  assert.ok(oldest && middle);
  const steps: Array<[string, string, ...Array<string | number>]> = [
    ['as it was', 'update calls set status = status'],
    ['a new call', INSERT, 'call_new', 'FAILED', middle.startedAt, middle.startedAt, middle.startedAt],
    ['another status', `update calls set status = 'VOICEMAIL' where id = ?`, oldest.id],
    ['another day', 'update calls set started_at = started_at + ? where id = ?', 5 * DAY_MS, middle.id],
    ['a call less', 'delete from calls where id = ?', middle.id],
  ];
  try {
    for (const [what, statement, ...values] of steps) {
      writer.prepare(statement).run(...values);
      for (const filter of FILTERS) {
        const { total, changes } = await countKept(db, ACCOUNT, filter);
        for (let offset = 0; offset < total; offset += 501) {
          const place = { total, offset, limit: 20 };
          const reader = known.reader(db, ACCOUNT, filter, changes);
          assert.deepEqual(
            await findPage(db, ACCOUNT, filter, place, reader),
            await findPage(db, ACCOUNT, filter, place),
            `${what}: ${JSON.stringify({ filter, offset })}`,
          );
        }
      }
    }
  } finally {
    writer.close();
  }
});
