// A call whose recogniser changes its language in the middle of an utterance: every word is heard once, and what was on
// its way still comes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import type { SttEngine, SttReply, SttStream, SttUtterance } from '../../../models/stt/stt.ts';
import { SttHost } from '../../../models/stt/worker.ts';
import { encodeText } from '../../support/models/engines/instant-stt.ts';
import { sttClient } from '../../support/models/stt-client.ts';

const vocabulary = (language: string) => ({ language, businessName: '', services: [], questions: [], phrases: [] });
const decode = (samples: Int16Array): string => String.fromCharCode(...samples);

/** Writes its language before what it hears. `finals`: results are held back until they are let go. */
function recogniser() {
  const held: Array<() => void> = [];
  const streams: Array<{ language: string; isClosed: boolean; isAborted: boolean }> = [];
  const opening = new Map<string, Promise<void>>();
  const engine: SttEngine = {
    ...{ name: 'fake', freeText: true, languages: ['en', 'de'], patienceMs: 1_000, blockMs: 20 },
    openStream: async ({ vocabulary: { language } }): Promise<SttStream> => {
      await opening.get(language);
      if (language === 'xx') throw new Error('fake does not know xx');
      const stream = { language, isClosed: false, isAborted: false };
      streams.push(stream);
      return {
        begin: ({ onEvent, signal }): SttUtterance => {
          let text = '';
          signal.addEventListener('abort', () => {
            stream.isAborted = true;
          });
          return {
            write: (samples) => {
              text += decode(samples);
              onEvent({ type: 'partial', text: `${language}:${text}` });
            },
            finish: () => {
              held.push(() =>
                onEvent({ type: 'final', result: { text: `${language}:${text}`, confidence: 1, understood: true } }),
              );
            },
          };
        },
        close: () => {
          stream.isClosed = true;
        },
      };
    },
    close: async () => {},
  };
  const release = (): void => {
    for (const each of held.splice(0)) each();
  };
  return { engine, streams, opening, release };
}

async function callOn(engine: SttEngine, keepsAudio = true) {
  const host = new SttHost(engine);
  const { port1, port2 } = new MessageChannel();
  const shard = sttClient(port1);
  host.connect(port2);
  shard.send({ type: 'open', callId: 'a', sampleRateHz: 8_000, vocabulary: vocabulary('en'), keepsAudio });
  const utter = (utterance: number, text: string): void =>
    shard.send({ type: 'audio', callId: 'a', utterance, samples: encodeText(text) });
  return {
    ...shard,
    begin: (utterance: number, text: string) => {
      shard.send({ type: 'begin', callId: 'a', utterance, expects: 'anything' });
      utter(utterance, text);
    },
    utter,
    finish: (utterance: number) => shard.send({ type: 'finish', callId: 'a', utterance }),
    change: (change: number, language: string) =>
      shard.send({ type: 'change', callId: 'a', change, vocabulary: vocabulary(language) }),
    close: () => host.close().then(() => port1.close()),
  };
}

const changed = (change: number) => (reply: SttReply) => reply.type === 'changed' && reply.change === change;
const partial = (text: string) => (reply: SttReply) => reply.type === 'partial' && reply.text === text;
const finalOf = (utterance: number) => (reply: SttReply) => reply.type === 'final' && reply.utterance === utterance;
const textOf = (reply: SttReply): string => (reply.type === 'final' ? reply.result.text : '');

test('the utterance that is being spoken goes to the new stream from its first sample', async () => {
  const { engine, streams, release } = recogniser();
  const call = await callOn(engine);
  call.begin(1, 'guten ');
  await call.next(partial('en:guten '));
  call.change(1, 'de');
  const reply = await call.next(changed(1));
  assert.ok(reply.type === 'changed' && reply.message === null);
  call.utter(1, 'tag');
  call.finish(1);
  await call.next(partial('de:guten tag'));
  release();
  assert.equal(textOf(await call.next(finalOf(1))), 'de:guten tag');
  assert.deepEqual(streams, [
    { language: 'en', isClosed: true, isAborted: true },
    { language: 'de', isClosed: false, isAborted: false },
  ]);
  await call.close();
});

test('what is said while the new stream is being opened is heard by it too', async () => {
  const { engine, opening, release } = recogniser();
  const opened = Promise.withResolvers<void>();
  opening.set('de', opened.promise);
  const call = await callOn(engine);
  call.begin(1, 'eins ');
  call.change(1, 'de');
  call.utter(1, 'zwei ');
  await call.next(partial('en:eins zwei '));
  opened.resolve();
  await call.next(changed(1));
  call.utter(1, 'drei');
  call.finish(1);
  await call.next(partial('de:eins zwei drei'));
  release();
  assert.equal(textOf(await call.next(finalOf(1))), 'de:eins zwei drei');
  await call.close();
});

test('a finished utterance still gets its result from the old stream, which then ends', async () => {
  const { engine, streams, release } = recogniser();
  const call = await callOn(engine);
  call.begin(1, 'can you speak german');
  call.finish(1);
  await call.next(partial('en:can you speak german'));
  call.change(1, 'de');
  await call.next(changed(1));
  assert.equal(streams[0]?.isClosed, false);
  call.begin(2, 'ja');
  call.finish(2);
  await call.next(partial('de:ja'));
  release();
  assert.equal(textOf(await call.next(finalOf(1))), 'en:can you speak german');
  assert.equal(textOf(await call.next(finalOf(2))), 'de:ja');
  assert.deepEqual(
    streams.map(({ isClosed }) => isClosed),
    [true, false],
  );
  await call.close();
});

test('a language that the engine does not know leaves everything as it is, and says why', async () => {
  const { engine, streams, release } = recogniser();
  const call = await callOn(engine);
  call.begin(1, 'hello ');
  call.change(1, 'xx');
  const reply = await call.next(changed(1));
  assert.ok(reply.type === 'changed' && reply.message === 'fake does not know xx');
  call.utter(1, 'there');
  call.finish(1);
  await call.next(partial('en:hello there'));
  release();
  assert.equal(textOf(await call.next(finalOf(1))), 'en:hello there');
  assert.equal(streams.length, 1);
  await call.close();
});

test('of two changes the newer one counts, however late the older one is', async () => {
  const { engine, streams, opening } = recogniser();
  const opened = Promise.withResolvers<void>();
  opening.set('de', opened.promise);
  const call = await callOn(engine);
  call.begin(1, 'hello');
  call.change(1, 'de');
  call.change(2, 'en');
  await call.next(changed(2));
  opened.resolve();
  call.utter(1, ' again');
  await call.next(partial('en:hello again'));
  assert.ok(!call.replies.some(changed(1)));
  assert.deepEqual(
    streams.map(({ language, isClosed }) => [language, isClosed]),
    [
      ['en', true],
      ['en', false],
      ['de', true],
    ],
  );
  await call.close();
});

test('a call that is over while its language changes leaves no stream open', async () => {
  const { engine, streams, opening } = recogniser();
  const opened = Promise.withResolvers<void>();
  opening.set('de', opened.promise);
  const call = await callOn(engine);
  call.begin(1, 'hello');
  await call.next(partial('en:hello'));
  call.change(1, 'de');
  call.send({ type: 'close', callId: 'a' });
  call.change(2, 'de');
  const refused = await call.next(changed(2));
  assert.ok(refused.type === 'changed' && refused.message === 'no such session');
  opened.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(streams.every(({ isClosed }) => isClosed));
  await call.close();
});
