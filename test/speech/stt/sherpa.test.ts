// The real library on models that are made here: see bench/rig/onnx/models.ts.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeStreamingModel, writeWholeModel } from '../../../bench/rig/onnx/models.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { loadStt } from '../../../models/engines.ts';
import { recogniserFiles } from '../../../models/sherpa/model-files.ts';
import { trustedEngine } from '../../../models/sherpa/probe.ts';
import { createRecogniser } from '../../../models/stt/sherpa/sherpa.ts';
import { StreamingDecoder } from '../../../models/stt/sherpa/streaming.ts';
import { SherpaUtterance } from '../../../models/stt/sherpa/utterance.ts';
import type { SttEngine, SttEvent, SttReply, SttStream } from '../../../models/stt/stt.ts';
import { ModelWorker } from '../../../models/workers/model-worker.ts';

const dataDir = temporaryFolder('sherpa');
const modelPath = (name: string): string => join(dataDir, 'models', name);
writeStreamingModel(modelPath('tones'));
writeWholeModel(modelPath('tones-whole'));
const environment = { DATA_DIR: dataDir, PATH: process.env.PATH };
const streaming = (): SttEngine => createRecogniser('tones', recogniserFiles('tones', modelPath('tones')));
const whole = (): SttEngine =>
  createRecogniser('tones-whole', recogniserFiles('tones-whole', modelPath('tones-whole')));

const RATE_HZ = 8_000;
const LOW_HZ = 500;
const HIGH_HZ = 2_500;

/** Tones one after another, in blocks of 20 ms as a shard sends them. */
function blocks(...tones: Array<[hz: number, ms: number]>): Int16Array[] {
  return tones.flatMap(([hz, ms]) =>
    Array.from({ length: ms / 20 }, (_, block) =>
      Int16Array.from({ length: RATE_HZ / 50 }, (_, n) =>
        Math.round(8_000 * Math.sin((2 * Math.PI * hz * (block * 160 + n)) / RATE_HZ)),
      ),
    ),
  );
}

const vocabulary = { language: 'en-US', businessName: '', services: [], questions: [], phrases: [] };

function openStream(engine: SttEngine): Promise<SttStream> {
  const { signal } = new AbortController();
  return engine.openStream({ callId: 'c', sampleRateHz: RATE_HZ, vocabulary, signal, onFallback: () => {} });
}

function begin(stream: SttStream) {
  const abort = new AbortController();
  const events: SttEvent[] = [];
  const { signal } = abort;
  const utterance = stream.begin({ expects: 'anything', signal, onEvent: (event) => events.push(event) });
  return { utterance, events, abort };
}

function decode(engine: SttEngine): void {
  while (engine.step?.());
}

async function heard(engine: SttEngine, audio: Int16Array[]): Promise<SttEvent[]> {
  const { utterance, events } = begin(await openStream(engine));
  for (const block of audio) {
    utterance.write(block);
    decode(engine);
  }
  utterance.finish();
  decode(engine);
  return events;
}

function finalOf(events: readonly SttEvent[]) {
  const last = events.at(-1);
  assert.equal(last?.type, 'final');
  return last?.type === 'final' ? last.result : assert.fail();
}

test('a streaming model reports each word as it comes, and all at the end with their times', async () => {
  const events = await heard(streaming(), blocks([LOW_HZ, 800], [HIGH_HZ, 800], [LOW_HZ, 600]));
  assert.deepEqual(
    events.map((event) => (event.type === 'partial' ? event.text : event.type)),
    ['low', 'low high', 'low high low', 'final'],
  );
  const result = finalOf(events);
  assert.equal(result.text, 'low high low');
  assert.ok(result.understood && result.confidence > 0.9);
  assert.deepEqual(
    result.words?.map(({ text }) => text),
    ['low', 'high', 'low'],
  );
  const starts = result.words?.map(({ startMs }) => startMs) ?? [];
  for (const [index, expected] of [0, 800, 1_600].entries())
    assert.ok(Math.abs((starts[index] ?? -1) - expected) <= 120, `${starts}`);
});

