// Work that waits for tenants' servers: the accounts in turn, so much at once of each and in all.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairLanes } from '../../../api/threads/fair-lanes.ts';
import { comesToRest } from '../../../bench/rig/eventually.ts';

/** Wishes `a1`, `a2` … of account `a`; each is under way until it is ended. */
function stage(options: { total: number; perAccount: number }) {
  const lanes = new FairLanes(options);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const offer = (...keys: string[]) =>
    lanes.offer(
      keys.map((key) => ({ key, accountId: key[0] ?? '' })),
      ({ key }) => {
        begun.push(key);
        return new Promise((resolve) => ends.set(key, resolve));
      },
    );
  const end = async (key: string) => {
    ends.get(key)?.();
    await comesToRest();
  };
  return { lanes, begun, offer, end };
}

test('no account has more than its share, and no more is under way than there are places', async () => {
  const { begun, offer, end } = stage({ total: 3, perAccount: 2 });
  offer('a1', 'a2', 'a3', 'b1', 'b2');
  assert.deepEqual(begun, ['a1', 'b1', 'a2']);
  await end('a1');
  assert.deepEqual(begun.slice(3), ['b2'], 'of whom the fewest are under way');
  await end('a2');
  assert.deepEqual(begun.slice(4), ['a3']);
});

test('the account that has had no turn for longest is next', async () => {
  const { begun, offer, end } = stage({ total: 1, perAccount: 1 });
  offer('a1', 'a2', 'a3', 'b1', 'c1');
  for (const key of ['a1', 'b1', 'c1', 'a2']) await end(key);
  assert.deepEqual(begun, ['a1', 'b1', 'c1', 'a2', 'a3']);
});

test('one that is under way is not begun again, and a new offer takes the place of what waited', async () => {
  const { lanes, begun, offer, end } = stage({ total: 1, perAccount: 1 });
  offer('a1', 'b1');
  offer('a1', 'c1');
  await end('a1');
  await end('c1');
  assert.deepEqual(begun, ['a1', 'c1', 'a1']);
  await end('a1');
  await lanes.settled();
});

test('who stops begins nothing more, and waits for what is under way', async () => {
  const { lanes, begun, offer, end } = stage({ total: 1, perAccount: 1 });
  offer('a1', 'b1');
  let isStopped = false;
  const stopping = lanes.stop().then(() => {
    isStopped = true;
  });
  await comesToRest();
  assert.equal(isStopped, false);
  await end('a1');
  await stopping;
  assert.deepEqual(begun, ['a1']);
});
