// Searches at carriers are bounded, for one account and for all.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SearchTurns } from '../../../api/carriers/search-turns.ts';

const taken = (turns: SearchTurns, account: string, count: number, nowMs: number): number =>
  Array.from({ length: count }, () => turns.take(account, nowMs)).filter((isTaken) => isTaken).length;

test('an account has twelve a minute, all have sixty, and a minute later they have them again', () => {
  const turns = new SearchTurns();
  assert.equal(taken(turns, 'a', 20, 0), 12);
  const others = ['b', 'c', 'd', 'e', 'f'].map((account) => taken(turns, account, 20, 1_000));
  assert.deepEqual(others, [12, 12, 12, 12, 0]);
  assert.equal(taken(turns, 'a', 20, 59_999), 0);
  assert.equal(taken(turns, 'a', 20, 60_000), 12);
  // A clock that was set back does not close it for longer.
  assert.equal(taken(turns, 'f', 20, -600_000), 12);
});
