// How SQLite answers lists of calls: each filter by its own index, also between two dates, and never by sorting.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queryPlans } from '../../../../support/api/query-plan.ts';

const plan = queryPlans();

const INDEXES: Record<string, string> = {
  status: 'calls_status',
  direction: 'calls_direction',
  outcome: 'calls_outcome',
  sentiment: 'calls_sentiment',
  business_id: 'calls_business',
  campaign_id: 'calls_campaign',
  agent_id: 'calls_agent',
  phone_number_id: 'calls_number',
};
const BOUNDS = ['', ' and started_at >= ?', ' and started_at <= ?', ' and started_at >= ? and started_at <= ?'];

test('each filter is served by its own index, with and without dates, in both directions', () => {
  for (const [column, index] of Object.entries(INDEXES)) {
    for (const bounds of BOUNDS) {
      for (const order of ['desc', 'asc']) {
        const told = plan(
          `select id, summary, transcript from calls where account_id = ? and ${column} = ?${bounds}
           order by started_at ${order}, id ${order} limit ? offset ?`,
        );
        assert.match(told, new RegExp(`USING INDEX ${index} \\(account_id=\\? AND ${column}=\\?`), told);
        assert.doesNotMatch(told, /TEMP B-TREE/);
        if (bounds !== '') assert.match(told, /started_at[<>]\?/);
      }
    }
  }
});

test('lists without a filter walk the account’s calls by time', () => {
  for (const bounds of BOUNDS) {
    const told = plan(
      `select id, summary from calls where account_id = ?${bounds} order by started_at desc, id desc limit ? offset ?`,
    );
    assert.match(told, /USING INDEX calls_list/);
    assert.doesNotMatch(told, /TEMP B-TREE/);
  }
});

test('of several filters the first one’s index is used', () => {
  const told = plan(
    `select id, summary from calls where account_id = ? and campaign_id = ? and coalesce(status, '') = ?
       and started_at >= ? and started_at <= ? order by started_at desc, id desc limit ? offset ?`,
  );
  assert.match(
    told,
    /USING INDEX calls_campaign \(account_id=\? AND campaign_id=\? AND started_at>\? AND started_at<\?\)/,
  );
});

test('a cut day is counted from an index alone', () => {
  for (const [column, index] of Object.entries(INDEXES)) {
    const told = plan(
      `select count(*) from calls where account_id = ? and ${column} = ? and started_at >= ? and started_at <= ?`,
    );
    assert.match(told, new RegExp(`USING COVERING INDEX ${index}`), told);
  }
});

test('recordings that wait for the object store are found by an index that has nothing else', () => {
  const waits = `recording_state <> 'stored' and recording_state <> 'lost'`;
  const ready = `ended_at is not null and recording_path is not null and erased_at is null`;
  const queue = plan(
    `select id from calls where ${waits} and recording_state = ? and ${ready} order by started_at limit ?`,
  );
  assert.match(queue, /USING INDEX calls_unstored \(recording_state=\?\)/);
  assert.doesNotMatch(queue, /TEMP B-TREE/);
  assert.match(
    plan(`select count(*), min(ended_at) from calls where ${waits} and ${ready}`),
    /USING INDEX calls_unstored/,
  );
});
