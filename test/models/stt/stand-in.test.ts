// Words of the engine that stands in for the chosen one count where it is sure of them and nothing is decided by them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../bench/rig/eventually.ts';
import { withFallback } from '../../../models/stt/fallback.ts';
import type { SttEngine, SttEvent, SttResult, SttUtteranceOptions } from '../../../models/stt/stt.ts';
import { DECIDING_WORDS, decides } from '../../../models/stt/unsaid/deciding-words.ts';

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

/** An utterance whose first engine has failed, or is only late; the second listens. */
async function utterance(language: string, isLate = false) {
  const [first, second] = [new PlayedEngine('first'), new PlayedEngine('second')];
  const events: SttEvent[] = [];
  const stream = await withFallback(first, second).openStream({
    callId: 'a',
    sampleRateHz: 8_000,
    vocabulary: { language, businessName: 'Acme', services: [], questions: [], phrases: [] },
    signal: new AbortController().signal,
    onFallback: () => {},
  });
  const sink = stream.begin({
    expects: 'anything',
    signal: new AbortController().signal,
    onEvent: (event) => events.push(event),
  });
  await eventually(() => first.begun.length === 1);
  sink.finish();
  if (!isLate) first.says({ type: 'lost', message: 'refused' });
  await eventually(() => second.begun.length === 1);
  return { first, second, events };
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
