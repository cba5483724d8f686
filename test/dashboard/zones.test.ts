// Appointments by the clocks of their business, wherever the reader is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instantOf, rangeIn, wallTime } from '../../api/dashboard/app/zones.ts';

const NEW_YORK = 'America/New_York';

test('an appointment reads as the business’s clocks show it', () => {
  assert.match(
    rangeIn('2026-11-26T20:00:00Z', '2026-11-26T20:45:00Z', NEW_YORK),
    /26.*(15:00|3:00|03:00).*(15:45|3:45|03:45)/,
  );
  assert.equal(wallTime('2026-11-26T20:00:00Z', NEW_YORK), '2026-11-26T15:00');
  assert.equal(wallTime('2026-07-01T23:30:00Z', 'Asia/Kolkata'), '2026-07-02T05:00');
});

test('a time that is entered is one of the business’s clocks, also where they change', () => {
  for (const [wall, instant] of [
    ['2026-11-26T15:00', '2026-11-26T20:00:00.000Z'],
    ['2026-03-08T01:30', '2026-03-08T06:30:00.000Z'],
    ['2026-03-08T03:30', '2026-03-08T07:30:00.000Z'],
    // Skipped that night: half an hour after the clocks went forward.
    ['2026-03-08T02:30', '2026-03-08T07:30:00.000Z'],
    ['2026-11-01T00:30', '2026-11-01T04:30:00.000Z'],
    ['2026-11-01T03:30', '2026-11-01T08:30:00.000Z'],
  ] as const)
    assert.equal(instantOf(wall, NEW_YORK), instant, wall);
  assert.equal(instantOf('2026-06-04T11:30', 'Australia/Lord_Howe'), '2026-06-04T01:00:00.000Z');
  for (const zone of [NEW_YORK, 'Europe/London', 'Asia/Kathmandu', 'Pacific/Auckland'])
    assert.equal(instantOf(wallTime('2026-10-24T22:15:00Z', zone), zone), '2026-10-24T22:15:00.000Z');
});
