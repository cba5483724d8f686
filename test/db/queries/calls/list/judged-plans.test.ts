// How SQLite answers lists by what was found of calls: a range of scores and an order by score by indexes of analysed
// calls alone, values by their own index, and nothing is sorted but what is rare.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { freshDatabase } from '../../../../../bench/rig/database/fresh-database.ts';
import { temporaryFolder } from '../../../../../bench/rig/temporary-folder.ts';
import { openDatabase } from '../../../../../db/database.ts';
import type { CallFilter } from '../../../../../db/queries/calls/list/counts.ts';
import { type CallOrder, pageStatement } from '../../../../../db/queries/calls/list/judged-pages.ts';
import type { Db } from '../../../../../db/schema.ts';
import { queryPlans } from '../../../../support/api/query-plan.ts';

const plan = queryPlans();
let db: Db;
before(() => {
  const path = join(temporaryFolder('voice-judged-plans'), 'voice.db');
  freshDatabase(path);
  db = openDatabase(path, { readonly: true });
});
after(() => db.destroy());

/** `rare`: -1 where every value is one that many calls have. */
async function planOf(filter: CallFilter, order: CallOrder, rare = -1): Promise<string> {
  return plan((await pageStatement(db, 'acc_1', filter, { order, rare })).text);
}

const SORTS = /TEMP B-TREE/;
const DATES = { fromMs: 1, toMs: 2 };

test('a range of scores is read in the order of time, from an index alone', async () => {
  for (const dates of [{}, DATES]) {
    for (const more of [{}, { campaignId: 'cmp_1' }, { businessId: 'biz_1', agentId: 'agt_1' }]) {
      const told = await planOf({ minScore: 0.2, maxScore: 0.8, ...dates, ...more }, '-startedAt');
      assert.match(told, /USING COVERING INDEX calls_judged \(account_id=\?/, JSON.stringify(more));
      assert.doesNotMatch(told, SORTS);
    }
  }
});

test('by score, best or worst first, no call is sorted', async () => {
  for (const order of ['score', '-score'] as const) {
    for (const filter of [{}, { minScore: 0.5 }, { maxScore: 0.5, ...DATES }, { campaignId: 'cmp_1' }]) {
      const told = await planOf(filter, order);
      assert.match(told, /USING COVERING INDEX calls_score \(account_id=\?/, JSON.stringify(filter));
      assert.doesNotMatch(told, SORTS);
    }
    assert.doesNotMatch(await planOf({ outputs: { topic: 'a' }, disposition: 'b' }, order), SORTS);
  }
});

test('a disposition, a number and a value of an output have indexes in the order of time', async () => {
  for (const dates of [{}, DATES]) {
    const disposition = await planOf({ disposition: 'met', ...dates }, '-startedAt');
    assert.match(disposition, /USING (COVERING )?INDEX calls_disposition \(account_id=\? AND disposition=\?/);
    assert.doesNotMatch(disposition, SORTS);
    const number = await planOf({ number: '+14155550101', ...dates }, '-startedAt');
    assert.match(number, /USING (COVERING )?INDEX calls_party \(account_id=\? AND <expr>=\?/);
    assert.doesNotMatch(number, SORTS);
    const output = await planOf({ outputs: { topic: 'a' }, status: 'COMPLETED', ...dates }, '-startedAt', 0);
    assert.doesNotMatch(output, SORTS);
    const alone = await planOf({ outputs: { topic: 'a' }, ...dates }, '-startedAt');
    assert.match(alone, /SEARCH o USING PRIMARY KEY \(account_id=\? AND name=\? AND value=\?/);
    assert.doesNotMatch(alone, SORTS);
  }
});

test('a value that few calls have leads, and they are sorted by score', async () => {
  const told = await planOf({ campaignId: 'cmp_1', minScore: 0.5 }, '-score', 20_000);
  assert.match(told, /USING INDEX calls_campaign \(account_id=\? AND campaign_id=\?\)/);
  assert.match(told, SORTS);
});

test('the next call to be read again is found by indexes', () => {
  const next = plan(
    'select call_id from rerun_calls where rerun_id = ? and error is null order by call_id desc limit 1',
  );
  assert.match(next, /USING (COVERING )?INDEX rerun_calls_waiting \(rerun_id=\?\)/);
  assert.doesNotMatch(next, SORTS);
  const open = plan('select id from reruns where account_id = ? and ended_at is null order by touched_at limit 20');
  assert.match(open, /USING INDEX reruns_/);
});
