import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { MessagePort } from 'node:worker_threads';
import { Doorbell } from '../../../media/doorbell.ts';
import { SampleRing } from '../../../media/ring.ts';
import {
  eachWindow,
  type ScoredWindow,
  VAD_WINDOW_SAMPLES,
  type VadReply,
  type VadRequest,
} from '../../../models/vad/vad.ts';
import { ModelWorker } from '../../../models/workers/model-worker.ts';
import { say } from '../../support/models/sounds.ts';

function windowsOf(reply: VadReply | undefined): ScoredWindow[] {
  const windows: ScoredWindow[] = [];
  if (reply?.type === 'windows')
    eachWindow(reply.windows, (stream, probability, endSample) => windows.push({ stream, probability, endSample }));
  return windows;
}

/** The doorbell of the worker behind `port`. */
function doorbellAt(port: MessagePort): Doorbell {
  const bell = new Doorbell();
  port.postMessage({ type: 'doorbell', shared: bell.shared } satisfies VadRequest);
  return bell;
}

test('the worker scores the rings of several calls and counts their samples', async () => {
  const lost: Error[] = [];
  const worker = await ModelWorker.start({
    kind: 'vad',
    engine: 'silero',
    environment: {},
    onLost: (error) => lost.push(error),
  });
  const port = worker.connect();
  const windows: ScoredWindow[] = [];
  const speech = await say('hello, is anybody there');
  const wanted = Math.floor(speech.length / VAD_WINDOW_SAMPLES);
  await once(port, 'message');
  const done = new Promise<void>((resolve) => {
    port.on('message', (reply: VadReply) => {
      windows.push(...windowsOf(reply));
      if (windows.length >= 3 * wanted) resolve();
    });
  });
  const bell = doorbellAt(port);
  const rings = [1, 2, 3].map((stream) => {
    const ring = SampleRing.create(65_536);
    port.postMessage({ type: 'open', stream, ring: ring.shared } satisfies VadRequest);
    return ring;
  });
  for (let at = 0; at < speech.length; at += 160) {
    for (const ring of rings) ring.write(speech.subarray(at, at + 160));
    bell.ring();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await done;
  const heard = (stream: number) => windows.filter((window) => window.stream === stream);
  for (const stream of [1, 2, 3]) {
    assert.deepEqual(
      heard(stream).map(({ endSample }) => endSample),
      Array.from({ length: wanted }, (_, n) => (n + 1) * VAD_WINDOW_SAMPLES),
    );
    assert.deepEqual(
      heard(stream).map(({ probability }) => probability),
      heard(1).map(({ probability }) => probability),
    );
  }
  assert.ok(heard(1).some(({ probability }) => probability > 0.9));
  await worker.stop();
  assert.deepEqual(lost, []);
});

test('stopping during a storm of audio ends the worker cleanly, 5 times out of 5', async () => {
  for (let round = 0; round < 5; round++) {
    const worker = await ModelWorker.start({ kind: 'vad', engine: 'silero', environment: {}, onLost: assert.fail });
    const port = worker.connect();
    const bell = doorbellAt(port);
    const rings = Array.from({ length: 20 }, (_, n) => {
      const ring = SampleRing.create(16_384);
      port.postMessage({ type: 'open', stream: n, ring: ring.shared } satisfies VadRequest);
      ring.write(new Int16Array(16_000).fill(500));
      bell.ring();
      return ring;
    });
    await worker.stop();
    assert.equal(rings.length, 20);
    port.close();
  }
});
