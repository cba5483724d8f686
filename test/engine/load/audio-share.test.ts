import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { watchAudioShare } from '../../../engine/load/audio-share.ts';

const BUSY_THREAD = `
  const { parentPort, workerData } = require('node:worker_threads');
  require('node:fs').writeFileSync('/proc/thread-self/comm', workerData);
  parentPort.on('message', (rounds) => {
    let sum = 0;
    for (let n = 0; n < rounds; n++) sum += n & 7;
    parentPort.postMessage(sum);
  });
`;

/** Less than the loop takes on any machine, more than a thread that waits. */
const A_LITTLE = 0.02;

test('the time of media shards and voice activity detection counts, that of other threads does not', {
  skip: process.platform === 'linux' ? false : 'only Linux tells the times of threads',
}, async () => {
  let nowMs = 0;
  const take = watchAudioShare(2, () => nowMs);
  const threads = ['stt', 'vad', 'shard'].map((name) => new Worker(BUSY_THREAD, { eval: true, workerData: name }));
  const work = async (thread: Worker, rounds = 3e8): Promise<number> => {
    thread.postMessage(rounds);
    await once(thread, 'message');
    nowMs += 1_000;
    return take();
  };
  try {
    assert.equal(take(), 0, 'nothing is known yet');
    const [stt, vad, shard] = threads as [Worker, Worker, Worker];
    // The processor time that the threads needed to start.
    for (const thread of threads) await work(thread, 0);
    assert.ok((await work(stt)) < A_LITTLE);
    assert.ok((await work(vad)) > A_LITTLE);
    assert.ok((await work(shard)) > A_LITTLE);
  } finally {
    await Promise.all(threads.map((thread) => thread.terminate()));
  }
});
