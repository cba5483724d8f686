import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CallFacts, modelSummary, parseSummary, ruleSummary } from '../../../engine/after-call/after-call.ts';
import type { DialogueModel } from '../../../models/llm/llm.ts';

const facts = (changes: Partial<CallFacts>): CallFacts => ({
  direction: 'inbound',
  status: 'COMPLETED',
  outcome: 'completed',
  durationSeconds: 75,
  transcript: [],
  toolsUsed: [],
  appointments: [],
  wantsCallBack: false,
  failedTurns: 0,
  ...changes,
});
const said = (...texts: string[]) =>
  texts.map((text, index) => ({ speaker: 'caller' as const, text, timestamp: index * 1000 }));

test('the summary names topics and bookings, and the tags follow', () => {
  const summary = ruleSummary(
    facts({
      transcript: said('What are your opening hours?', 'Great, book me an appointment, thank you'),
      toolsUsed: ['schedule_appointment'],
      appointments: [{ service: 'Check-up', startsAtText: '2026-03-02T10:00:00-05:00' }],
    }),
  );
  assert.deepEqual(summary.tags, ['hours', 'appointment', 'appointment-booked']);
  assert.equal(summary.sentiment, 'positive');
  assert.match(
    summary.summary,
    /^Inbound call of 1 min 15 s\. .*Booked Check-up for Monday 2 March at 10:00 \(UTC-05:00\)\.$/,
  );
});

test('a promised call back is seen by whoever reads the summary or filters by tag', () => {
  const { summary, tags } = ruleSummary(facts({ wantsCallBack: true }));
  assert.match(summary, /The caller asked to be called back\./);
  assert.deepEqual(tags, ['callback-requested']);
});

test('an agent that failed is seen by its outcome, or by a tag where the caller was served after all', () => {
  assert.deepEqual(ruleSummary(facts({ failedTurns: 1 })).tags, ['agent_failed']);
  const { tags, summary } = ruleSummary(facts({ failedTurns: 1, outcome: 'agent_failed' }));
  assert.deepEqual(tags, []);
  assert.match(summary, /left without an answer/);
});

test('an angry caller is negative, a silent one neutral', () => {
  assert.equal(ruleSummary(facts({ transcript: said('this is ridiculous, the worst service') })).sentiment, 'negative');
  const silent = ruleSummary(facts({}));
  assert.equal(silent.sentiment, 'neutral');
  assert.match(silent.summary, /said nothing/);
});

test("the agent's words do not affect the sentiment", () => {
  const transcript = [{ speaker: 'agent' as const, text: 'Wonderful, great, thank you!', timestamp: 0 }];
  assert.equal(ruleSummary(facts({ transcript })).sentiment, 'neutral');
});

test('what a person says on their line is not taken for the caller’s words, and a model is told whose it is', async () => {
  const transcript: CallFacts['transcript'] = [
    ...said('a person please'),
    { speaker: 'agent', text: 'I have a caller for you.', timestamp: 9_000, line: 'person' },
    { speaker: 'person', text: 'this is ridiculous, cancel my appointment', timestamp: 12_000, line: 'person' },
  ];
  const { summary, sentiment, tags } = ruleSummary(facts({ transcript }));
  assert.deepEqual([sentiment, tags], ['neutral', []]);
  assert.match(summary, /The caller spoke once/);
  let read = '';
  const complete: DialogueModel['complete'] = async ({ user }) => {
    read = user;
    return '{}';
  };
  const model = { name: 'fake', complete } as unknown as DialogueModel;
  await modelSummary(model, transcript, new AbortController().signal);
  assert.equal(
    read,
    'caller: a person please\nagent to the person: I have a caller for you.\n' +
      'person: this is ridiculous, cancel my appointment',
  );
});

test('the summary says that nobody answered, or a machine', () => {
  assert.match(ruleSummary(facts({ status: 'FAILED', outcome: 'no_answer' })).summary, /no answer/);
  assert.match(ruleSummary(facts({ status: 'VOICEMAIL', outcome: 'voicemail_left' })).summary, /message was left/);
});

test("a model's summary is accepted only in the requested form", () => {
  assert.deepEqual(parseSummary('```json\n{"summary":" Booked. ","sentiment":"positive","tags":["a",1]}\n```'), {
    summary: 'Booked.',
    sentiment: 'positive',
    tags: ['a'],
  });
  for (const garbage of ['', 'The call went well.', '[]', 'null', '{"summary": 3}', '{"summary": ""}']) {
    assert.equal(parseSummary(garbage), null, garbage);
  }
});
