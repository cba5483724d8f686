// A call that goes on in another language: by the caller's wish, by key, and by what the recogniser hears; and one that
// cannot.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DialogueChunk, DialogueRequest } from '../../../../models/llm/llm.ts';
import { Receptionist } from '../../../../models/llm/receptionist/receptionist.ts';
import type { SttVocabulary } from '../../../../models/stt/stt.ts';
import type { Voice } from '../../../../models/tts/tts.ts';
import { CallStage, type CallStageOptions } from '../stage.ts';

const text = (words: string): DialogueChunk => ({ type: 'text', text: words });
const DIGIT_PAUSE_MS = 2_000;

const AGENT = {
  language: 'en-US',
  voiceId: 'slt',
  additionalLanguages: JSON.stringify(['de-DE', 'es-ES']),
  languages: JSON.stringify([
    { language: 'de-DE', voiceId: 'thorsten', digit: '2', keywords: ['Wurzelbehandlung'] },
    { language: 'en-US', digit: '1' },
  ]),
};

const voice = (id: string, language: string, engine = 'flite'): Voice => ({
  ...{ id, name: id, language, engine, gender: 'female', sampleRateHz: 16_000, isDefault: false },
});

/** A model that asks for a language where the caller says so, and answers in the one that it is told. */
function polyglot(wanted = 'de-DE'): { requests: DialogueRequest[]; model: NonNullable<CallStageOptions['model']> } {
  const requests: DialogueRequest[] = [];
  return {
    requests,
    model: (request) => {
      requests.push(request);
      const last = request.messages.at(-1);
      if (last?.role === 'caller' && /Deutsch|English/.test(last.text))
        return [
          { type: 'tool-call', id: `t-${requests.length}`, name: 'switch_language', arguments: { language: wanted } },
        ];
      return [text(request.language === 'de-DE' ? 'Gern, auf Deutsch.' : 'We open at nine.')];
    },
  };
}

const linesOf = (stage: CallStage, pattern: RegExp): string[] =>
  stage.lines.filter((line) => pattern.test(line)).map((line) => line.slice(8));

test('a caller who asks for German is heard, answered and spoken to in German, and so is the next turn', async () => {
  const { requests, model } = polyglot();
  const stage = await new CallStage({ agent: AGENT, model }).start(6_000);
  await stage.says('Können wir Deutsch sprechen?', 2_000);
  await stage.says('Wann haben Sie geöffnet?', 2_000);
  await stage.hangsUp();
  assert.deepEqual(linesOf(stage, /shard: (listen|speak) in|agent: G/), [
    '> shard: listen in de-DE',
    '> shard: speak in de-DE, voice thorsten',
    '> agent: Gern, auf Deutsch.',
    '> agent: Gern, auf Deutsch.',
  ]);
  assert.deepEqual(
    requests.map(({ language }) => language),
    ['en-US', 'de-DE', 'de-DE'],
  );
  assert.deepEqual(requests.at(-1)?.languages, ['en-US', 'de-DE', 'es-ES']);
});

test('a speech-to-speech model gets the voice of the language, else that of the agent', async () => {
  const agent = {
    ...AGENT,
    conversation: JSON.stringify({ speechVoice: 'marin' }),
    languages: JSON.stringify([
      { language: 'de-DE', voiceId: 'thorsten', digit: '2', speechVoice: 'cedar' },
      { language: 'en-US', digit: '1' },
    ]),
  };
  const stage = await new CallStage({ agent, model: polyglot().model }).start(6_000);
  for (const digits of ['2', '1']) {
    await stage.keys(digits, DIGIT_PAUSE_MS + 100);
    await stage.wants({ kind: 'digits', digits }, 5_000);
  }
  assert.deepEqual(linesOf(stage, /speak in/), [
    "> shard: speak in de-DE, voice thorsten, model's cedar",
    "> shard: speak in en-US, voice slt, model's marin",
  ]);
});

test('the recogniser hears all the languages until one is asked for by name, and that one alone from then on', async () => {
  const { model } = polyglot();
  const stage = await new CallStage({ agent: AGENT, model }).start(6_000);
  const { vocabulary, mayChangeLanguage } = stage.audio().command;
  assert.deepEqual(
    [vocabulary.language, vocabulary.additionalLanguages, mayChangeLanguage],
    ['en-US', ['de-DE', 'es-ES'], true],
  );
  await stage.says('Deutsch, please', 2_000);
  await stage.says('Können wir doch English sprechen?', 0);
  assert.deepEqual(linesOf(stage, /listen in/), ['> shard: listen in de-DE']);
});

