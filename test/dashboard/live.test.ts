// A running call as its events tell it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type CallEvent,
  type Conversation,
  follow,
  linesOf,
  medianOf,
  SILENT,
} from '../../api/dashboard/app/live/conversation.ts';
import { EventStreamParser } from '../../api/dashboard/app/live/event-stream.ts';

const after = (...events: CallEvent[]): Conversation => events.reduce(follow, SILENT);
const agent = (timestamp: number, text: string): CallEvent => ({
  type: 'transcript',
  speaker: 'agent',
  text,
  timestamp,
});
const caller = (timestamp: number, text: string): CallEvent => ({
  type: 'transcript',
  speaker: 'caller',
  text,
  timestamp,
});

test('an entry with the same speaker and time replaces the earlier one', () => {
  const { said } = after(agent(0, 'Hello'), caller(900, 'what'), caller(900, 'what are your hours'));
  assert.deepEqual(
    said.map(({ text }) => text),
    ['Hello', 'what are your hours'],
  );
});

const words = (...said: Array<[speaker: 'agent' | 'caller', timestamp: number, text: string]>): CallEvent => ({
  type: 'words',
  said: said.map(([speaker, timestamp, text]) => ({ speaker, timestamp, text })),
});
const lines = (...events: CallEvent[]) =>
  linesOf(after(...events)).map(({ text, isUnfinished }) => (isUnfinished ? `${text}…` : text));

test('words are shown while they are spoken, and the whole sentence takes their place', () => {
  const begun = [agent(0, 'Hello'), words(['caller', 900, 'what are'])];
  assert.deepEqual(lines(...begun), ['Hello', 'what are…']);
  const more = [...begun, words(['caller', 900, 'what are your'])];
  assert.deepEqual(lines(...more), ['Hello', 'what are your…']);
  const whole = [...more, caller(900, 'what are your hours')];
  assert.deepEqual(lines(...whole), ['Hello', 'what are your hours']);
  assert.deepEqual(lines(...whole, words(['caller', 900, 'what are your'])), ['Hello', 'what are your hours'], 'late');
});

test('words that came to nothing go away, and a sentence that goes on is shown once', () => {
  assert.deepEqual(lines(words(['caller', 900, 'uh']), words()), []);
  const goesOn = [caller(900, 'what are'), words(['caller', 900, 'what are your hours'], ['agent', 2_000, 'We'])];
  assert.deepEqual(lines(...goesOn), ['what are your hours…', 'We…']);
});

test('an event of a newer service changes nothing', () => {
  const conversation = after(agent(0, 'Hello'));
  assert.equal(follow(conversation, { type: 'mood', mood: 'sunny' } as unknown as CallEvent), conversation);
});

test('a gap belongs to the reply that ends it, whichever is known first', () => {
  const gap: CallEvent = { type: 'latency', ms: 640 };
  const early = after(agent(0, 'Hello'), caller(900, 'hours'), gap, agent(2_000, 'Nine to five'));
  const late = after(agent(0, 'Hello'), caller(900, 'hours'), agent(2_000, 'Nine to five'), gap);
  for (const { said, gapsMs } of [early, late]) {
    assert.deepEqual(
      said.map(({ gapMs }) => gapMs),
      [null, null, 640],
    );
    assert.deepEqual(gapsMs, [640]);
  }
});

test('what is said to a person ends no gap of the caller, and stands beside what the caller hears', () => {
  const toPerson: CallEvent = {
    type: 'transcript',
    speaker: 'agent',
    text: 'For you',
    timestamp: 2_000,
    line: 'person',
  };
  const conversation = after(
    caller(1_000, 'Billing please'),
    { type: 'latency', ms: 640 },
    toPerson,
    agent(2_000, 'One moment'),
  );
  assert.deepEqual(
    conversation.said.map(({ text, gapMs }) => [text, gapMs]),
    [
      ['Billing please', null],
      ['For you', null],
      ['One moment', 640],
    ],
  );
});

test('the middle of the gaps', () => {
  assert.equal(medianOf([]), null);
  assert.equal(medianOf([900, 100, 500]), 500);
});

test('server-sent events come whole, however they are cut', () => {
  const text = ': open\n\nid: 7\nevent: state\ndata: {"state":"listening"}\n\nevent: ended\ndata: {}\n\n';
  for (const size of [1, 5, 200]) {
    const parser = new EventStreamParser();
    const events = text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g'))?.flatMap((piece) => parser.take(piece));
    assert.deepEqual(events, [
      { id: '7', type: 'state', data: '{"state":"listening"}' },
      { id: null, type: 'ended', data: '{}' },
    ]);
  }
});
