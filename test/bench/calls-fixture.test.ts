import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { callsFixture } from '../../bench/api/calls-fixture.ts';
import { temporaryFolder } from '../../bench/rig/temporary-folder.ts';
import { openRaw } from '../../db/sqlite/open.ts';

test("the database of the API's bench is built on today's schema", () => {
  const parent = temporaryFolder('fixture');
  const raw = openRaw(join(callsFixture(400, parent), 'voice.db'), { readonly: true });
  assert.equal(raw.prepare('select count(*) from calls').pluck().get(), 400);
  assert.equal(raw.prepare(`select total from call_counts where filter = 'all' and day = ''`).pluck().get(), 400);
  raw.close();
});