test('an agent of one language has no tool for another, and its calls keep no audio', async () => {
  const { requests, model } = polyglot();
  const stage = await new CallStage({ model }).start(6_000);
  await stage.says('when do you open', 2_000);
  assert.equal(stage.audio().command.mayChangeLanguage, undefined);
  assert.ok(!requests[0]?.tools.some(({ name }) => name === 'switch_language'));
});

test('by its key, pressed alone, the agent goes on in the language and says so; the other key leads back', async () => {
  const stage = await new CallStage({ agent: AGENT, model: () => [text('We open at nine.')] }).start(6_000);
  await stage.keys('2', DIGIT_PAUSE_MS + 100);
  await stage.wants({ kind: 'digits', digits: '2' }, 5_000);
  await stage.keys('1', DIGIT_PAUSE_MS + 100);
  await stage.wants({ kind: 'digits', digits: '1' }, 5_000);
  await stage.wants({ kind: 'digits', digits: '12' }, 5_000);
  assert.deepEqual(linesOf(stage, /shard: (listen|speak) in|agent: (Gern|Of course|let|We)/), [
    '> shard: listen in de-DE',
    '> shard: speak in de-DE, voice thorsten',
    '> agent: Gern, sprechen wir Deutsch.',
    '> shard: listen in en-US',
    '> shard: speak in en-US, voice slt',
    '> agent: Of course,',
    "> agent: let's speak English.",
    '> agent: We open at nine.',
  ]);
  await stage.hangsUp();
  await stage.run(1_000);
  const [end] = stage.of('endCall') as Array<{ languages: string[]; timeline: { languageChanges: object[] } }>;
  assert.deepEqual(end?.languages, ['en-US', 'de-DE', 'en-US']);
  assert.deepEqual(
    end?.timeline.languageChanges.map((change) => ({ ...change, atMs: 0 })),
    [
      { atMs: 0, from: 'en-US', to: 'de-DE', by: 'key', outcome: 'changed' },
      { atMs: 0, from: 'de-DE', to: 'en-US', by: 'key', outcome: 'changed' },
    ],
  );
  assert.equal(stage.of('markLanguage').length, 2, 'clients are told of each');
});

test('digits that the agent has asked for are no key of a language', async () => {
  const model = () => [text('What is your phone number?')];
  const stage = await new CallStage({ agent: AGENT, model }).start(6_000);
  await stage.says('please call me back', 3_000);
  await stage.wants({ kind: 'digits', digits: '2' }, 3_000);
  assert.deepEqual(linesOf(stage, /listen in/), []);
});

const heard = (language: string, words: number, confidence = 0.6) =>
  ({ type: 'language-heard', callId: 'call_1', language, words, confidence }) as const;

test('a caller who is heard to speak German twice in a row goes on in German; a short answer says nothing', async () => {
  const { requests, model } = polyglot();
  const stage = await new CallStage({ agent: AGENT, model }).start(6_000);
  await stage.reports(heard('de', 4));
  await stage.reports(heard('de', 1));
  await stage.reports(heard('en', 4));
  await stage.reports(heard('de', 4), 500);
  assert.deepEqual(linesOf(stage, /listen in/), []);
  await stage.reports(heard('de', 3), 500);
  assert.deepEqual(linesOf(stage, /(listen|speak) in/), [
    '> shard: listen in de-DE, en-US, es-ES',
    '> shard: speak in de-DE, voice thorsten',
  ]);
  await stage.says('Wann haben Sie offen?', 2_000);
  const { language, messages } = requests.at(-1) ?? {};
  assert.equal(language, 'de-DE');
  assert.ok(messages?.some((message) => message.role === 'note' && /auf Deutsch/.test(message.text)));
});

test('the recogniser cannot hear the language: the call goes on as it was, and says so', async () => {
  for (const hearsIn of [() => 'it does not know it', () => 'silent' as const]) {
    const { requests, model } = polyglot();
    const stage = await new CallStage({ agent: AGENT, model, hearsIn }).start(6_000);
    await stage.says('Können wir Deutsch sprechen?', 9_000);
    assert.deepEqual(linesOf(stage, /speak in/), []);
    const last = requests.at(-1);
    assert.equal(last?.language, 'en-US');
    const result = last?.messages.findLast(({ role }) => role === 'tool-result');
    assert.match(JSON.stringify(result), /no_recogniser/);
    assert.deepEqual(linesOf(stage, /agent: We/), ['> agent: We open at nine.']);
    await stage.hangsUp();
    await stage.run(1_000);
    const [end] = stage.of('endCall') as Array<{ languages: string[]; timeline: { languageChanges: object[] } }>;
    assert.deepEqual(end?.languages, ['en-US']);
    assert.match(JSON.stringify(end?.timeline.languageChanges), /no_recogniser/);
    assert.deepEqual(stage.of('markLanguage'), []);
  }
});

