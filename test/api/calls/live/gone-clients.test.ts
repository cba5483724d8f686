// A client that leaves while its live view, or its answer, is being begun: nothing goes on for it.
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { type TestContext, test } from 'node:test';
import { LiveFeed } from '../../../../api/calls/live/live-feed.ts';
import { CallStreams } from '../../../../api/calls/live/stream.ts';
import { whenGone } from '../../../../api/frame/files.ts';
import { eventually } from '../../../../bench/rig/eventually.ts';
import { seedCall } from '../../../support/api/resources.ts';
import { useTenants } from '../../../support/api/use-api.ts';

const api = useTenants();

/** The intervals of this test that still go on: others of the process come and go with the database's connections. */
function watchIntervals({ mock }: TestContext): () => number {
  const begun = mock.method(globalThis, 'setInterval');
  const ended = mock.method(globalThis, 'clearInterval');
  return () =>
    begun.mock.calls.filter(({ result }) => !ended.mock.calls.some(({ arguments: [one] }) => one === result)).length;
}

test('a view whose client is gone before it is watched has no timers, and watches nothing', async (t) => {
  const { id } = await seedCall(api, api.tenant, { status: 'IN_PROGRESS', endedAt: null });
  const watched = Promise.withResolvers<() => void>();
  let unwatched = 0;
  const feed = { watch: () => watched.promise, close: () => undefined } as unknown as LiveFeed;
  const streams = new CallStreams(api.context, feed);
  const running = watchIntervals(t);
  const stream = await streams.open(api.tenant.accountId, id, 0, async () => true);
  stream.destroy();
  await eventually(() => stream.closed);
  watched.resolve(() => unwatched++);
  await eventually(() => unwatched === 1);
  assert.equal(running(), 0, 'it asks each second and writes each fifteen for nobody');
});

test('a view that could not be begun is watched no more', async (t) => {
  const { id } = await seedCall(api, api.tenant, { status: 'IN_PROGRESS', endedAt: null });
  const broken = {
    selectFrom: () => {
      throw new Error('the database is away');
    },
  };
  const feed = new LiveFeed({ ...api.context, read: broken as never }, () => undefined);
  const view = { accountId: api.tenant.accountId, onEntry: () => undefined, onWords: () => undefined };
  const running = watchIntervals(t);
  await assert.rejects(feed.watch(id, view), /away/);
  assert.equal(running(), 0, 'it is renewed for nobody');
});

test('a client that was gone before anybody asked is gone', () => {
  const gone = Object.assign(new EventEmitter(), { destroyed: true });
  assert.equal(whenGone({ raw: gone as never }).aborted, true);
  const there = Object.assign(new EventEmitter(), { destroyed: false });
  const signal = whenGone({ raw: there as never });
  assert.equal(signal.aborted, false);
  there.emit('close');
  assert.equal(signal.aborted, true);
});
