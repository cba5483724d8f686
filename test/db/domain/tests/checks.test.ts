// The checks of tests: what each passes for, and that no pattern takes long.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkResult,
  isAsWanted,
  judged,
  saysPattern,
  type TestCheck,
  type TestFacts,
} from '../../../../db/domain/tests/checks.ts';

const facts: TestFacts = {
  said: ['We open at 9:00 AM on Mondays.', 'Your appointment is booked, Jamie.'],
  tools: [
    { name: 'schedule_appointment', arguments: { startsAt: '2026-05-04T09:30', name: 'Jamie Rivera' }, ok: true },
  ],
  data: { plan: 'gold', seats: 4 },
  transferredTo: { name: 'Front desk', target: '+12125550100' },
  endedBy: 'agent',
  language: 'de-CH',
  gapsMs: [410, 690],
  cutOffs: 0,
};
const passes = (check: TestCheck, of: Partial<TestFacts> = {}) => checkResult(check, { ...facts, ...of }).passed;

test('words are found without case and punctuation, in one reply', () => {
  assert.ok(saysPattern('We open at 9:00 AM.', 'WE OPEN AT 9:00'));
  assert.ok(!saysPattern('We reopen at nine.', 'open'));
  assert.ok(saysPattern("C’est à l'heure.", 'l’heure'));
  assert.ok(passes({ said: 'appointment is booked' }));
  assert.ok(!passes({ said: 'on mondays your appointment' }), 'not across two replies');
  assert.ok(passes({ said: ['no such words', 'open at'] }), 'one of several is enough');
  assert.ok(!passes({ notSaid: 'booked' }));
  assert.ok(passes({ notSaid: 'closed' }));
});

test('placeholders stand for words, for endings and for numbers', () => {
  assert.ok(saysPattern('It costs 45 dollars in all.', 'costs # dollars'));
  assert.ok(!saysPattern('It costs forty dollars.', 'costs # dollars'));
  assert.ok(saysPattern('Your appointments are on Monday and Friday.', 'appoint* * friday'));
  assert.ok(!saysPattern('On Friday you have appointments.', 'appoint* * friday'));
  assert.ok(saysPattern('Anything.', '*'));
});

test('a pattern of many placeholders takes no longer than a short one', () => {
  // Tried in every way, these would take longer than the universe has lasted.
  assert.ok(!saysPattern('a '.repeat(4_000), `${'a * '.repeat(200)}b`));
  assert.ok(!isAsWanted(`${'a*'.repeat(200)}b`, 'a'.repeat(8_000)));
});

test('arguments and data are wanted at least, texts as patterns of the whole', () => {
  assert.ok(passes({ tool: { name: 'schedule_appointment', arguments: { startsAt: '2026-05-04T*' } } }));
  assert.ok(passes({ tool: { name: 'schedule_appointment', arguments: { name: 'jamie *' } } }));
  assert.ok(!passes({ tool: { name: 'schedule_appointment', arguments: { name: 'jamie' } } }));
  assert.ok(!passes({ tool: { name: 'schedule_appointment', arguments: { service: 'Cut' } } }));
  assert.ok(!passes({ tool: { name: 'transfer_call' } }));
  assert.ok(passes({ noTool: 'transfer_call' }) && !passes({ noTool: '*' }));
  assert.ok(passes({ noTool: '*' }, { tools: [] }));
  assert.ok(passes({ data: { plan: 'Gold' } }) && !passes({ data: { plan: 'silver' } }));
  assert.ok(passes({ data: { seats: 4 } }) && !passes({ data: { seats: 5 } }));
  assert.ok(!passes({ data: { plan: 'gold' } }, { data: null }));
  assert.ok(isAsWanted({ a: [{ b: null }] }, { a: [{ b: null, c: 1 }], d: 2 }));
  assert.ok(!isAsWanted(['x'], ['x', 'y']));
});

test('transfer, end, language, gap and cut-offs are what was measured', () => {
  assert.ok(passes({ transferredTo: 'front desk' }) && passes({ transferredTo: '+12125550100' }));
  assert.ok(!passes({ transferredTo: 'front desk' }, { transferredTo: null }));
  assert.ok(passes({ endedBy: 'agent' }) && !passes({ endedBy: 'caller' }));
  assert.ok(passes({ language: 'de' }) && passes({ language: 'de-CH' }) && !passes({ language: 'de-AT' }));
  assert.ok(passes({ gapAtMostMs: 700 }) && !passes({ gapAtMostMs: 600 }));
  assert.ok(!passes({ gapAtMostMs: 700 }, { gapsMs: null }), 'what was not measured does not pass');
  assert.ok(passes({ noCutOff: true }) && !passes({ noCutOff: true }, { cutOffs: 1 }));
  assert.ok(!passes({ noCutOff: true }, { cutOffs: null }));
});

test('a result says what was expected and what was found', () => {
  const { expected, found } = checkResult({ said: 'closed' }, facts);
  assert.equal(expected, 'says "closed"');
  assert.match(found, /We open at 9:00 AM/);
  assert.equal(checkResult({ tool: { name: 'find_order' } }, facts).found, 'ran: schedule_appointment');
});

test('a judge that disagrees with itself has not passed', () => {
  const check = { judge: { question: 'Was it polite?' } };
  assert.ok(judged(check, [true, true, true]).passed);
  const split = judged(check, [true, false, true]);
  assert.deepEqual([split.passed, split.votes, split.found], [false, [true, false, true], '2 of 3 answers are yes']);
  assert.ok(!judged(check, []).passed);
});

test('a check compares so many words, and what took more has not passed', () => {
  const said = Array.from({ length: 50 }, () => 'a '.repeat(1_000));
  const texts = Array.from({ length: 20 }, () => `${'a '.repeat(249)}b`);
  for (const check of [{ said: texts }, { notSaid: texts }]) {
    const { passed, found } = checkResult(check, { ...facts, said });
    assert.equal(passed, false);
    assert.match(found, /too many words/);
  }
  assert.ok(passes({ said: [...texts.slice(0, 2), 'nine'] }, { said: ['We open at nine.', ...said] }));
});

test('what was found is shown in a thousand characters', () => {
  const said = Array.from({ length: 50 }, () => 'We are open from nine to five, Monday to Friday.');
  const { found } = checkResult({ said: 'Saturday' }, { ...facts, said });
  assert.ok(found.length < 1_010, `${found.length}`);
});
