import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TtsRequest } from '../../../models/tts/tts.ts';
import { ModelWorker } from '../../../models/workers/model-worker.ts';
import { speak, ttsClient } from '../../support/models/tts-client.ts';

test('the real voices speak in their thread, and a repeated phrase comes from the cache, the same', async () => {
  const worker = await ModelWorker.start({ kind: 'tts', engine: 'flite', environment: {}, onLost: assert.fail });
  const shard = ttsClient(worker.connect());
  shard.send(speak(1, 'Thank you for calling. How can I help you?'));
  await shard.over(1);
  shard.send(speak(2, 'Thank you for calling. How can I help you?'));
  await shard.over(2);
  assert.ok(shard.samplesOf(1) > 12_000);
  assert.equal(shard.samplesOf(1), shard.samplesOf(2));
  shard.send({ ...speak(3, 'hello'), voiceId: 'nobody' } as TtsRequest);
  assert.equal((await shard.over(3)).type, 'audio');
  assert.ok(shard.replies.some((reply) => reply.type === 'fallback' && reply.id === 3));
  await worker.stop();
});
