// Words so far from a server of whole utterances, through the worker's host: what is asked, and what each fault costs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { tone } from '../../../bench/rig/conversation/tones.ts';
import { comesToRest, eventually } from '../../../bench/rig/eventually.ts';
import { SpeechServer } from '../../../bench/rig/fakes/speech-server.ts';
import type { Fault } from '../../../bench/rig/fakes/speech-server-options.ts';
import { withFallback } from '../../../models/stt/fallback.ts';
import { streaming } from '../../../models/stt/polled.ts';
import type { SttReply, SttRequest } from '../../../models/stt/stt.ts';
import { AnswerTimes } from '../../../models/stt/vendor/answer-times.ts';
import createOpenAiStt from '../../../models/stt/vendor/openai.ts';
import { SttHost } from '../../../models/stt/worker.ts';
import createInstantStt from '../../support/models/engines/instant-stt.ts';
import { repliesOn } from '../../support/models/replies.ts';

const vocabulary = { language: 'en-US', businessName: 'Acme', services: [], questions: [], phrases: [] };

/** Each answer counts as one that took so long, however long this machine needs for it. */
class FixedTimes extends AnswerTimes {
  readonly #ms: number;

  constructor(ms: number) {
    super();
    this.#ms = ms;
  }

  override note(): void {
    super.note(this.#ms);
  }
}

/** A call whose server has shown that it is quick, unless `turns` is less than 3 or its answers take longer. */
async function listen({ turns = 3, tookMs = 100, fallback = false } = {}) {
  const server = await new SpeechServer().start();
  const environment = { STT_BASE_URL: `${server.origin}/v1`, STT_API_KEY: 'key' };
  const remote = await createOpenAiStt(environment, new FixedTimes(tookMs));
  const engine = fallback ? withFallback(remote, streaming(await createInstantStt())) : remote;
  const host = new SttHost(engine);
  const { port1, port2 } = new MessageChannel();
  const { all, next } = repliesOn<SttReply>(port1);
  host.connect(port2);
  const send = (request: SttRequest): void => port1.postMessage(request);
  const say = (utterance: number, ms: number): void =>
    send({ type: 'audio', callId: 'a', utterance, samples: tone([440], ms, 8_000, 8_000) });
  send({ type: 'open', callId: 'a', sampleRateHz: 8_000, vocabulary });
  const of = (type: SttReply['type'], utterance: number) =>
    next((reply) => reply.type === type && 'utterance' in reply && reply.utterance === utterance);
  for (let turn = 1; turn <= turns; turn++) {
    send({ type: 'begin', callId: 'a', utterance: turn, expects: 'anything' });
    say(turn, 200);
    send({ type: 'finish', callId: 'a', utterance: turn });
    await of('final', turn);
  }
  send({ type: 'begin', callId: 'a', utterance: 9, expects: 'anything' });
  say(9, 300);
  const before = server.requests.length;
  return {
    server,
    all,
    of,
    say: (ms: number) => say(9, ms),
    /** Another utterance, in which the words so far are asked for. */
    next: (utterance: number) => {
      send({ type: 'begin', callId: 'a', utterance, expects: 'anything' });
      say(utterance, 300);
      send({ type: 'ask', callId: 'a', utterance, number: 1 });
      send({ type: 'finish', callId: 'a', utterance });
    },
    ask: (number: number) => send({ type: 'ask', callId: 'a', utterance: 9, number }),
    finish: (asked?: number) =>
      send({ type: 'finish', callId: 'a', utterance: 9, ...(asked === undefined ? {} : { asked }) }),
    cancel: () => send({ type: 'cancel', callId: 'a', utterance: 9 }),
    seen: (count: number) => eventually(() => server.requests.length - before >= count),
    asked: () => server.requests.slice(before),
    /** The server answers no request until the returned function is called. */
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      server.held = promise;
      return () => {
        server.held = null;
        resolve();
      };
    },
    close: async () => {
      await host.close();
      await server.stop();
      port1.close();
    },
  };
}

const textOf = (reply: SttReply): string => (reply.type === 'final' ? reply.result.text : reply.type);

test('a quick server is asked for the words so far, and for the result of all audio', async () => {
  const call = await listen();
  call.ask(1);
  const partial = await call.of('partial', 9);
  assert.ok(partial.type === 'partial' && partial.asked === 1 && partial.text === call.server.text);
  call.say(200);
  call.finish();
  assert.equal(textOf(await call.of('final', 9)), call.server.text);
  assert.deepEqual(
    call.asked().map(({ audioMs }) => audioMs),
    [300, 500],
  );
  // Its 500 ms are the call’s own; the 300 were sent beside them.
  assert.deepEqual(
    call.all.flatMap((reply) => (reply.type === 'heard-again' ? reply.ms : [])),
    [300],
  );
  await call.close();
});

