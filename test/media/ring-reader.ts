// The ring test's reader thread: sums 40 blocks of 256 samples.
import { parentPort, workerData } from 'node:worker_threads';
import { Doorbell } from '../../media/doorbell.ts';
import { SampleRing } from '../../media/ring.ts';

const { samples, rung } = workerData as { samples: SharedArrayBuffer; rung: SharedArrayBuffer };
const ring = new SampleRing(samples);
const bell = new Doorbell(rung);
const out = new Int16Array(256);
let sum = 0;
// A wait on shared memory alone does not keep a thread alive.
parentPort?.ref();
for (let block = 0; block < 40; block++) {
  for (let seen = bell.rings; !ring.read(out); seen = bell.rings) await bell.waitBeyond(seen);
  for (const sample of out) sum += sample;
}
parentPort?.postMessage(sum);
parentPort?.close();
