import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import { comesToRest } from '../../../bench/rig/eventually.ts';
import { AudioCache } from '../../../models/tts/audio/audio-cache.ts';
import { ofBlockEngine } from '../../../models/tts/block-engine.ts';
import { type BlockTtsEngine, TtsError } from '../../../models/tts/tts.ts';
import { TtsHost } from '../../../models/tts/worker.ts';
import { ModelWorker } from '../../../models/workers/model-worker.ts';
import { speak, ttsClient } from '../../support/models/tts-client.ts';

/** Speaks one block per character; each block is a turn of the event loop. */
class FakeTts implements BlockTtsEngine {
  readonly name = 'fake';
  readonly voices = [];
  readonly spoken: string[] = [];
  async synthesize(
    { text }: { text: string },
    onAudio: (samples: Int16Array) => void,
    isCancelled: () => boolean,
  ): Promise<void> {
    if (text === 'fail') throw new TtsError('TTS_FAILED', 'asked to fail');
    this.spoken.push(text);
    for (const char of text) {
      await new Promise((resolve) => setImmediate(resolve));
      if (isCancelled()) return;
      onAudio(new Int16Array(80).fill(char.charCodeAt(0)));
    }
  }
  async close(): Promise<void> {}
}

function host(cache?: AudioCache) {
  const engine = new FakeTts();
  const tts = new TtsHost([ofBlockEngine(engine)], cache);
  const { port1, port2 } = new MessageChannel();
  tts.connect(port2);
  return { engine, ...ttsClient(port1), close: () => tts.close().then(() => port1.close()) };
}

test('an operator’s own voice of the older shape is loaded by its path and given every text', async () => {
  const path = fileURLToPath(new URL('../../support/models/engines/older-tts.ts', import.meta.url));
  const worker = await ModelWorker.start({
    kind: 'tts',
    engine: `module:${path}`,
    environment: {},
    onLost: assert.fail,
  });
  const shard = ttsClient(worker.connect());
  shard.send(speak(1, 'hello'));
  assert.equal((await shard.over(1)).type, 'audio');
  assert.equal(shard.samplesOf(1), 5 * 80);
  await worker.stop();
});

test('a cancelled request sends nothing more, others go on', async () => {
  const shard = host();
  shard.send(speak(1, 'a'.repeat(200)));
  shard.send(speak(2, 'b'.repeat(5)));
  shard.send({ type: 'cancel', id: 1 });
  await shard.over(2);
  const sent = shard.samplesOf(1);
  await comesToRest();
  assert.equal(shard.samplesOf(1), sent);
  assert.ok(sent < 200 * 80);
  assert.equal(shard.samplesOf(2), 5 * 80);
  await shard.close();
});

test('a long text does not hold up a short one', async () => {
  const shard = host();
  shard.send(speak(1, 'a'.repeat(500)));
  shard.send(speak(2, 'bb'));
  await shard.over(2);
  assert.ok(shard.samplesOf(1) < 100 * 80, `${shard.samplesOf(1)} samples of the long text came first`);
  await shard.over(1);
  await shard.close();
});

test('a failing text is answered with its code, the next is spoken', async () => {
  const shard = host();
  shard.send(speak(1, 'fail'));
  shard.send(speak(2, 'ok'));
  const failed = await shard.over(1);
  assert.ok(failed.type === 'failed' && failed.code === 'TTS_FAILED');
  await shard.over(2);
  shard.send(speak(3, 'x'.repeat(5_000)));
  const long = await shard.over(3);
  assert.equal(long.type, 'failed');
  await shard.close();
});

test('past its bound the queue refuses at once instead of growing', async () => {
  const shard = host();
  for (let id = 1; id <= 200; id++) shard.send(speak(id, `text ${id}`));
  const replies = await Promise.all(Array.from({ length: 200 }, (_, n) => shard.over(n + 1)));
  const refused = replies.filter((reply) => reply.type === 'failed');
  assert.ok(refused.length >= 60 && refused.length <= 72, `${refused.length} refused`);
  assert.ok(refused.every((reply) => reply.type === 'failed' && reply.code === 'TTS_UNAVAILABLE'));
  await shard.close();
});

test('texts that were cancelled while they waited take no room in the queue', async () => {
  const shard = host();
  // Four are spoken at a time.
  for (let id = 1; id <= 4; id++) shard.send(speak(id, `${id}`.repeat(200)));
  for (let id = 5; id <= 132; id++) {
    shard.send(speak(id, `text ${id}`));
    shard.send({ type: 'cancel', id });
  }
  shard.send(speak(133, 'is spoken'));
  assert.equal((await shard.over(133)).type, 'audio');
  assert.deepEqual(
    shard.engine.spoken.filter((text) => text.startsWith('text')),
    [],
  );
  await shard.close();
});

