import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Doorbell } from '../../../media/doorbell.ts';
import { SampleRing } from '../../../media/ring.ts';
import { eachWindow, type ScoredWindow, type VadReply, type VadRequest } from '../../../models/vad/vad.ts';
import { VadHost } from '../../../models/vad/worker.ts';

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

test('a call that closes gets no more windows, and its number can be opened again from sample 0', async () => {
  const batches: number[] = [];
  const host = new VadHost(
    {
      score: async (windows) => {
        batches.push(windows.length);
        return new Float32Array(windows.length).fill(0.5);
      },
    },
    (error) => assert.fail(String(error)),
  );
  const { port1, port2 } = new MessageChannel();
  host.connect(port2);
  await once(port1, 'message');
  const bell = doorbellAt(port1);
  const first = SampleRing.create(4_096);
  port1.postMessage({ type: 'open', stream: 7, ring: first.shared } satisfies VadRequest);
  first.write(new Int16Array(300));
  bell.ring();
  const [reply] = (await once(port1, 'message')) as [VadReply];
  assert.deepEqual(windowsOf(reply), [{ stream: 7, probability: 0.5, endSample: 256 }]);
  port1.postMessage({ type: 'close', stream: 7 } satisfies VadRequest);
  await new Promise((resolve) => setImmediate(resolve));
  first.write(new Int16Array(2_000));
  bell.ring();
  const second = SampleRing.create(4_096);
  port1.postMessage({ type: 'open', stream: 7, ring: second.shared } satisfies VadRequest);
  second.write(new Int16Array(256));
  bell.ring();
  const [again] = (await once(port1, 'message')) as [VadReply];
  assert.deepEqual(windowsOf(again), [{ stream: 7, probability: 0.5, endSample: 256 }]);
  assert.deepEqual(batches, [1, 1]);
  await host.close();
  port1.close();
});

test('a model that fails is reported on every port and to the owner', async () => {
  const failures: unknown[] = [];
  const host = new VadHost(
    {
      score: async () => {
        throw new Error('out of memory');
      },
    },
    (error) => failures.push(error),
  );
  const { port1, port2 } = new MessageChannel();
  host.connect(port2);
  await once(port1, 'message');
  const bell = doorbellAt(port1);
  const ring = SampleRing.create(1_024);
  port1.postMessage({ type: 'open', stream: 7, ring: ring.shared } satisfies VadRequest);
  ring.write(new Int16Array(256));
  bell.ring();
  const [reply] = (await once(port1, 'message')) as [VadReply];
  assert.equal(reply.type, 'failed');
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(failures.length, 1);
  port1.close();
});
