// Words of the engine that stands in for the chosen one count where it is sure of them and nothing is decided by them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../bench/rig/eventually.ts';
import { withFallback } from '../../../models/stt/fallback.ts';
import type { Expectation, SttEngine, SttEvent, SttResult, SttUtteranceOptions } from '../../../models/stt/stt.ts';
import { DECIDING_WORDS, decides } from '../../../models/stt/unsaid/deciding-words.ts';
import { Breaker } from '../../../models/workers/breaker.ts';

/** An engine whose answers the test gives. */
class PlayedEngine implements SttEngine {
  readonly name: string;
  readonly freeText = true;
  readonly languages = null;
  readonly patienceMs = 5;
  readonly blockMs = 60;
  readonly begun: SttUtteranceOptions[] = [];

  constructor(name: string) {
    this.name = name;
  }

  async openStream() {
    return {
      begin: (options: SttUtteranceOptions) => {
        this.begun.push(options);
        return { write: () => {}, finish: () => {} };
      },
      close: () => {},
    };
  }

  says(event: SttEvent): void {
    for (const { onEvent } of this.begun) onEvent(event);
  }

  async close(): Promise<void> {}
}

const final = (text: string, confidence: number): SttEvent => ({
  type: 'final',
  result: { text, confidence, understood: text !== '' },
});

const UNSURE: SttResult = { text: '', confidence: 0, understood: false, standIn: true };

/** A call whose recogniser is the first engine; its utterances. */
async function callIn(language: string) {
  const [first, second] = [new PlayedEngine('first'), new PlayedEngine('second')];
  let nowMs = 0;
  // The first engine has rested enough before each utterance.
  const breaker = new Breaker(() => {
    nowMs += 60_000;
    return nowMs;
  });
  const stream = await withFallback(first, second, breaker).openStream({
    callId: 'a',
    sampleRateHz: 8_000,
    vocabulary: { language, businessName: 'Acme', services: [], questions: [], phrases: [] },
    signal: new AbortController().signal,
    onFallback: () => {},
  });
  const begin = async (expects: Expectation, isLate: boolean) => {
    const events: SttEvent[] = [];
    const [firstBefore, secondBefore] = [first.begun.length, second.begun.length];
    const sink = stream.begin({
      expects,
      signal: new AbortController().signal,
      onEvent: (event) => events.push(event),
    });
    await eventually(() => first.begun.length > firstBefore);
    sink.finish();
    if (!isLate) first.says({ type: 'lost', message: 'refused' });
    await eventually(() => second.begun.length > secondBefore);
    return events;
  };
  return { first, second, begin };
}

/** An utterance whose first engine has failed, or is only late; the second listens. */
async function utterance(language: string, isLate = false) {
  const { first, second, begin } = await callIn(language);
  return { first, second, events: await begin('anything', isLate) };
}

const resultsOf = (events: readonly SttEvent[]) =>
  events.map((event) => (event.type === 'final' ? event.result : event));

test('words of which it is sure count, and are marked as its own', async () => {
  const { second, events } = await utterance('en-US');
  second.says({ type: 'partial', text: 'no thanks' });
  second.says(final('i would like a haircut', 0.95));
  assert.deepEqual(resultsOf(events), [
    { text: 'i would like a haircut', confidence: 0.95, understood: true, standIn: true },
  ]);
});

test('an ending, a refusal, a consent, an amount or a doubtful word is not guessed: the agent asks again', async () => {
  for (const text of ["no thanks that's it", 'yes please', 'goodbye', 'a table for four', 'cancel my booking', '555'])
    assert.deepEqual(await heardOf('en-US', text, 1), [UNSURE], text);
  assert.deepEqual(await heardOf('en-US', 'i would like a haircut', 0.7), [UNSURE]);
  assert.deepEqual(await heardOf('de-DE', 'nein danke', 1), [UNSURE]);
});

async function heardOf(language: string, text: string, confidence: number) {
  const { second, events } = await utterance(language);
  second.says(final(text, confidence));
  return resultsOf(events);
}

/** The parts that count of the stand-in's answers to questions of the agent, one after the other. */
async function answersOf(...said: ReadonlyArray<readonly [Expectation, string]>) {
  const { second, begin } = await callIn('en-US');
  const heard: string[] = [];
  for (const [expects, text] of said) {
    const events = await begin(expects, false);
    second.says(final(text, 0.95));
    heard.push(...resultsOf(events).map((result) => ('text' in result ? result.text : result.type)));
  }
  return heard;
}

test('while the server is away, a yes or no to a plain question counts when the caller says it again', async () => {
  assert.deepEqual(await answersOf(['yes-no', 'yes please'], ['yes-no', 'yes']), ['', 'yes']);
  assert.deepEqual(await answersOf(['yes-no', 'no'], ['yes-no', 'no no']), ['', 'no no']);
  // "Could you say that again?"
  assert.deepEqual(await answersOf(['yes-no', 'no'], ['anything', 'no']), ['', 'no']);
  assert.deepEqual(await answersOf(['yes-no', 'no'], ['yes-no', 'yes'], ['yes-no', 'yes']), ['', '', 'yes']);
});

test('nothing else counts by being said again: no other question, no ending, no number', async () => {
  assert.deepEqual(await answersOf(['anything', 'yes'], ['anything', 'yes']), ['', '']);
  assert.deepEqual(await answersOf(['yes-no', 'goodbye'], ['yes-no', 'goodbye']), ['', '']);
  assert.deepEqual(await answersOf(['yes-no', 'four'], ['yes-no', 'four']), ['', '']);
  assert.deepEqual(await answersOf(['yes-no', 'yes'], ['yes-no', 'a haircut'], ['yes-no', 'yes']), [
    '',
    'a haircut',
    '',
  ]);
});

test('where the first engine is only late, its answer is waited for before the agent asks again', async () => {
  const late = await utterance('en-US', true);
  late.second.says(final("no thanks that's it", 1));
  assert.deepEqual(late.events, []);
  late.first.says(final('can you ask in one second', 0.9));
  assert.deepEqual(resultsOf(late.events), [{ text: 'can you ask in one second', confidence: 0.9, understood: true }]);
  const gone = await utterance('en-US', true);
  gone.second.says(final("no thanks that's it", 1));
  gone.first.says({ type: 'lost', message: 'no answer' });
  assert.deepEqual(resultsOf(gone.events), [UNSURE]);
});

test('the seven languages have words that decide; in another, every word may be one', () => {
  assert.deepEqual(Object.keys(DECIDING_WORDS).toSorted(), ['de', 'en', 'es', 'fr', 'it', 'nl', 'pt']);
  const deciding = { de: 'ja genau', fr: "c'est tout", es: 'no gracias', it: 'va bene', nl: 'twintig', pt: 'tchau' };
  for (const [language, text] of Object.entries(deciding)) assert.ok(decides(text, language), text);
  for (const [language, text] of Object.entries({ en: 'a haircut', de: 'einen haarschnitt', fr: 'la coupe' }))
    assert.ok(!decides(text, language), text);
  assert.ok(decides('klippning', 'sv-SE'));
});
