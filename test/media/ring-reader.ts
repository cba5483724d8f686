// The ring test's reader thread: sums 40 blocks of 256 samples.
import { parentPort, workerData } from 'node:worker_threads';
import { SampleRing } from '../../media/ring.ts';

const ring = new SampleRing(workerData as SharedArrayBuffer);
const out = new Int16Array(256);
let sum = 0;
// A wait on shared memory alone does not keep a thread alive.
const alive = setInterval(() => {}, 1000);
for (let block = 0; block < 40; block++) {
  while (!ring.read(out)) await ring.waitBeyond(ring.written, 50);
  for (const sample of out) sum += sample;
}
clearInterval(alive);
parentPort?.postMessage(sum);
