// Changes of versions as people read them: the fields that changed, by the names of the form, before and after.
import assert from 'node:assert/strict';
import { test } from 'node:test';

Object.assign(globalThis, {
  location: { hash: '' },
  addEventListener: () => undefined,
  localStorage: { getItem: () => null, setItem: () => undefined, removeItem: () => undefined },
});
const { differenceOf } = await import('../../../api/dashboard/app/versions/differences.ts');
const { fieldName } = await import('../../../api/dashboard/app/versions/field-names.ts');

test('of a record the fields that changed are named, and no other', () => {
  const before = { confirm: true, changes: true, remindHoursBefore: 24 };
  assert.deepEqual(differenceOf(before, { ...before, changes: false }), {
    kind: 'record',
    changes: [{ field: 'changes', from: true, to: false }],
  });
  assert.deepEqual(differenceOf(null, { speed: 1.2 }), {
    kind: 'record',
    changes: [{ field: 'speed', from: null, to: 1.2 }],
  });
  assert.equal(fieldName('changes'), 'Tell when it is moved or cancelled');
  assert.equal(fieldName('voiceSettings'), 'Voice settings');
});

test('an entry of a list is read in words, with what it has inside', () => {
  const anna = { name: 'Anna', aliases: ['Annie', 'Ann'], hours: [{ day: 'monday', open: '09:00', close: '17:00' }] };
  const difference = differenceOf([], [anna, { question: 'Parking?', answer: 'Behind the house.' }]);
  assert.deepEqual(difference, {
    kind: 'list',
    out: [],
    into: ['Anna, Aliases: Annie; Ann, Opening hours: monday 09:00–17:00', 'Parking? – Behind the house.'],
  });
  assert.deepEqual(differenceOf('a', ''), { kind: 'value', from: 'a', to: 'nothing' });
});

test('whom a business tells is read as its form says it', () => {
  const rule = {
    on: 'call_missed',
    filter: 'all',
    by: 'mail',
    to: 'owner@example.com',
    detail: 'full',
    when: 'at_once',
  };
  const night = { ...rule, quiet: { from: '21:00', to: '07:00' }, isSigned: false };
  const slack = { ...rule, on: 'call_ended', filter: 'not_transferred', by: 'slack', to: 'https://…x9', when: 'daily' };
  assert.deepEqual(differenceOf([], [night, { ...slack, at: '18:00', quiet: null, detail: 'link' }]), {
    kind: 'list',
    out: [],
    into: [
      'A call was missed – Mail owner@example.com, At once, Not at night 21:00–07:00',
      'A call has ended – Slack https://…x9, Once a day, together 18:00, Only calls that no person took, Only a link, and no name',
    ],
  });
});
