// The rounds of a hunt: who is called in which, and when.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reachableAt } from '../../../db/domain/numbers/reachable-destinations.ts';
import {
  destinationsIn,
  ringPlan,
  type TransferDestination,
} from '../../../db/domain/numbers/transfer-destinations.ts';

const one = (name: string, order: number, hours: TransferDestination['hours'] = null): TransferDestination => ({
  ...{ name, order, hours, description: '', target: '+12125550177', extensionDigits: null },
  ...{ mode: 'brief', accept: 'key', after: 'leave', ringSeconds: 25 },
});
const names = (rounds: TransferDestination[][]): string[][] => rounds.map((round) => round.map(({ name }) => name));
const ALL = [one('a', 2), one('b', 1), one('c', 2), one('d', 5)];

test('rounds follow the orders; a choice begins at its own, first among those of it', () => {
  assert.deepEqual(names(ringPlan(ALL, null)), [['b'], ['a', 'c'], ['d']]);
  assert.deepEqual(names(ringPlan(ALL, ' C ')), [['c', 'a'], ['d']]);
  assert.deepEqual(names(ringPlan(ALL, 'd')), [['d']]);
  assert.deepEqual(ringPlan(ALL, 'nobody'), []);
  assert.deepEqual(ringPlan([], null), []);
  const many = Array.from({ length: 9 }, (_, n) => one(`n${n}`, 1));
  assert.deepEqual(names(ringPlan(many, 'n8')), [['n8', 'n0', 'n1', 'n2', 'n3']]);
});

test('hours are in the zone of the business, past midnight too', () => {
  const night = one('night', 1, [{ day: 'monday', open: '22:00', close: '02:00' }]);
  const at = (hour: number) => Date.UTC(2026, 10, 23, hour);
  const reached = (nowMs: number, timezone = 'Europe/Berlin') => reachableAt([night], { timezone, nowMs }).length;
  assert.deepEqual([reached(at(20)), reached(at(21)), reached(at(24)), reached(at(25))], [0, 1, 1, 0]);
  assert.equal(reached(at(22), 'Mars/Olympus'), 1, 'an unknown zone counts as UTC');
});

test('a campaign’s list takes the place of the business’s, unless it is empty', () => {
  const [own, theirs] = [[one('own', 1)], [one('theirs', 1)]].map((list) => JSON.stringify(list));
  const pick = (campaign = '[]', business = '[]') =>
    destinationsIn({ destinations: campaign }, { destinations: business }).map(({ name }) => name);
  assert.deepEqual([pick(own, theirs), pick('[]', theirs), pick()], [['own'], ['theirs'], []]);
});
