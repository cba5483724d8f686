// Policies of a business, as the receptionist answers from them and a model reads them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialogueRequest } from '../../../bench/rig/conversation/dialogue-request.ts';
import { DENTIST } from '../../../bench/rig/rows/businesses.ts';
import { policiesOf } from '../../../models/llm/policies.ts';
import { Receptionist } from '../../../models/llm/receptionist/receptionist.ts';

const POLICIES = [
  { title: 'Missed appointments', text: 'An appointment that is missed costs thirty dollars.' },
  'Dogs are welcome in the waiting room.',
  { refunds: 'within two weeks', vouchers: { valid: 'three years' } },
];

async function answerTo(question: string): Promise<string> {
  const business = { ...DENTIST, policies: POLICIES };
  const messages = [{ role: 'caller' as const, text: question, understood: true }];
  const request = dialogueRequest({ business, messages, tools: [], memory: null, nowMs: Date.UTC(2026, 10, 23, 15) });
  let text = '';
  for await (const chunk of new Receptionist().reply(request, new AbortController().signal))
    if (chunk.type === 'text') text += chunk.text;
  return text;
}

test('the receptionist answers from a policy by its title, and from a sentence by its words', async () => {
  assert.match(await answerTo('What happens with missed appointments?'), /costs thirty dollars/);
  assert.match(await answerTo('Are dogs welcome?'), /Dogs are welcome in the waiting room/);
  assert.match(await answerTo('Do you give refunds on vouchers?'), /refunds: within two weeks/);
});

test('one word in common with a sentence is no answer', async () => {
  assert.doesNotMatch(await answerTo('Is there a room for parking my car?'), /Dogs/);
});

test('an object is read by its members, never as JSON', () => {
  assert.deepEqual(policiesOf([...POLICIES, { title: 'Cancellation', noticeHours: 24, of: ['visits'] }, 7, '']), [
    { title: 'Missed appointments', text: 'An appointment that is missed costs thirty dollars.' },
    { title: null, text: 'Dogs are welcome in the waiting room.' },
    { title: 'refunds, vouchers', text: 'refunds: within two weeks; vouchers: valid three years' },
    { title: 'Cancellation', text: 'notice hours: 24; of: visits' },
  ]);
});

test('however long a policy is that was stored by an earlier release, a turn reads its beginning', () => {
  const members = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`rule${n}`, 'x']));
  const [wide, titled, listed] = policiesOf([
    members,
    { title: 'park '.repeat(50_000), text: 'space '.repeat(50_000) },
    { rules: Array.from({ length: 20_000 }, () => 'no dogs') },
  ]);
  assert.match(wide?.text ?? '', /^rule0: x; .*rule49: x$/);
  assert.deepEqual([titled?.title?.length, titled?.text.length], [4_000, 4_000]);
  assert.ok((listed?.text.length ?? 0) < 600);
});

test('however deep a policy is nested, it is read to a few levels, and no call fails of it', () => {
  let deep: unknown = 'the end';
  for (let level = 0; level < 20_000; level++) deep = level % 2 === 0 ? [deep] : { inner: deep };
  const [policy] = policiesOf([{ rules: { visits: ['by day'], deep } }]);
  assert.equal(policy?.title, 'rules');
  assert.match(policy?.text ?? '', /^rules: visits by day, deep /);
});
