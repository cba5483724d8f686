// Two people who edit one record at the same time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedMeanwhile } from '../../api/dashboard/app/changed-meanwhile.ts';

const BASE = { name: 'Elm', phone: '1', hours: [9], conversation: { reminders: 2, model: 'a' } as object };

test('a field that both have changed is named', () =>
  assert.deepEqual(changedMeanwhile(BASE, { ...BASE, name: 'Oak' }, { ...BASE, name: 'Ash', phone: '2' }), ['name']));

test('what somebody else alone has changed, or changed to the same, stands in nobody’s way', () => {
  assert.deepEqual(changedMeanwhile(BASE, { ...BASE, name: 'Oak' }, { ...BASE, phone: '2' }), []);
  assert.deepEqual(changedMeanwhile(BASE, { ...BASE, hours: [8] }, { ...BASE, hours: [8] }), []);
});

test('of settings that are sent as one, those that somebody else has changed are named', () => {
  const theirs = { ...BASE, conversation: { model: 'b', temperature: 1 } };
  const found = changedMeanwhile(BASE, { ...BASE, conversation: { reminders: 3, model: 'a' } }, theirs);
  assert.deepEqual(found, ['model', 'temperature', 'reminders']);
});
