// The costs of the built-in engines, measured in their threads; and the recogniser hears the sentence of the trial.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadStt } from '../../models/engines.ts';
import { measuredSentence } from '../../models/stt/cost-measurement.ts';
import { ModelWorker } from '../../models/workers/model-worker.ts';

test('the sentence of the trial is one that the built-in recogniser hears', async () => {
  const engine = await loadStt('soundswallower', {});
  const { signal } = new AbortController();
  const vocabulary = { language: 'en', businessName: '', services: [], questions: [], phrases: [] };
  const open = {
    callId: 'a',
    sampleRateHz: 8_000,
    vocabulary,
    signal,
    onFallback: () => assert.fail('no other engine'),
  };
  const stream = await engine.openStream(open);
  const text = await new Promise<string>((resolve) => {
    const utterance = stream.begin({
      expects: 'anything',
      signal,
      onEvent: (event) => event.type === 'final' && resolve(event.result.text),
    });
    utterance.write(measuredSentence());
    utterance.finish();
  });
  assert.match(text, /what are your opening hours on saturday/);
  stream.close();
  await engine.close();
});

test('the real engines are measured in their threads', async () => {
  for (const [kind, engine] of [
    ['stt', 'soundswallower'],
    ['tts', 'flite'],
  ] as const) {
    const worker = await ModelWorker.start({ kind, engine, environment: {}, onLost: assert.fail });
    let factor: number | null = null;
    // A busy machine may spoil trials.
    for (let trial = 0; trial < 20 && factor === null; trial++) factor = await worker.measure();
    assert.ok(factor !== null && factor > 0, `${kind}: ${factor}`);
    await worker.stop();
    assert.equal(await worker.measure(), null);
  }
});