test('a recogniser that answers too late is sent back to the language that is spoken, once', async () => {
  const { model } = polyglot();
  let answers: 'silent' | null = 'silent';
  const stage = await new CallStage({ agent: AGENT, model, hearsIn: () => answers }).start(6_000);
  await stage.says('Können wir Deutsch sprechen?', 6_000);
  answers = null;
  await stage.reports({ type: 'listens-in', callId: 'call_1', change: 1, message: null }, 1_000);
  assert.deepEqual(linesOf(stage, /listen in/), ['> shard: listen in de-DE', '> shard: listen in en-US, de-DE, es-ES']);
});

test('no voice speaks the language: the recogniser is not even asked', async () => {
  const voices = [voice('slt', 'en-US'), voice('lucia', 'es-ES', 'sherpa:x')];
  const stage = await new CallStage({ agent: AGENT, voices, model: polyglot().model }).start(6_000);
  await stage.says('Können wir Deutsch sprechen?', 2_000);
  assert.deepEqual(linesOf(stage, /(listen|speak) in/), []);
  const spanish = await new CallStage({ agent: AGENT, voices, model: polyglot('es').model }).start(6_000);
  await spanish.says('Deutsch oder Spanisch?', 2_000);
  assert.deepEqual(
    linesOf(spanish, /speak in/),
    ['> shard: speak in es-ES, voice lucia'],
    'one that speaks it is found',
  );
});

test('a voice of a server speaks all of the languages', async () => {
  const voices = [voice('slt', 'en-US', 'elevenlabs')];
  const stage = await new CallStage({ agent: AGENT, voices, model: polyglot('es').model }).start(6_000);
  await stage.says('English or Spanish?', 2_000);
  assert.deepEqual(linesOf(stage, /speak in/), ['> shard: speak in es-ES, voice slt']);
});

test('the built-in receptionist goes on in the language that the caller asks for', async () => {
  const stage = await new CallStage({ agent: AGENT, dialogue: new Receptionist() }).start(6_000);
  await stage.says('can you speak German', 9_000);
  assert.deepEqual(linesOf(stage, /agent: (Ich bin|Möchten Sie mit)/), [
    '> agent: Ich bin eine automatische Ansage und kann noch kein Gespräch führen.',
    '> agent: Möchten Sie mit jemandem sprechen, drücken Sie die 1.',
  ]);
  await stage.says('english please', 9_000);
  assert.equal(linesOf(stage, /agent: let's speak English/).length, 1);
});

test('what the call says of its own is in its language', async () => {
  const fails = await new CallStage({
    agent: AGENT,
    model: (request) => (request.language === 'de-DE' ? 'fails' : polyglot().model(request)),
    business: { dialogueFallback: 'message' },
  }).start(6_000);
  await fails.says('Deutsch, bitte', 12_000);
  assert.equal(linesOf(fails, /agent: Entschuldigung, ich habe gerade ein technisches Problem/).length, 1);
});

test('a speech-to-speech model is told of a language that was chosen by key', async () => {
  const stage = await new CallStage({ agent: AGENT, speech: () => {} }).start(6_000);
  await stage.wants({ kind: 'digits', digits: '2' }, 5_000);
  await stage.says('Wann haben Sie offen?', 500);
  const items = stage.shard.asks.flatMap((ask) => (ask.type === 'respond' ? ask.items : []));
  assert.ok(
    items.some((item) => item.kind === 'note' && /auf Deutsch/.test(item.text)),
    JSON.stringify(items),
  );
});

test('the language has its own words for the recogniser, beside those of the agent', async () => {
  const agent = { ...AGENT, conversation: JSON.stringify({ keywords: ['Invisalign'] }) };
  const stage = new CallStage({ agent, model: polyglot().model });
  const sent: SttVocabulary[] = [];
  stage.shard.onListen = (vocabulary) => sent.push(vocabulary);
  await stage.start(6_000);
  await stage.says('Deutsch, bitte', 2_000);
  assert.deepEqual(stage.audio().command.vocabulary.keywords, ['Invisalign']);
  assert.deepEqual(sent.at(-1)?.keywords, ['Invisalign', 'Wurzelbehandlung']);
});
