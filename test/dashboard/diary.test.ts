// The days of the diary: by the clocks of the business, those that overlap side by side, and free times as spans.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Appointment } from '../../api/dashboard/app/api-types.ts';
import { boundsOf, daysFrom, diaryOf, hoursOf, knownDay } from '../../api/dashboard/app/pages/appointments/diary.ts';

const ZONE = 'Europe/Berlin';
const at = (clock: string, day = '2026-12-01') => new Date(`${day}T${clock}:00+01:00`).toISOString();

const appointment = (id: string, from: string, to: string): Appointment => ({
  ...{ id, callId: null, conversationId: null, businessId: 'biz_1', service: null, startsAt: from, endsAt: to },
  ...{ name: id, phone: null, notes: null, status: 'booked', resource: null, reference: null, history: [] },
  reminder: null,
});

test('those at one time stand side by side, and the next has its whole width again', () => {
  const [day] = diaryOf(
    ['2026-12-01'],
    [
      appointment('c', at('11:00'), at('12:00')),
      appointment('b', at('09:30'), at('10:30')),
      appointment('a', at('09:00'), at('10:00')),
      appointment('d', at('10:00'), at('11:00')),
    ],
    null,
    ZONE,
  );
  assert.deepEqual(
    day?.placed.map(({ appointment: { id }, lane, lanes }) => [id, lane, lanes]),
    [
      ['a', 0, 2],
      ['b', 1, 2],
      ['d', 0, 2],
      ['c', 0, 1],
    ],
  );
});

test('a day is one of the business’s clocks, and one that runs past midnight ends with it', () => {
  const late = appointment('late', at('23:30'), at('00:30', '2026-12-02'));
  const [first, second] = diaryOf(['2026-12-01', '2026-12-02'], [late], null, ZONE);
  assert.deepEqual([first?.placed[0]?.from, first?.placed[0]?.to, second?.placed], [1410, 1440, []]);
  assert.deepEqual(hoursOf([first, second].filter((day) => day !== undefined)), { from: 8, to: 24 });
  assert.deepEqual(boundsOf('2026-12-01', 7, ZONE), {
    from: '2026-11-30T23:00:00.000Z',
    to: '2026-12-07T22:59:59.999Z',
  });
});

test('free times without a gap are one span', () => {
  const times = ['09:00', '09:15', '09:30', '11:00'].map((clock) => at(clock));
  const [day] = diaryOf(['2026-12-01'], [], { durationMinutes: 30, times }, ZONE);
  assert.deepEqual(
    day?.free.map(({ from, to }) => [from, to]),
    [
      [540, 600],
      [660, 690],
    ],
  );
});

test('an address names a day, or none', () => {
  assert.deepEqual(['2026-12-01', '2026-13-01', 'today', null].map(knownDay), ['2026-12-01', null, null, null]);
  assert.deepEqual(daysFrom('2026-12-31', 2), ['2026-12-31', '2027-01-01']);
});