test('the last word of an utterance that ends within a chunk is heard', async () => {
  assert.equal(finalOf(await heard(streaming(), blocks([LOW_HZ, 700], [HIGH_HZ, 120]))).text, 'low high');
});

test('utterances that are decoded together give what each gives alone', async () => {
  const engine = streaming();
  const sounds = [
    blocks([LOW_HZ, 800], [HIGH_HZ, 400]),
    blocks([HIGH_HZ, 500], [LOW_HZ, 700]),
    blocks([HIGH_HZ, 1_200]),
    blocks([LOW_HZ, 340], [HIGH_HZ, 340], [LOW_HZ, 340], [HIGH_HZ, 180]),
  ];
  const alone = [];
  for (const sound of sounds) alone.push(finalOf(await heard(engine, sound)));
  const open = [];
  for (const _ of sounds) open.push(begin(await openStream(engine)));
  for (let at = 0; at < 60; at++) {
    for (const [index, { utterance }] of open.entries()) {
      const block = sounds[index]?.[at];
      if (block) utterance.write(block);
    }
    decode(engine);
  }
  for (const { utterance } of open) utterance.finish();
  decode(engine);
  assert.deepEqual(
    open.map(({ events }) => finalOf(events)),
    alone,
  );
});

test('a step decodes one chunk of every utterance that has one', () => {
  const batches: number[] = [];
  let chunks = 10;
  const decoder = new StreamingDecoder(
    {
      createStream: () => ({ acceptWaveform: () => {}, inputFinished: () => {} }),
      isReady: () => chunks > 0,
      decodeStreams: (streams) => {
        batches.push(streams.length);
        chunks -= streams.length;
      },
      getResult: () => ({ text: '' }),
    },
    0,
  );
  const { signal } = new AbortController();
  for (let n = 0; n < 5; n++) {
    const options = { expects: 'anything' as const, signal, onEvent: () => {} };
    const utterance = new SherpaUtterance(decoder, options, RATE_HZ, 'en');
    decoder.open(utterance);
    for (const block of blocks([LOW_HZ, 100])) utterance.write(block);
  }
  while (decoder.step());
  assert.deepEqual(batches, [5, 5]);
});

test('silence is a final that nothing was understood in', async () => {
  const result = finalOf(await heard(streaming(), [new Int16Array(RATE_HZ)]));
  assert.deepEqual(result, { text: '', confidence: 0, understood: false });
});

test('a cancelled utterance says nothing more, and the next one of the stream is heard', async () => {
  const engine = streaming();
  const stream = await openStream(engine);
  const first = begin(stream);
  for (const block of blocks([LOW_HZ, 800])) first.utterance.write(block);
  first.abort.abort();
  first.utterance.finish();
  const second = begin(stream);
  for (const block of blocks([HIGH_HZ, 800])) second.utterance.write(block);
  second.utterance.finish();
  decode(engine);
  assert.deepEqual(first.events, []);
  assert.equal(finalOf(second.events).text, 'high');
});

test('a closed stream says nothing more', async () => {
  const engine = streaming();
  const stream = await openStream(engine);
  const { utterance, events } = begin(stream);
  for (const block of blocks([LOW_HZ, 800])) utterance.write(block);
  stream.close();
  utterance.finish();
  decode(engine);
  assert.deepEqual(events, []);
});

test('audio beyond what a conversation can wait for loses the utterance, and only that', async () => {
  const engine = streaming();
  const { utterance, events } = begin(await openStream(engine));
  for (let n = 0; n < 16; n++) utterance.write(new Int16Array(RATE_HZ));
  decode(engine);
  assert.deepEqual(events, [{ type: 'lost', message: 'the recogniser is too far behind' }]);
  assert.equal(finalOf(await heard(engine, blocks([LOW_HZ, 800]))).text, 'low');
});

