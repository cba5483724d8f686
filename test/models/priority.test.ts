import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';

const PRIORITY = new URL('../../models/priority.ts', import.meta.url).href;
const REPORT = `
  const { raiseThreadPriority } = await import(${JSON.stringify(PRIORITY)});
  const { readFileSync } = await import('node:fs');
  const { parentPort } = await import('node:worker_threads');
  const { workerData } = await import('node:worker_threads');
  const priority = raiseThreadPriority('vad', workerData.wantsRealTime);
  const fields = readFileSync('/proc/thread-self/stat', 'utf8').split(') ').at(-1).split(' ');
  parentPort.postMessage({ priority, policy: Number(fields[38]) });
`;

async function raised(wantsRealTime: boolean, env = process.env): Promise<{ priority: string; policy: number }> {
  const source = new URL(`data:text/javascript,${encodeURIComponent(REPORT)}`);
  const worker = new Worker(source, { workerData: { wantsRealTime }, env });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

// SCHED_RR is 2.
test('a thread that is raised runs in real time where the process may and chrt is there', async (t) => {
  if (process.platform !== 'linux') return t.skip('Linux only');
  const { priority, policy } = await raised(true);
  assert.equal(policy === 2, priority === 'real-time');
  const mayBeRealTime = spawnSync('chrt', ['--rr', '1', 'true']).status === 0;
  if (mayBeRealTime) assert.equal(priority, 'real-time');
});

test('without chrt, or where real time is not wanted, it keeps the usual policy', async (t) => {
  if (process.platform !== 'linux') return t.skip('Linux only');
  for (const { priority, policy } of [await raised(true, { PATH: '/nowhere' }), await raised(false)]) {
    assert.notEqual(priority, 'real-time');
    assert.equal(policy, 0);
  }
});
