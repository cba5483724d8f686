// An API whose log nobody reads any more: its supervisor or the program behind a pipe has been killed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startProcess } from '../../../bench/rig/api/api-process.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';

const ends = { timeout: 30_000 };

test('it ends when it is told to, though its last lines cannot be written', ends, async (t) => {
  const api = await startProcess(temporaryFolder('voice-unread'));
  t.after(() => api.child.kill('SIGKILL'));
  api.child.stdout?.destroy();
  assert.equal(await api.stop(), 0);
});

test('it ends when its supervisor is gone as well', ends, async (t) => {
  const api = await startProcess(temporaryFolder('voice-unread'), { SUPERVISED: '1' });
  t.after(() => api.child.kill('SIGKILL'));
  const ended = new Promise((resolve) => api.child.once('exit', resolve));
  api.child.stdout?.destroy();
  api.child.disconnect();
  assert.equal(await ended, 0);
});
