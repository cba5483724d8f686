// The cost of an engine: by the processor time of its thread, and never by a trial that says nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { sttFactor } from '../../../models/stt/cost-measurement.ts';
import type { SttEngine } from '../../../models/stt/stt.ts';
import { SttHost } from '../../../models/stt/worker.ts';
import { ttsFactor } from '../../../models/tts/cost-measurement.ts';
import type { TtsEngine } from '../../../models/tts/tts.ts';
import { TtsHost } from '../../../models/tts/worker.ts';
import { factorOf } from '../../../models/workers/cost-measurement.ts';

/** A thread that computes `cpuMs` of `wallMs`, whenever it is asked to. */
function thread() {
  const now = { cpuMs: 1_000, wallMs: 5_000 };
  return {
    clocks: { cpuMs: () => now.cpuMs, wallMs: () => now.wallMs },
    compute(cpuMs: number, wallMs = cpuMs) {
      now.cpuMs += cpuMs;
      now.wallMs += wallMs;
    },
  };
}

const calm = (): boolean => false;

/** Hears everything at once, for 10 ms of the thread's time a block. */
function fakeStt(compute: () => void, end: 'final' | 'lost' = 'final'): SttEngine {
  return {
    name: 'fake',
    freeText: true,
    languages: ['en'],
    patienceMs: 1_000,
    blockMs: 100,
    async openStream() {
      return {
        begin: ({ onEvent }) => ({
          write: () => compute(),
          finish: () =>
            onEvent(
              end === 'lost'
                ? { type: 'lost', message: 'gone' }
                : { type: 'final', result: { text: '', confidence: 1, understood: true } },
            ),
        }),
        close: () => {},
      };
    },
    close: async () => {},
  };
}

/** Says two seconds, for 40 ms of the thread's time each. */
function fakeTts(compute: () => void): TtsEngine {
  return {
    name: 'fake',
    voices: [],
    concurrency: 1,
    patienceMs: null,
    async speak(_, { signal, onAudio }) {
      for (let second = 0; second < 2 && !signal.aborted; second++) {
        compute();
        onAudio(new Int16Array(8_000));
      }
    },
    close: async () => {},
  };
}

test('waiting for a core does not count', async () => {
  const { clocks, compute } = thread();
  const factor = await factorOf(async () => {
    compute(300, 900);
    return 3_000;
  }, clocks);
  assert.equal(factor, 0.1);
});

test('a thread that hardly computes says nothing of its engine: it computes elsewhere', async () => {
  const { clocks, compute } = thread();
  const factor = await factorOf(async () => {
    compute(20, 900);
    return 3_000;
  }, clocks);
  assert.equal(factor, null);
});

test('a recogniser costs what it takes for a sentence, a voice for what it says', async () => {
  const { clocks, compute } = thread();
  const heard = await sttFactor(
    fakeStt(() => compute(10)),
    calm,
    clocks,
  );
  assert.equal(heard?.toFixed(4), '0.1000');
  const said = await ttsFactor(
    fakeTts(() => compute(40)),
    calm,
    clocks,
  );
  assert.equal(said, 0.04);
});

test('a trial that a request disturbs, or that was not heard, says nothing, and ends at once', async () => {
  const { clocks, compute } = thread();
  let blocks = 0;
  const work = (): void => {
    compute(10);
    blocks++;
  };
  assert.equal(await sttFactor(fakeStt(work), () => blocks >= 2, clocks), null);
  assert.equal(blocks, 2);
  blocks = 0;
  assert.equal(await ttsFactor(fakeTts(work), () => blocks >= 1, clocks), null);
  assert.equal(blocks, 1);
  assert.equal(await sttFactor(fakeStt(work, 'lost'), calm, clocks), null);
});

test('a worker that listens or speaks to somebody is not measured', async () => {
  const stt = new SttHost(fakeStt(() => {}));
  const tts = new TtsHost([
    { ...fakeTts(() => {}), speaksAnyVoice: true, speak: () => new Promise<void>(() => {}) } satisfies TtsEngine,
  ]);
  const ports = [new MessageChannel(), new MessageChannel()] as const;
  stt.connect(ports[0].port2);
  tts.connect(ports[1].port2);
  const replied = new Promise((resolve) => ports[0].port1.once('message', resolve));
  ports[0].port1.postMessage({
    ...{ type: 'open', callId: 'a', sampleRateHz: 8_000 },
    vocabulary: { language: 'en', businessName: '', services: [], questions: [], phrases: [] },
  });
  ports[1].port1.postMessage({ type: 'speak', id: 1, text: 'one', voiceId: 'any', speed: 1, sampleRateHz: 8_000 });
  await replied;
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([await stt.measure(), await tts.measure()], [null, null]);
  for (const { port1, port2 } of ports) {
    port1.close();
    port2.close();
  }
});

test('a trial ends with its worker', async () => {
  const stt = new SttHost(fakeStt(() => {}));
  const tts = new TtsHost([
    { ...fakeTts(() => {}), speak: (_, { onAudio }) => stt.close().then(() => onAudio(new Int16Array(80))) },
  ]);
  const heard = stt.measure();
  const said = tts.measure();
  await tts.close();
  assert.deepEqual([await heard, await said], [null, null]);
});