test('a caller who has waited long for a slow voice hears the built-in one, which others do not', async () => {
  const slow = new FakeTts();
  const builtIn = new FakeTts();
  const voice = (id: string) => ({ id, name: id, language: 'en-US', gender: 'female' as const, engine: id });
  const engines = [
    { ...ofBlockEngine(slow), name: 'slow', voices: [voice('slow')], speaksAnyVoice: false, concurrency: 1 },
    { ...ofBlockEngine(builtIn), name: 'built-in', voices: [voice('built-in')], speaksAnyVoice: false },
  ].map((engine) => ({
    ...engine,
    voices: engine.voices.map((each) => ({ ...each, sampleRateHz: 8_000, isDefault: true })),
  }));
  let nowMs = 10_000;
  const tts = new TtsHost(engines, undefined, 1, () => nowMs);
  const { port1, port2 } = new MessageChannel();
  tts.connect(port2);
  const shard = ttsClient(port1);
  const of = (id: number, text: string, askedAtMs?: number) => ({
    ...speak(id, text),
    voiceId: 'slow',
    ...(askedAtMs === undefined ? {} : { askedAtMs }),
  });
  shard.send(of(1, 'first', nowMs));
  shard.send(of(2, 'waits', nowMs));
  shard.send(of(3, 'comes later', nowMs + 1_900));
  shard.send(of(4, 'can wait'));
  nowMs += 2_000;
  for (const id of [1, 2, 3, 4]) assert.equal((await shard.over(id)).type, 'audio');
  const fallen = shard.replies.filter((reply) => reply.type === 'fallback').map((reply) => reply.id);
  assert.deepEqual(fallen, [1, 2]);
  assert.deepEqual(
    [slow.spoken.toSorted(), builtIn.spoken],
    [
      ['can wait', 'comes later'],
      ['first', 'waits'],
    ],
  );
  await tts.close();
  port1.close();
});

test('a phrase from the cache is one message, also one without a sound', async () => {
  const cache = new AudioCache();
  const shard = host(cache);
  for (const [id, text] of [
    [1, 'abc'],
    [2, 'abc'],
    [3, ''],
    [4, ''],
  ] as const) {
    shard.send(speak(id, text));
    await shard.over(id);
  }
  for (const id of [2, 4]) assert.equal(shard.replies.filter((reply) => 'id' in reply && reply.id === id).length, 1);
  await shard.close();
});

test('what was there already is told as kept, but what was made ahead by whom hears it first', async () => {
  const shard = host();
  const isKept = (id: number) =>
    shard.replies.some((reply) => reply.type === 'audio' && reply.id === id && reply.isKept);
  shard.send({ ...speak(0, 'hello'), type: 'prepare' } as never);
  await comesToRest();
  for (const id of [1, 2]) {
    shard.send(speak(id, 'hello'));
    await shard.over(id);
  }
  for (const id of [3, 4]) {
    shard.send(speak(id, 'bye'));
    await shard.over(id);
  }
  assert.deepEqual([1, 2, 3, 4].map(isKept), [false, true, false, true]);
  await shard.close();
});

test('a cancelled text is not cached', async () => {
  const cache = new AudioCache();
  const shard = host(cache);
  shard.send(speak(1, 'hello there'));
  shard.send({ type: 'cancel', id: 1 });
  shard.send(speak(2, 'other'));
  await shard.over(2);
  shard.send(speak(3, 'hello there'));
  await shard.over(3);
  assert.equal(shard.samplesOf(3), 'hello there'.length * 80);
  await shard.close();
});

test('the cache stays within its byte limit and evicts the oldest first', () => {
  const cache = new AudioCache(10_000);
  for (let n = 0; n < 10; n++) {
    cache.put(`key ${n}`, [new Int16Array(500), new Int16Array(500)]);
    cache.get('key 0');
    assert.ok(cache.bytes <= 10_000);
  }
  assert.equal(cache.get('key 0')?.length, 1_000);
  assert.equal(cache.get('key 1'), null);
  assert.equal(cache.get('key 9')?.length, 1_000);
  cache.put('huge', [new Int16Array(4_000)]);
  assert.equal(cache.get('huge'), null);
});
