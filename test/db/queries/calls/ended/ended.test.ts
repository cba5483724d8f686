// Of calls that others dial, those that have ended.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { freshDatabase } from '../../../../../bench/rig/database/fresh-database.ts';
import { openDatabase } from '../../../../../db/database.ts';
import { endedCalls } from '../../../../../db/queries/calls/ended/ended.ts';
import { openRaw } from '../../../../../db/sqlite/open.ts';

const INSERT = `insert into calls (id, account_id, business_id, campaign_id, agent_id, direction, medium, from_number,
  to_number, status, started_at, answered_at, ended_at, end_reason, duration_seconds, tags, transcript, created_at)
  values (?, 'acc_1', 'biz', 'cmp', 'agt', 'outbound', 'sip', '+1', '+1', 'COMPLETED', 1, ?, ?, ?, 0, '[]', '[]', 1)`;

test('of some calls those that have ended are told, and no others', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'voice-ended-'));
  const path = join(directory, 'voice.db');
  freshDatabase(path);
  const raw = openRaw(path);
  const insert = raw.prepare(INSERT);
  insert.run('call_open', 2, null, null);
  insert.run('call_ended', 2, 3, 'caller_hangup');
  insert.run('call_busy', null, 3, 'busy');
  insert.run('call_other', 2, 3, 'caller_hangup');
  raw.close();
  const db = openDatabase(path, { readonly: true });
  t.after(async () => {
    await db.destroy();
    rmSync(directory, { recursive: true });
  });
  const ended = await endedCalls(db, ['call_open', 'call_ended', 'call_busy']);
  assert.deepEqual(
    ended.sort((a, b) => (a.id < b.id ? -1 : 1)),
    [
      { id: 'call_busy', endReason: 'busy', answeredAt: null },
      { id: 'call_ended', endReason: 'caller_hangup', answeredAt: 2 },
    ],
  );
  assert.deepEqual(await endedCalls(db, []), []);
});
