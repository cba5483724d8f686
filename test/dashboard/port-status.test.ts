import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepsOf } from '../../api/dashboard/app/pages/phone-numbers/port-status.ts';

const at = '2026-05-04T10:00:00.000Z';

test('an order under way shows what is still to come, and the day that is agreed', () => {
  const steps = stepsOf({
    status: 'FOC_SCHEDULED',
    focDate: '2026-06-01',
    statusHistory: [
      { status: 'DRAFT', at },
      { status: 'SUBMITTED', at },
      { status: 'IN_REVIEW', at },
      { status: 'FOC_SCHEDULED', at },
    ],
  });
  assert.deepEqual(
    steps.map(({ title, at: when }) => [title, when === null]),
    [
      ['Started', false],
      ['Submitted', false],
      ['In review', false],
      ['Date agreed', false],
      ['Completed', true],
    ],
  );
  assert.match(String(steps.at(-1)?.text), /2026/);
});

test('an order that was rejected ends there, with the reason', () => {
  const steps = stepsOf({
    status: 'REJECTED',
    focDate: null,
    statusHistory: [
      { status: 'DRAFT', at },
      { status: 'REJECTED', at, reason: 'The names differ' },
    ],
  });
  assert.deepEqual([steps.length, steps.at(-1)?.text, steps.at(-1)?.tone], [2, 'The names differ', 'bad']);
});
