import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import { comesToRest } from '../../../bench/rig/eventually.ts';
import { streaming } from '../../../models/stt/polled.ts';
import type { SttReply, SttRequest } from '../../../models/stt/stt.ts';
import { SttHost } from '../../../models/stt/worker.ts';
import { ModelWorker } from '../../../models/workers/model-worker.ts';
import createInstantStt, { encodeText } from '../../support/models/engines/instant-stt.ts';
import { sttClient } from '../../support/models/stt-client.ts';

const vocabulary = { language: 'en-US', businessName: 'Acme', services: [], questions: [], phrases: [] };
const INSTANT = `module:${fileURLToPath(new URL('../../support/models/engines/instant-stt.ts', import.meta.url))}`;

async function host() {
  const stt = new SttHost(streaming(await createInstantStt()));
  const { port1, port2 } = new MessageChannel();
  const shard = sttClient(port1);
  stt.connect(port2);
  await shard.next(({ type }) => type === 'ready');
  return { ...shard, close: () => stt.close().then(() => port1.close()) };
}

const finalOf = (utterance: number) => (reply: SttReply) => reply.type === 'final' && reply.utterance === utterance;

test("an operator's own engine is loaded by its path", async () => {
  const worker = await ModelWorker.start({ kind: 'stt', engine: INSTANT, environment: {}, onLost: assert.fail });
  const shard = sttClient(worker.connect());
  shard.send({ type: 'open', callId: 'a', sampleRateHz: 8_000, vocabulary });
  shard.send({ type: 'begin', callId: 'a', utterance: 1, expects: 'anything' });
  shard.send({ type: 'audio', callId: 'a', utterance: 1, samples: encodeText('free text') });
  shard.send({ type: 'finish', callId: 'a', utterance: 1 });
  const reply = await shard.next(finalOf(1));
  assert.deepEqual(reply.type === 'final' && reply.result, { text: 'free text', confidence: 1, understood: true });
  await worker.stop();
});

test('a worker whose thread is stuck for good is ended and reported as lost', async () => {
  const path = fileURLToPath(new URL('../../support/models/engines/stuck-stt.ts', import.meta.url));
  const lost = Promise.withResolvers<Error>();
  const worker = await ModelWorker.start({
    kind: 'stt',
    engine: `module:${path}`,
    environment: {},
    stuckMs: 400,
    onLost: lost.resolve,
  });
  const shard = sttClient(worker.connect());
  shard.send({ type: 'open', callId: 'a', sampleRateHz: 8_000, vocabulary });
  shard.send({ type: 'begin', callId: 'a', utterance: 1, expects: 'anything' });
  shard.send({ type: 'audio', callId: 'a', utterance: 1, samples: new Int16Array(160) });
  assert.ok((await lost.promise) instanceof Error);
  assert.ok(worker.backlogMs > 0, 'it has said nothing since');
});

for (const engine of ['nothing', 'module:relative.ts', 'module:/no/such/file.ts']) {
  test(`the engine name ${engine} is refused when the worker starts`, async () => {
    await assert.rejects(ModelWorker.start({ kind: 'stt', engine, environment: {}, onLost: assert.fail }));
  });
}

test('a cancelled utterance gives no result and does not affect the next', async () => {
  const shard = await host();
  shard.send({ type: 'open', callId: 'a', sampleRateHz: 8_000, vocabulary });
  shard.send({ type: 'begin', callId: 'a', utterance: 1, expects: 'anything' });
  shard.send({ type: 'audio', callId: 'a', utterance: 1, samples: encodeText('old') });
  shard.send({ type: 'finish', callId: 'a', utterance: 1 });
  shard.send({ type: 'cancel', callId: 'a', utterance: 1 });
  shard.send({ type: 'begin', callId: 'a', utterance: 2, expects: 'anything' });
  shard.send({ type: 'audio', callId: 'a', utterance: 1, samples: encodeText('stale') });
  shard.send({ type: 'audio', callId: 'a', utterance: 2, samples: encodeText('new') });
  shard.send({ type: 'finish', callId: 'a', utterance: 2 });
  const reply = await shard.next(finalOf(2));
  assert.equal(reply.type === 'final' && reply.result.text, 'new');
  assert.ok(!shard.replies.some(finalOf(1)));
  await shard.close();
});

