// Opening hours in the editor.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copyDay, hoursText, nextSpan, spanFaults } from '../../api/dashboard/app/pages/businesses/hours.ts';
import { sortedHours, type WeekdayHours } from '../../db/domain/hours/opening-hours.ts';

const span = (day: WeekdayHours['day'], open: string, close: string): WeekdayHours => ({ day, open, close });

test('two spans of a day may touch, and not overlap', () => {
  const spans = [span('monday', '09:00', '12:00'), span('monday', '12:00', '17:00'), span('monday', '16:00', '18:00')];
  assert.deepEqual(spanFaults(spans), [null, null, 'Overlaps Mon 12:00–17:00']);
});

test('a span past midnight reaches into the next day, from Sunday into Monday too', () => {
  const spans = [span('monday', '01:00', '03:00'), span('sunday', '22:00', '02:00')];
  assert.deepEqual(spanFaults(spans), [null, 'Overlaps Mon 01:00–03:00']);
  assert.deepEqual(spanFaults([span('friday', '18:00', '02:00')]), [null]);
});

test('a span without times, or of no length, is a fault', () => {
  assert.deepEqual(spanFaults([span('monday', '', '17:00'), span('tuesday', '09:00', '09:00')]), [
    'Both times are needed',
    'Closing must differ from opening',
  ]);
});

test('midnight to midnight is the whole day', () => {
  assert.deepEqual(spanFaults([span('monday', '00:00', '00:00'), span('tuesday', '00:00', '00:00')]), [null, null]);
});

test('a day is copied in place of what other days had', () => {
  const spans = [span('monday', '09:00', '12:00'), span('monday', '13:00', '17:00'), span('tuesday', '10:00', '11:00')];
  assert.deepEqual(copyDay(spans, 'monday', ['tuesday', 'monday']), [
    span('monday', '09:00', '12:00'),
    span('monday', '13:00', '17:00'),
    span('tuesday', '09:00', '12:00'),
    span('tuesday', '13:00', '17:00'),
  ]);
});

test('a further span begins an hour after the last one', () => {
  assert.deepEqual(nextSpan([], 'monday'), span('monday', '09:00', '17:00'));
  assert.deepEqual(nextSpan([span('monday', '09:00', '12:00')], 'monday'), span('monday', '13:00', '17:00'));
  assert.deepEqual(nextSpan([span('monday', '22:00', '02:00')], 'monday'), span('monday', '', ''));
});

test('days of the same hours are said together', () => {
  const spans = sortedHours([
    span('saturday', '10:00', '14:00'),
    ...(['monday', 'tuesday', 'thursday'] as const).map((day) => span(day, '09:00', '17:00')),
  ]);
  assert.equal(hoursText(spans), 'Mon–Tue 09:00–17:00, Thu 09:00–17:00, Sat 10:00–14:00');
});
