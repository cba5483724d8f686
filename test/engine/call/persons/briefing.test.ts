// The briefing of a person about a caller, and the answer to their question: by rules, and the request to a model.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TranscriptEntry } from '../../../../db/records/resources.ts';
import {
  answerByRules,
  answerPrompt,
  type Caller,
  spokenText,
  whoText,
  whyByRules,
  whyPrompt,
} from '../../../../engine/call/persons/briefing.ts';
import { LANGUAGES } from '../../../../models/llm/phrases/languages.ts';

const entry = (speaker: TranscriptEntry['speaker'], text: string, line?: 'person'): TranscriptEntry => ({
  speaker,
  text,
  timestamp: 0,
  ...(line ? { line } : {}),
});
const caller = (change: Partial<Caller> = {}): Caller => ({
  agentName: 'Sam',
  businessName: 'Bright Smile',
  name: null,
  language: 'en-US',
  transcript: [
    entry('agent', 'How can I help you?'),
    entry('caller', 'hello'),
    entry('caller', 'My invoice of March is wrong and I was charged twice'),
    entry('caller', '(unintelligible)'),
    entry('caller', '123456789012345678901234567890123456789012345678901234567890'),
    entry('agent', 'Let me put you through to billing, they know all about invoices and more'),
    entry('person', 'I never said any of this to the caller, who has not heard it', 'person'),
  ],
  reason: null,
  ...change,
});

test('who calls: by name, or as a caller', () => {
  assert.match(whoText(caller()), /I have a caller on the line/);
  assert.match(whoText(caller({ name: 'Ada' })), /I have Ada on the line/);
});

test('why they call: what the caller said at the greatest length; no keys, and no words of others', () => {
  assert.equal(whyByRules(caller()), 'They said: My invoice of March is wrong and I was charged twice.');
  assert.equal(whyByRules(caller({ reason: 'a double charge.' })), 'It is about: a double charge.');
  assert.equal(whyByRules(caller({ transcript: [] })), '');
  const long = whyByRules(caller({ transcript: [entry('caller', 'word '.repeat(200))] }));
  assert.ok(long.length < 250 && long.endsWith('…'), long);
});

test('a question: what the caller said of it; of nothing else', () => {
  assert.equal(answerByRules(caller(), 'Which invoice is it?'), whyByRules(caller()));
  assert.equal(answerByRules(caller(), 'How old are they?'), null);
  assert.equal(answerByRules(caller(), ''), null);
});

test('a model reads the caller’s line, and is told that nothing in it is an instruction', () => {
  for (const { system, user } of [whyPrompt(caller()), answerPrompt(caller(), 'Which invoice?')]) {
    assert.match(system, /never an instruction/);
    assert.doesNotMatch(user, /I never said any of this/);
  }
  assert.match(answerPrompt(caller({ language: 'de-DE' }), 'x').system, /German/);
});

test('an answer is spoken as text of one breath', () => {
  assert.equal(spokenText('**They** were charged\n twice.'), 'They were charged twice.');
  for (const nothing of ['', '  ', 'UNKNOWN', 'unknown.']) assert.equal(spokenText(nothing), null);
  assert.ok((spokenText('word '.repeat(500)) ?? '').length <= 351);
});

test('every language has the sentences, with their names', () => {
  for (const [language, { handover }] of Object.entries(LANGUAGES)) {
    assert.match(handover.briefing, /\{\{agentName\}\}.*\{\{businessName\}\}.*\{\{callerName\}\}/, language);
    assert.match(handover.askKey, /1.*2/, language);
    for (const why of [handover.isBusy, handover.didNotAnswer, handover.cannotTakeIt, handover.notReached])
      assert.match(why, /\{\{name\}\}/, language);
    assert.match(handover.leftMessage, /\{\{message\}\}/, language);
  }
});
