// The engine learns which of its calls somebody watches, over a real database.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import { endUndialledCall } from '../../../db/queries/calls/life.ts';
import {
  pruneViews,
  watchCall,
  watchedCalls,
  wordsOf,
  writeWords,
} from '../../../db/queries/calls/running/live-views.ts';
import { LiveViews } from '../../../engine/switchboard/live-views.ts';
import { seedCall } from '../../support/api/resources.ts';
import { useFreshApi } from '../../support/api/use-api.ts';

const api = useFreshApi();
let clock: VirtualClock;
let own: Set<string>;
let sent: Array<[string, number]>;
let views: LiveViews;

beforeEach(async () => {
  clock = new VirtualClock(1_000_000);
  own = new Set();
  sent = [];
  views = new LiveViews({
    read: api.context.read,
    clock,
    has: (callId) => own.has(callId),
    send: ({ callId, forMs }) => sent.push([callId, forMs]),
  });
});

async function running(): Promise<string> {
  const { id } = await seedCall(api, api.tenant, { endedAt: null, status: 'IN_PROGRESS' });
  own.add(id);
  return id;
}

const watch = (callId: string, forMs: number, accountId = api.tenant.accountId) =>
  watchCall(api.context.db, accountId, callId, clock.nowMs() + forMs);
const hello = [{ speaker: 'agent', text: 'hello', timestamp: 10 }] as const;
const tell = (callId: string, accountId = api.tenant.accountId) =>
  writeWords(api.context.db, { accountId, callId, words: hello });

test('the shard of a watched call is told once, and again when the watch is renewed', async () => {
  const [watched, other] = [await running(), await running()];
  own.delete(other);
  await watch(watched, 25_000);
  await watch(other, 25_000);
  await views.refresh();
  await views.refresh();
  assert.deepEqual(sent, [[watched, 25_000]]);
  clock.advance(10_000);
  await watch(watched, 25_000);
  await views.refresh();
  assert.deepEqual(sent.at(-1), [watched, 25_000]);
  clock.advance(25_000);
  await views.refresh();
  assert.equal(sent.length, 2);
});

test('words are kept of watched calls only, each time as a new version', async () => {
  const [watched, other] = [await running(), await running()];
  await watch(watched, 25_000);
  await tell(other);
  assert.deepEqual(await wordsOf(api.context.read, [watched, other]), []);
  await tell(watched);
  await tell(watched);
  assert.deepEqual(await wordsOf(api.context.read, [watched, other]), [{ callId: watched, version: 2, words: hello }]);
});

test('neither a foreign account nor a call that has ended can be watched or told', async () => {
  const callId = await running();
  await watch(callId, 25_000, api.other.accountId);
  assert.deepEqual(await watchedCalls(api.context.read, clock.nowMs()), []);
  await watch(callId, 25_000);
  await tell(callId, api.other.accountId);
  assert.deepEqual(await wordsOf(api.context.read, [callId]), []);
  const { id: ended } = await seedCall(api, api.tenant, {});
  await watch(ended, 25_000);
  assert.equal((await watchedCalls(api.context.read, clock.nowMs())).length, 1);
});

test('what was said goes with the end of the call, or a minute after the last view of it', async () => {
  const [ending, going] = [await running(), await running()];
  for (const callId of [ending, going]) {
    await watch(callId, 25_000);
    await tell(callId);
  }
  await endUndialledCall(api.context.db, { callId: ending, endReason: 'network', nowMs: clock.nowMs() });
  assert.deepEqual(
    (await wordsOf(api.context.read, [ending, going])).map(({ callId }) => callId),
    [going],
  );
  clock.advance(60_000);
  await pruneViews(api.context.db, { nowMs: clock.nowMs() });
  assert.equal((await wordsOf(api.context.read, [going])).length, 1);
  clock.advance(26_000);
  await pruneViews(api.context.db, { nowMs: clock.nowMs() });
  assert.deepEqual(await wordsOf(api.context.read, [going]), []);
});
