import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { ModelDownloads } from '../../../engine/models/downloads.ts';

test('a model is installed on a thread of its own, one after another, and a failure says why', async () => {
  const modelsDir = temporaryFolder('downloads');
  mkdirSync(join(modelsDir, 'kroko-en'));
  const logged: unknown[] = [];
  const downloads = new ModelDownloads(modelsDir, { info: (fields: unknown) => void logged.push(fields) });
  // It is there already, so nothing is fetched.
  const results = await Promise.allSettled([
    downloads.add('sherpa:none'),
    downloads.add('sherpa:kroko-en'),
    downloads.add('silero'),
  ]);
  assert.deepEqual(
    results.map((result) => (result.status === 'rejected' ? String(result.reason.message) : 'installed')),
    ['there is no model none', 'installed', 'silero has nothing to download'],
  );
  assert.deepEqual(logged, [{ engine: 'sherpa:kroko-en' }]);
});
