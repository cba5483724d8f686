// The real library on a voice that is made here: see bench/rig/onnx/models.ts.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { VOICE_TONE, writeVoice } from '../../../bench/rig/onnx/models.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { loadTts } from '../../../models/engines.ts';
import { voiceFiles } from '../../../models/sherpa/model-files.ts';
import { trustedEngine } from '../../../models/sherpa/probe.ts';
import { SherpaTts } from '../../../models/tts/sherpa.ts';
import type { TtsReply } from '../../../models/tts/tts.ts';
import { ModelWorker } from '../../../models/workers/model-worker.ts';

const dataDir = temporaryFolder('sherpa-tts');
const modelPath = (name: string): string => join(dataDir, 'models', name);
writeVoice(modelPath('tone'));
const environment = { DATA_DIR: dataDir, PATH: process.env.PATH };
const voice = (): SherpaTts => new SherpaTts('tone', voiceFiles('tone', modelPath('tone')));

const request = { text: 'hello there', voiceId: 'sherpa:tone', speed: 1, sampleRateHz: 8_000 };

async function spoken(engine: SherpaTts, changes: Partial<typeof request> = {}): Promise<Int16Array> {
  const blocks: Int16Array[] = [];
  const { signal } = new AbortController();
  await engine.speak({ ...request, ...changes }, { signal, onAudio: (samples) => void blocks.push(samples) });
  return Int16Array.from(blocks.flatMap((block) => [...block]));
}

/** Of the tone, by its zero crossings; the filter's ringing at the ends is too quiet to count. */
function pitchHz(samples: Int16Array, rateHz: number): number {
  const loud = samples.filter((sample) => Math.abs(sample) > 500);
  const crossings = loud.filter((sample, n) => sample > 0 && (loud[n - 1] ?? 1) < 0).length;
  return (crossings * rateHz) / samples.length;
}

const seconds = (letters: number): number => (letters * VOICE_TONE.samplesPerLetter) / VOICE_TONE.rateHz;

test('a voice speaks at the rate of the call, at its pace, and with the speaker that is named', async () => {
  const engine = voice();
  for (const sampleRateHz of [8_000, 16_000]) {
    const samples = await spoken(engine, { sampleRateHz });
    assert.ok(Math.abs(samples.length / sampleRateHz - seconds(11)) < 0.02, `${samples.length}`);
    const hz = pitchHz(samples, sampleRateHz);
    assert.ok(Math.abs(hz - VOICE_TONE.hz) < 10, `${hz}`);
  }
  const quick = await spoken(engine, { speed: 2 });
  assert.ok(Math.abs(quick.length / 8_000 - seconds(11) / 2) < 0.02);
  const second = await spoken(engine, { voiceId: 'sherpa:tone:1' });
  assert.ok(Math.abs(pitchHz(second, 8_000) - 2 * VOICE_TONE.hz) < 20);
});

test('its voices are listed, and another one is unknown', async () => {
  const engine = voice();
  assert.deepEqual(
    engine.voices.map(({ id, language, isDefault }) => [id, language, isDefault]),
    [
      ['sherpa:tone', 'en-US', true],
      ['sherpa:tone:1', 'en-US', false],
    ],
  );
  for (const voiceId of ['sherpa:tone:2', 'sherpa:tone:x', 'flite-rms'])
    await assert.rejects(spoken(engine, { voiceId }), { code: 'TTS_VOICE_UNKNOWN' });
});

test('a cancellation ends the speech between two sentences', async () => {
  const abort = new AbortController();
  let samples = 0;
  await voice().speak(
    { ...request, text: 'Here comes the first one. And this is the second one. Then a third one comes.' },
    {
      signal: abort.signal,
      onAudio: (block) => {
        samples += block.length;
        abort.abort();
      },
    },
  );
  assert.ok(samples > 0 && samples <= 800, `${samples}`);
});

test('a missing file is named, with its folder and what to do', async () => {
  const path = modelPath('no-tokens');
  writeVoice(path);
  rmSync(join(path, 'tokens.txt'));
  assert.throws(() => voiceFiles('no-tokens', path), new RegExp(`sherpa:no-tokens: ${path} has no tokens.txt`));
  await assert.rejects(loadTts('sherpa:kokoro', environment), /run "npm run models -- download kokoro"/);
});

test('a voice that works is trusted; a broken one is refused, and the built-in voices take its place', async () => {
  assert.equal((await trustedEngine('tts', 'sherpa:tone', environment)).refusal, null);
  writeVoice(modelPath('broken'));
  writeFileSync(join(modelPath('broken'), 'en_US-tone-medium.onnx'), 'not a model');
  const { engine, refusal } = await trustedEngine('tts', 'sherpa:broken', environment);
  assert.equal(engine, 'flite');
  assert.match(refusal ?? '', /^sherpa:broken: ./);
});

test('a worker speaks with the model, and has the built-in voices behind it', async () => {
  const worker = await ModelWorker.start({ kind: 'tts', engine: 'sherpa:tone', environment, onLost: () => {} });
  try {
    const ids = worker.engine.voices?.map(({ id }) => id) ?? [];
    assert.ok(ids.includes('sherpa:tone:1') && ids.includes('flite-rms'));
    const port = worker.connect();
    let samples = 0;
    const last = new Promise<TtsReply>((resolve) => {
      port.on('message', (reply: TtsReply) => {
        if (reply.type === 'audio') samples += reply.samples.length;
        if (reply.type === 'failed' || (reply.type === 'audio' && reply.last)) resolve(reply);
      });
    });
    port.postMessage({ type: 'speak', id: 1, ...request });
    assert.equal((await last).type, 'audio');
    port.close();
    assert.ok(Math.abs(samples / 8_000 - seconds(11)) < 0.02);
  } finally {
    await worker.stop();
  }
});
