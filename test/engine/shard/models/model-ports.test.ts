import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { comesToRest } from '../../../../bench/rig/eventually.ts';
import type { ModelClient } from '../../../../engine/shard/models/model-client.ts';
import { ModelPorts } from '../../../../engine/shard/models/model-ports.ts';
import type { SttRequest } from '../../../../models/stt/stt.ts';
import type { TtsRequest } from '../../../../models/tts/tts.ts';
import type { TurnEndReply, TurnEndRequest } from '../../../../models/turn-end/turn-end.ts';
import type { VadRequest } from '../../../../models/vad/vad.ts';

const vocabulary = { language: 'en-US', businessName: 'Acme', services: [], questions: [], phrases: [] };

function client(
  callId: string,
): ModelClient & { failures: string[]; heard: number[]; judged: Array<[number, number | null]> } {
  const failures: string[] = [];
  const judged: Array<[number, number | null]> = [];
  const changes: Array<[number, string | null]> = [];
  const heard: number[] = [];
  return {
    callId,
    uses: { heardMs: 0, characters: 0, spokenMs: 0 },
    failures,
    heard,
    judged,
    hearing: { sampleRateHz: 8_000, vocabulary },
    vadWindow: () => undefined,
    renewVad: () => new SharedArrayBuffer(8),
    sttPartial: () => undefined,
    turnEnded: () => undefined,
    speechWords: () => undefined,
    turnEndJudged: (pause, likelihood) => judged.push([pause, likelihood]),
    sttFinal: () => undefined,
    sttFailed: (_utterance, message) => failures.push(message),
    hearingChanged: (change, message) => changes.push([change, message]),
    modelFallback: () => undefined,
    speech: (_clause, samples) => heard.push(samples.length),
    speechFailed: (_clause, message) => failures.push(message),
    modelFailed: () => undefined,
  };
}

function workers<Request extends { type: string }>(count: number) {
  return Array.from({ length: count }, () => {
    const { port1, port2 } = new MessageChannel();
    const requests: Request[] = [];
    port2.on('message', (request: Request) => requests.push(request));
    return { port: port1, far: port2, requests };
  });
}

function setUp(count: number, first = 0) {
  const vad = new MessageChannel();
  const stt = workers<SttRequest>(count);
  const tts = workers<TtsRequest>(count);
  const ports = new ModelPorts(
    {
      vad: vad.port1,
      vadIndex: 1,
      stt: stt.map(({ port }) => port),
      tts: tts.map(({ port }) => port),
      turnEnd: null,
      speechModel: null,
    },
    (_, action) => action(),
    first,
  );
  const far: MessagePort[] = [vad.port2, ...stt.map((worker) => worker.far), ...tts.map((worker) => worker.far)];
  const stop = (): void => {
    ports.stop();
    for (const port of far) port.close();
  };
  return { ports, stt, tts, stop };
}

const opened = (requests: readonly SttRequest[]): string[] =>
  requests.flatMap((request) => (request.type === 'open' ? [request.callId] : []));
const speech = (text: string) => ({ text, voiceId: 'v', speed: 1, sampleRateHz: 8_000 });

test('calls are spread over all recognisers, and each keeps its own', async () => {
  const { ports, stt, stop } = setUp(3);
  const calls = ['a', 'b', 'c', 'd'].map(client);
  for (const call of calls) ports.open(call);
  for (const call of calls) ports.beginUtterance(call, 1, 'anything');
  await comesToRest();
  assert.deepEqual(
    stt.map(({ requests }) => opened(requests)),
    [['a', 'd'], ['b'], ['c']],
  );
  for (const { requests } of stt)
    assert.equal(requests.filter(({ type }) => type === 'begin').length, opened(requests).length);
  // A call that has ended leaves room.
  const [a] = calls;
  assert.ok(a);
  ports.close(a);
  ports.open(client('e'));
  ports.open(client('f'));
  await comesToRest();
  assert.deepEqual(opened(stt[0]?.requests ?? []).slice(-1), ['e']);
  stop();
});

test('two shards do not begin with the same worker', async () => {
  const one = setUp(2, 0);
  const two = setUp(2, 1);
  one.ports.open(client('a'));
  two.ports.open(client('b'));
  await comesToRest();
  assert.deepEqual(opened(one.stt[0]?.requests ?? []), ['a']);
  assert.deepEqual(opened(two.stt[1]?.requests ?? []), ['b']);
  one.stop();
  two.stop();
});

test('each clause goes to the voice with the least to do; a text that one has rendered goes there again', async () => {
  const { ports, tts, stop } = setUp(2);
  const call = client('a');
  ports.open(call);
  ports.prepareSpeech(call, speech('Hello.'));
  ports.speak(call, { epoch: 1, index: 0 }, speech('One.'));
  ports.speak(call, { epoch: 1, index: 1 }, speech('Two.'));
  ports.speak(call, { epoch: 1, index: 2 }, speech('Hello.'));
  await comesToRest();
  const texts = tts.map(({ requests }) => requests.flatMap((request) => ('text' in request ? [request.text] : [])));
  assert.deepEqual(texts, [['Hello.', 'One.', 'Hello.'], ['Two.']]);
  stop();
});