test('nothing was said since the words so far were asked for: they are the result, with one request', async () => {
  for (const isAnswered of [false, true]) {
    const call = await listen();
    const release = call.hold();
    call.ask(1);
    await call.seen(1);
    if (isAnswered) {
      release();
      await call.of('partial', 9);
    }
    call.finish(1);
    release();
    assert.equal(textOf(await call.of('final', 9)), call.server.text);
    assert.equal(call.asked().length, 1);
    const types = call.all.filter((reply) => 'utterance' in reply && reply.utterance === 9).map(({ type }) => type);
    assert.deepEqual(types, ['partial', 'final']);
    await call.close();
  }
});

test('words so far that fail are asked for again where they are the result', async () => {
  const call = await listen();
  const release = call.hold();
  call.server.nextFaults.push('broken');
  call.ask(1);
  await call.seen(1);
  call.finish(1);
  release();
  assert.equal(textOf(await call.of('final', 9)), call.server.text);
  assert.equal(call.asked().length, 2);
  await call.close();
});

test('the result does not wait for words so far that are on their way: their request is given up', async () => {
  const call = await listen();
  call.server.nextFaults.push('hang');
  call.ask(1);
  await call.seen(1);
  call.say(200);
  call.finish();
  assert.equal(textOf(await call.of('final', 9)), call.server.text);
  await eventually(() => call.asked()[0]?.isAborted === true);
  assert.deepEqual(
    call.asked().map(({ audioMs }) => audioMs),
    [300, 500],
  );
  assert.ok(call.all.every(({ type }) => type !== 'partial'));
  await call.close();
});

test('one request is in flight: later words so far wait for it, and the newest are asked for', async () => {
  const call = await listen();
  const release = call.hold();
  call.ask(1);
  await call.seen(1);
  call.say(200);
  call.ask(2);
  call.say(200);
  call.ask(3);
  await comesToRest();
  release();
  await eventually(() => call.all.filter(({ type }) => type === 'partial').length === 2);
  assert.deepEqual(
    call.all.map((reply) => (reply.type === 'partial' ? reply.asked : null)).filter((asked) => asked !== null),
    [1, 3],
  );
  assert.deepEqual(
    call.asked().map(({ audioMs, isAborted }) => [audioMs, isAborted]),
    [
      [300, false],
      [700, false],
    ],
  );
  await call.close();
});

test('a result that nobody waits for any more makes way for the next', async () => {
  const call = await listen();
  const release = call.hold();
  call.finish();
  await call.seen(1);
  call.cancel();
  call.next(10);
  await eventually(() => call.asked()[0]?.isAborted === true);
  release();
  await call.of('final', 10);
  assert.equal(call.asked()[0]?.isAborted, true);
  assert.ok(call.all.every((reply) => reply.type !== 'final' || reply.utterance !== 9));
  await call.close();
});

test('a server that is not known to be quick is asked for results only', async () => {
  for (const options of [{ turns: 2 }, { tookMs: 500 }]) {
    const call = await listen(options);
    call.ask(1);
    call.finish();
    assert.equal(textOf(await call.of('final', 9)), call.server.text);
    assert.equal(call.asked().length, 1);
    assert.ok(call.all.every((reply) => reply.type !== 'partial'));
    await call.close();
  }
});

test('a server that refuses the early request is asked for the result, and not early again', async () => {
  for (const fault of ['quota', 'broken', 'garbage'] satisfies Fault[]) {
    const call = await listen();
    call.server.nextFaults.push(fault);
    call.ask(1);
    await call.seen(1);
    call.finish(1);
    assert.equal(textOf(await call.of('final', 9)), call.server.text, fault);
    const before = call.asked().length;
    call.next(10);
    await call.of('final', 10);
    assert.equal(call.asked().length - before, 1, fault);
    await call.close();
  }
});

test('the early request works behind the built-in recogniser too', async () => {
  const call = await listen({ fallback: true });
  call.ask(1);
  assert.equal((await call.of('partial', 9)).type, 'partial');
  call.finish();
  assert.equal(textOf(await call.of('final', 9)), call.server.text);
  await call.close();
});

test('STT_INTERIMS=off: words so far are never asked for', async () => {
  const environment = { STT_BASE_URL: 'http://127.0.0.1:9/v1', STT_API_KEY: 'key' };
  assert.equal((await createOpenAiStt(environment)).givesInterims, true);
  assert.equal((await createOpenAiStt({ ...environment, STT_INTERIMS: 'off' })).givesInterims, false);
});
