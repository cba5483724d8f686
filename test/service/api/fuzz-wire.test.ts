// The short form of `npm run bench -- fuzz`: broken and hostile requests over the wire to a running API.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runFuzz } from '../../../bench/rig/fuzz/fuzz-run.ts';

const SEED = 20_261_122;

test('six hundred hostile requests are answered in the envelope, and nobody sees the data of others', async () => {
  const { problems, statuses, requests } = await runFuzz({ requests: 600, seed: SEED });
  assert.deepEqual(problems, []);
  assert.ok(requests >= 600);
  // Worthless if all of them were turned away early.
  for (const status of ['200', '400', '401', '404', '422']) assert.ok((statuses[status] ?? 0) > 3, status);
});
