// When an appointment is reminded of.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reminderDueAt } from '../../../../db/domain/booking/reminders.ts';

const at = (text: string) => Date.parse(text);

test('the day before is the business’s own, also over a clock change', () => {
  const five = { dayBeforeAt: '17:00', hoursBefore: null };
  const due = (startsAt: string, zone = 'Europe/Berlin') =>
    new Date(reminderDueAt(five, at(startsAt), zone)).toISOString();
  assert.equal(due('2026-12-01T09:00:00+01:00'), '2026-11-30T16:00:00.000Z');
  // Clocks go back at three on that Sunday.
  assert.equal(due('2026-10-25T09:00:00+01:00'), '2026-10-24T15:00:00.000Z');
  assert.equal(due('2026-12-01T00:30:00+01:00'), '2026-11-30T16:00:00.000Z');
  assert.equal(due('2026-12-01T05:30:00+01:00', 'America/New_York'), '2026-11-29T22:00:00.000Z');
});

test('hours before are counted', () => {
  const due = reminderDueAt({ dayBeforeAt: null, hoursBefore: 24 }, at('2026-12-01T09:00:00Z'), 'UTC');
  assert.equal(new Date(due).toISOString(), '2026-11-30T09:00:00.000Z');
});
