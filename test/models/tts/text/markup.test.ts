// Markup that a dialogue model writes is spoken by no voice, in no language.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { offsetsIn, withoutMarkup } from '../../../../models/tts/text/markup.ts';
import { readAloud } from '../../../../models/tts/text/read-aloud.ts';
import type { SpeechRequest, TtsEngine, TtsReply } from '../../../../models/tts/tts.ts';
import { TtsHost } from '../../../../models/tts/worker.ts';
import { repliesOn } from '../../../support/models/replies.ts';

const PLAIN: Array<[written: string, plain: string]> = [
  ['**Sure!** 😊\n1. **Monday** – 9:00', 'Sure! Monday – 9:00'],
  ['| Day | Time |\n|-----|:----:|\n| Mon | 9:00 |', 'Day, Time. Mon, 9:00'],
  ['See [our page](https://shop.example/book?x=1#top) & call us.', 'See our page & call us.'],
  ['### Bye ---', 'Bye'],
  ['See https://www.shop.example/book?x=1#top.', 'See shop.example.'],
  ['<https://shop.example>, or ![a map](m.png)', 'shop.example, or a map'],
  ['[the docs][1] say so [2]【4:0†source】.', 'the docs say so.'],
  ['Line one<br/>and <b>two</b>', 'Line one and two'],
  ['- [x] Done\n- [ ] Open\n> quoted', 'Done. Open. quoted'],
  ['Fine 👍🏽 🇩🇪 1️⃣ 👨‍👩‍👧 :-)', 'Fine 1'],
  ['```js\nrm()\n```\nThat is `all`.', 'That is all.'],
  ['~~No~~ __yes__, jo_smith@shop.example', 'No yes, jo_smith@shop.example'],
  ['One\n***\nTwo', 'One. Two'],
];
for (const [written, plain] of PLAIN)
  test(`"${written.replaceAll('\n', '\\n')}" is "${plain}"`, () => {
    for (const language of ['en-US', 'de-DE', 'ja-JP']) assert.equal(withoutMarkup(written, language).trim(), plain);
    assert.equal(withoutMarkup(plain, 'de-DE').trim(), plain);
  });

test('a date at the beginning of a German sentence is no item of a list, and two items are', () => {
  assert.equal(withoutMarkup('5. Mai passt.', 'de-DE'), '5. Mai passt.');
  assert.equal(withoutMarkup('1. Mai\n2. Juni', 'de-DE'), 'Mai. Juni');
});

test('a language without rules of its own loses its markup too', () => {
  assert.equal(readAloud('**Dzień** dobry 😊', 'pl-PL').trim(), 'Dzień dobry');
});

test('every voice gets words without markup, and what is heard is told in places of the text as it was', async () => {
  const asked: SpeechRequest[] = [];
  const engine: TtsEngine = {
    name: 'remote',
    voices: [
      {
        id: 'v',
        name: 'V',
        language: 'it-IT',
        gender: 'neutral',
        engine: 'remote',
        sampleRateHz: 8_000,
        isDefault: true,
      },
    ],
    concurrency: 1,
    patienceMs: 5_000,
    speak: async (request, { onAudio, onWords }) => {
      asked.push(request);
      onWords?.([
        { endChar: 4, endMs: 300 },
        { endChar: request.text.length, endMs: 600 },
      ]);
      onAudio(new Int16Array(800));
    },
    close: async () => {},
  };
  const host = new TtsHost([engine]);
  const { port1, port2 } = new MessageChannel();
  const { all, next } = repliesOn<TtsReply>(port1);
  host.connect(port2);
  const text = '**Ciao** Anna! 😊';
  const over = (id: number) => (reply: TtsReply) =>
    (reply.type === 'audio' && reply.id === id && reply.last) || reply.type === 'failed';
  port1.postMessage({ type: 'speak', id: 1, text, voiceId: 'v', speed: 1, sampleRateHz: 8_000, language: 'it-IT' });
  await next(over(1));
  assert.equal(asked[0]?.text, 'Ciao Anna!');
  const words = all.flatMap((reply) => (reply.type === 'words' ? reply.words : []));
  assert.deepEqual(
    words.map(({ endChar }) => endChar),
    [text.indexOf('**', 2), text.length],
  );
  port1.postMessage({ type: 'speak', id: 2, text: '😊\n---', voiceId: 'v', speed: 1, sampleRateHz: 8_000 });
  assert.equal((await next(over(2))).type, 'audio');
  assert.equal(asked.length, 1, 'nothing is asked for without words');
  await host.close();
  port1.close();
});

test('places behind a link are found again', () => {
  const [text, plain] = ['See [us](http://a.b) now', 'See us now'];
  const place = offsetsIn(text, plain);
  assert.equal(text.slice(0, place(6)), 'See [us');
  assert.equal(place(10), text.length);
});