test('a worker that was lost costs its own calls their open utterance, and no other', async () => {
  const { ports, stt, stop } = setUp(2);
  const [a, b] = [client('a'), client('b')];
  ports.open(a);
  ports.open(b);
  const successor = new MessageChannel();
  const requests: SttRequest[] = [];
  successor.port2.on('message', (request: SttRequest) => requests.push(request));
  ports.replace('stt', 1, successor.port1);
  await comesToRest();
  assert.deepEqual(a.failures, []);
  assert.deepEqual(b.failures, ['the speech recogniser was lost']);
  assert.deepEqual(opened(requests), ['b']);
  assert.deepEqual(opened(stt[0]?.requests ?? []), ['a']);
  successor.port2.close();
  stop();
});

test('a turn-end worker that was lost leaves its question open; its successor answers the next', async () => {
  const [vad, stt, lost] = [new MessageChannel(), new MessageChannel(), new MessageChannel()];
  const successor = new MessageChannel();
  const set = { vad: vad.port1, vadIndex: 0, stt: [stt.port1], tts: [], turnEnd: lost.port1, speechModel: null };
  const ports = new ModelPorts(set, (_, action) => action());
  const call = client('a');
  ports.open(call);
  assert.equal(ports.judgesTurnEnds, true);
  ports.judgeTurnEnd(call, { pause: 1, samples: new Int16Array(8), withinMs: 1 });
  lost.port2.close();
  successor.port2.on('message', (request: TurnEndRequest) => {
    if (request.type !== 'judge') return;
    const { callId, pause } = request;
    const answers: TurnEndReply[] = [
      { type: 'judged', callId, pause, likelihood: 0.75 },
      { type: 'failed', callId, pause, message: 'it broke' },
      { type: 'judged', callId: 'another', pause, likelihood: 0.75 },
    ];
    for (const answer of answers) successor.port2.postMessage(answer);
  });
  ports.replace('turn-end', 0, successor.port1);
  ports.judgeTurnEnd(call, { pause: 2, samples: new Int16Array(8), withinMs: 1 });
  await comesToRest();
  assert.deepEqual(call.judged, [
    [2, 0.75],
    [2, null],
  ]);
  ports.stop();
  for (const { port2 } of [vad, stt, successor]) port2.close();
});

test('of several voice activity detections a shard takes the successor of its own', async () => {
  const { ports, stop } = setUp(1);
  const [other, own] = [new MessageChannel(), new MessageChannel()];
  const call = client('a');
  ports.open(call);
  ports.listen(call, new SharedArrayBuffer(8));
  const closed = new Promise<void>((resolve) => other.port2.once('close', () => resolve()));
  ports.replace('vad', 0, other.port1);
  await closed;
  const opened = new Promise<VadRequest>((resolve) => {
    own.port2.on('message', (request: VadRequest) => {
      if (request.type === 'open') resolve(request);
    });
  });
  ports.replace('vad', 1, own.port1);
  assert.equal((await opened).type, 'open');
  stop();
  own.port2.close();
});

test('when another engine comes, a running call keeps its recogniser and voice, which end with it', async () => {
  const { ports, stt, tts, stop } = setUp(1);
  const [old, next] = [client('old'), client('next')];
  ports.open(old);
  const newStt = workers<SttRequest>(1);
  const newTts = workers<TtsRequest>(1);
  const closed: string[] = [];
  stt[0]?.far.on('close', () => closed.push('stt'));
  tts[0]?.far.on('close', () => closed.push('tts'));
  ports.renew(
    'stt',
    newStt.map(({ port }) => port),
  );
  ports.renew(
    'tts',
    newTts.map(({ port }) => port),
  );
  ports.open(next);
  ports.beginUtterance(old, 1, 'anything');
  ports.speak(old, { epoch: 1, index: 0 }, speech('Old.'));
  ports.speak(next, { epoch: 1, index: 0 }, speech('New.'));
  await comesToRest();
  assert.deepEqual([opened(stt[0]?.requests ?? []), opened(newStt[0]?.requests ?? [])], [['old'], ['next']]);
  assert.equal(stt[0]?.requests.at(-1)?.type, 'begin');
  const texts = [tts, newTts].map((all) => all[0]?.requests.flatMap((each) => ('text' in each ? [each.text] : [])));
  assert.deepEqual(texts, [['Old.'], ['New.']]);
  assert.deepEqual(closed, []);
  ports.close(old);
  await comesToRest();
  assert.deepEqual(closed.sort(), ['stt', 'tts']);
  stop();
  for (const { far } of [...newStt, ...newTts]) far.close();
});

test('an engine that was replaced and dies before its calls hands them to the new one', async () => {
  const { ports, stt, tts, stop } = setUp(1);
  const call = client('a');
  ports.open(call);
  ports.speak(call, { epoch: 1, index: 0 }, speech('Begun.'));
  ports.speak(call, { epoch: 1, index: 1 }, speech('Waiting.'));
  await comesToRest();
  tts[0]?.far.postMessage({ type: 'audio', id: 1, samples: new Int16Array(80), last: false });
  await comesToRest();
  const newStt = workers<SttRequest>(1);
  const newTts = workers<TtsRequest>(1);
  ports.renew(
    'stt',
    newStt.map(({ port }) => port),
  );
  ports.renew(
    'tts',
    newTts.map(({ port }) => port),
  );
  stt[0]?.far.close();
  tts[0]?.far.close();
  await comesToRest();
  assert.deepEqual(opened(newStt[0]?.requests ?? []), ['a']);
  assert.deepEqual(
    newTts[0]?.requests.flatMap((each) => ('text' in each ? [each.text] : [])),
    ['Waiting.'],
  );
  assert.deepEqual(call.failures.sort(), ['the speech recogniser was lost', 'the voice was lost in mid sentence']);
  stop();
  for (const { far } of [...newStt, ...newTts]) far.close();
});
