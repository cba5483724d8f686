// The first steps of a newcomer, ticked off by what there is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Found, firstSteps } from '../../api/dashboard/app/pages/overview/steps.ts';

const MADE = '2026-01-01T00:00:00.000Z';
const demo = [{ id: 'demo', createdAt: MADE }];
const own = [{ id: 'own', createdAt: '2026-01-02T00:00:00.000Z' }, ...demo];
const FRESH: Found = {
  accountCreatedAt: MADE,
  isAdmin: true,
  calls: 0,
  agents: demo,
  businesses: demo,
  campaigns: demo,
  numbers: demo,
  trunks: 0,
  ownCalls: 0,
};

const done = (found: Partial<Found>) =>
  firstSteps({ ...FRESH, ...found }).flatMap(({ name, isDone }) => (isDone ? [name] : []));

test('the demo alone is no step', () => {
  assert.deepEqual(done({}), []);
  assert.equal(firstSteps(FRESH).length, 7);
});

test('each step is done by a record of its own', () => {
  assert.deepEqual(done({ calls: 1 }), ['talk']);
  assert.deepEqual(done({ agents: own, numbers: own }), ['agent', 'number']);
  assert.deepEqual(done({ trunks: 1, ownCalls: 1 }), ['trunk', 'call']);
});

test('without the demo there is nobody to talk to, and trunks are for administrators', () => {
  const names = firstSteps({ ...FRESH, isAdmin: false, campaigns: [] }).map(({ name }) => name);
  assert.deepEqual(names, ['agent', 'business', 'campaign', 'number', 'call']);
});
