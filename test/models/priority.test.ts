import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';

const PRIORITY = new URL('../../models/priority.ts', import.meta.url).href;
const REPORT = `
  const { raiseThreadPriority } = await import(${JSON.stringify(PRIORITY)});
  const { readFileSync } = await import('node:fs');
  const { parentPort } = await import('node:worker_threads');
  const raised = raiseThreadPriority('vad');
  const fields = readFileSync('/proc/thread-self/stat', 'utf8').split(') ').at(-1).split(' ');
  parentPort.postMessage({ raised, policy: Number(fields[38]) });
`;

test('a thread that is raised runs in real time where the process may and chrt is there', async (t) => {
  if (process.platform !== 'linux') return t.skip('Linux only');
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(REPORT)}`));
  const { raised, policy } = await new Promise<{ raised: boolean; policy: number }>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  const mayBeRealTime = spawnSync('chrt', ['--rr', '1', 'true']).status === 0;
  // SCHED_RR is 2.
  assert.equal(policy, raised && mayBeRealTime ? 2 : 0);
});
