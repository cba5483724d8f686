// A thread of the API that is closed while it works: nobody waits for an answer that will not come.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseThread } from '../../../api/threads/database-thread.ts';

/** Takes requests and answers none. */
const SILENT = `import { parentPort } from 'node:worker_threads';
parentPort.on('message', () => {});`;

test('closing refuses what is under way, what waits, and whatever comes later', async () => {
  const thread = new DatabaseThread<{ accountId: string }, string>(
    new URL(`data:text/javascript,${encodeURIComponent(SILENT)}`),
    'none',
  );
  const asked = Array.from({ length: 4 }, () => thread.ask({ accountId: 'acc_1' }));
  const refused = Promise.allSettled(asked);
  await thread.close();
  const messages = (await refused).map((each) => (each.status === 'rejected' ? each.reason.message : each.value));
  assert.deepEqual(messages, Array(4).fill('the thread is closed'));
  await assert.rejects(thread.ask({ accountId: 'acc_1' }), /closed/);
});
