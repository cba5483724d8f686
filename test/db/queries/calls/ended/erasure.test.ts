// The bytes of the database file: after an erasure they hold nothing of the call, wherever SQLite had moved its row
// before.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { freshDatabase } from '../../../../../bench/rig/database/fresh-database.ts';
import { openDatabase } from '../../../../../db/database.ts';
import { eraseCalls } from '../../../../../db/queries/calls/ended/erasure.ts';
import { openRaw } from '../../../../../db/sqlite/open.ts';
import { truncateLog } from '../../../../../db/upkeep.ts';
import { seededRandom } from '../../../../../engine/test-runs/caller/seeded-random.ts';
import { leftovers } from '../../../../support/leftovers.ts';

const CALLS = 900;
const idOf = (n: number) => `call_${String(n).padStart(22, '0')}`;
const wordsOf = (n: number) => [`Name${n}X`, `words${n}Y`];

/** Rows begin small and grow in another order, twenty at once: pages are split, and rows go from one to the next. */
function fill(path: string): void {
  const raw = openRaw(path);
  raw.pragma('synchronous = OFF');
  const random = seededRandom(5);
  const begin = raw.prepare(
    `insert into calls (id, account_id, business_id, campaign_id, agent_id, direction, medium, from_number, to_number,
       caller_name, status, started_at, duration_seconds, tags, transcript, created_at)
     values (?, 'acc', 'biz', 'cmp', 'agt', 'inbound', 'sip', '+14155552671', '+14155550123', ?, 'RINGING', ?, 0, '[]', '[]', 0)`,
  );
  const end = raw.prepare(`update calls set status = 'COMPLETED', ended_at = 1, transcript = ? where id = ?`);
  const open: number[] = [];
  raw.exec('begin');
  for (let n = 0; n < CALLS + 20; n++) {
    if (n < CALLS) {
      begin.run(idOf(n), wordsOf(n)[0], n);
      open.push(n);
    }
    if (open.length <= 20 && n < CALLS) continue;
    const [ended = 0] = open.splice(Math.floor(random() * open.length), 1);
    const lines = Array.from({ length: 2 + Math.floor(random() * 30) }, () => `${wordsOf(ended)[1]} ${'x'.repeat(80)}`);
    end.run(JSON.stringify(lines), idOf(ended));
  }
  raw.exec('commit');
  raw.close();
}

test('no page keeps bytes of an erased call, however its row was moved about', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'voice-erasure-'));
  const path = join(directory, 'voice.db');
  freshDatabase(path);
  fill(path);
  const db = openDatabase(path, { synchronous: 'NORMAL' });
  try {
    const all = Array.from({ length: CALLS }, (_, n) => n);
    const single = all.filter((n) => n % 45 === 7);
    const range = all.slice(400, 700).filter((n) => !single.includes(n));
    for (const n of single) {
      await db.transaction().execute((trx) => eraseCalls(trx, 'acc', { callIds: [idOf(n)], nowMs: 2 }));
    }
    for (let from = 0; from < range.length; from += 20) {
      const callIds = range.slice(from, from + 20).map(idOf);
      await db.transaction().execute((trx) => eraseCalls(trx, 'acc', { callIds, nowMs: 2 }));
    }
    assert.equal(await truncateLog(db), true);
    assert.deepEqual(leftovers(directory, [...single, ...range].flatMap(wordsOf)), []);
    const { total } = await db
      .selectFrom('calls')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where('callerName', 'is not', null)
      .executeTakeFirstOrThrow();
    assert.equal(total, CALLS - single.length - range.length, 'the others are whole');
  } finally {
    await db.destroy();
    rmSync(directory, { recursive: true, force: true });
  }
});