test('a model for whole utterances decodes them in the order in which they end, one a step', async () => {
  const engine = whole();
  const first = begin(await openStream(engine));
  const second = begin(await openStream(engine));
  for (const block of blocks([LOW_HZ, 600], [HIGH_HZ, 600])) first.utterance.write(block);
  for (const block of blocks([HIGH_HZ, 600])) second.utterance.write(block);
  assert.equal(engine.step?.(), false);
  second.utterance.finish();
  first.utterance.finish();
  assert.equal(engine.step?.(), true);
  assert.deepEqual([first.events.length, finalOf(second.events).text], [0, 'high']);
  assert.equal(engine.step?.(), false);
  assert.equal(finalOf(first.events).text, 'low high');
});

test('a missing file is named, with its folder and what to do', async () => {
  const own = modelPath('no-joiner');
  writeStreamingModel(own);
  rmSync(join(own, 'tokens.txt'));
  assert.throws(
    () => recogniserFiles('no-joiner', own),
    new RegExp(`sherpa:no-joiner: ${own} has no tokens.txt: put the whole model there`),
  );
  await assert.rejects(
    loadStt('sherpa:kroko-en', environment),
    /no model in .*kroko-en: run "npm run models -- download kroko-en"/,
  );
});

test('a call in a language that the model does not know is refused', async () => {
  writeStreamingModel(modelPath('kroko-de'));
  const engine = createRecogniser('kroko-de', recogniserFiles('kroko-de', modelPath('kroko-de')));
  await assert.rejects(openStream(engine), /sherpa:kroko-de does not know the language en-US/);
});

test('a model that works is trusted; a broken one is refused, and the built-in recogniser takes its place', async () => {
  assert.deepEqual(await trustedEngine('stt', 'sherpa:tones', environment), { engine: 'sherpa:tones', refusal: null });
  writeStreamingModel(modelPath('broken'));
  writeFileSync(join(modelPath('broken'), 'encoder-chunk-32-left-64.onnx'), 'not a model');
  const { engine, refusal } = await trustedEngine('stt', 'sherpa:broken', environment);
  assert.equal(engine, 'soundswallower');
  assert.match(refusal ?? '', /^sherpa:broken: ./);
});

test('a model that takes too long is refused', async () => {
  const { engine, refusal } = await trustedEngine('stt', 'sherpa:tones', environment, 1);
  assert.equal(engine, 'soundswallower');
  assert.match(refusal ?? '', /did not load and answer/);
});

test('a worker runs the model for the shards, and batches what comes together', async () => {
  const worker = await ModelWorker.start({ kind: 'stt', engine: 'sherpa:tones', environment, onLost: () => {} });
  try {
    assert.deepEqual([worker.engine.freeText, worker.engine.languages], [true, null]);
    const port = worker.connect();
    const finals = new Map<string, string>();
    const done = new Promise<void>((resolve) => {
      port.on('message', (reply: SttReply) => {
        if (reply.type === 'final') finals.set(reply.callId, reply.result.text);
        if (finals.size === 2) resolve();
      });
    });
    const calls = { a: blocks([LOW_HZ, 600]), b: blocks([HIGH_HZ, 600]) };
    for (const callId of Object.keys(calls))
      port.postMessage({ type: 'open', callId, sampleRateHz: RATE_HZ, vocabulary });
    for (const [callId, audio] of Object.entries(calls)) {
      port.postMessage({ type: 'begin', callId, utterance: 1, expects: 'anything' });
      for (const samples of audio) port.postMessage({ type: 'audio', callId, utterance: 1, samples });
      port.postMessage({ type: 'finish', callId, utterance: 1 });
    }
    await done;
    port.close();
    assert.deepEqual(Object.fromEntries(finals), { a: 'low', b: 'high' });
  } finally {
    await worker.stop();
  }
});
