import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { ModelWorker } from '../../../models/workers/model-worker.ts';

const PRIORITY = new URL('../../../models/workers/priority.ts', import.meta.url).href;
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

/** The nice values of this process's threads of that name. */
function niceOf(name: string): number[] {
  const stats = readdirSync('/proc/self/task').map((task) => readFileSync(`/proc/self/task/${task}/stat`, 'utf8'));
  return stats
    .filter((stat) => stat.includes(`(${name})`))
    .map((stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]));
}

test('an engine that computes yields to everything else, the built-in ear a little, one that waits for a server not', async (t) => {
  if (process.platform !== 'linux') return t.skip('Linux only');
  const fake = (name: string) =>
    `module:${fileURLToPath(new URL(`../../../bench/rig/fakes/${name}.ts`, import.meta.url))}`;
  const engines = [
    ['stt', fake('stt'), getPriority()],
    ['stt', 'soundswallower', 5],
    ['tts', fake('tts'), getPriority()],
    ['tts', 'flite', 19],
  ] as const;
  for (const [kind, engine, nice] of engines) {
    const worker = await ModelWorker.start({ kind, engine, environment: {}, onLost: assert.fail });
    assert.deepEqual(niceOf(kind), [nice], engine);
    await worker.stop();
  }
});