test('a failing utterance affects no other', async () => {
  const shard = await host();
  shard.send({ type: 'open', callId: 'a', sampleRateHz: 8_000, vocabulary });
  for (const [utterance, samples] of [
    [1, Int16Array.of(-1)],
    [2, encodeText('fine')],
  ] as const) {
    shard.send({ type: 'begin', callId: 'a', utterance, expects: 'anything' });
    shard.send({ type: 'audio', callId: 'a', utterance, samples });
    shard.send({ type: 'finish', callId: 'a', utterance });
  }
  const reply = await shard.next(finalOf(2));
  assert.equal(reply.type === 'final' && reply.result.text, 'fine');
  const failed = shard.replies.find(({ type }) => type === 'failed');
  assert.ok(failed?.type === 'failed' && failed.utterance === 1 && failed.code === 'STT_FAILED');
  await shard.close();
});

test('requests for a session that cannot be opened, or never was, are answered', async () => {
  const shard = await host();
  shard.send({ type: 'open', callId: 'refused', sampleRateHz: 8_000, vocabulary });
  const refused = await shard.next((reply) => reply.type === 'failed' && reply.callId === 'refused');
  assert.ok(refused.type === 'failed' && refused.code === 'STT_UNAVAILABLE');
  shard.send({ type: 'finish', callId: 'never', utterance: 7 });
  const never = await shard.next((reply) => reply.type === 'failed' && reply.callId === 'never');
  assert.ok(never.type === 'failed' && never.utterance === 7);
  await shard.close();
});

test('audio that piles up beyond 15 s fails the utterance instead of growing', async () => {
  const shard = await host();
  shard.send({ type: 'open', callId: 'a', sampleRateHz: 8_000, vocabulary });
  shard.send({ type: 'begin', callId: 'a', utterance: 1, expects: 'anything' });
  for (let n = 0; n < 20; n++) shard.send({ type: 'audio', callId: 'a', utterance: 1, samples: new Int16Array(8_000) });
  const failed = await shard.next(({ type }) => type === 'failed');
  assert.ok(failed.type === 'failed' && /behind/.test(failed.message));
  await shard.close();
});

test('an engine says how much audio waits of the call that is furthest behind', async () => {
  const engine = streaming(await createInstantStt());
  const ignored = { signal: new AbortController().signal, onFallback: () => undefined };
  const utterances = ['a', 'b'].map(async (callId) => {
    const stream = await engine.openStream({ callId, sampleRateHz: 8_000, vocabulary, ...ignored });
    const { signal } = ignored;
    return { stream, utterance: stream.begin({ expects: 'anything', signal, onEvent: () => undefined }) };
  });
  const [a, b] = await Promise.all(utterances);
  a?.utterance.write(new Int16Array(800));
  for (let n = 0; n < 5; n++) b?.utterance.write(new Int16Array(800));
  assert.equal(engine.backlogMs?.(), 500);
  b?.stream.close();
  assert.equal(engine.backlogMs?.(), 100);
  while ((engine.backlogMs?.() ?? 0) > 0) await new Promise((resolve) => setImmediate(resolve));
  a?.stream.close();
});

test('a shard that goes away leaves nothing behind', async () => {
  const stt = new SttHost(streaming(await createInstantStt()));
  const { port1, port2 } = new MessageChannel();
  stt.connect(port2);
  await once(port1, 'message');
  port1.postMessage({ type: 'open', callId: 'a', sampleRateHz: 8_000, vocabulary } satisfies SttRequest);
  port1.close();
  await comesToRest();
  await stt.close();
});
