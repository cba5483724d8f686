// The numbers behind the plots of the overview: round axes, labels that have room, calls by hour.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byHour } from '../../api/dashboard/app/pages/overview/by-hour.ts';
import { labelled, ticksTo } from '../../api/dashboard/app/ui/plot/plot-scale.ts';

test('an axis ends at a round number, in whole steps, for one call as for thousands', () => {
  assert.deepEqual(ticksTo(0), [0, 1]);
  assert.deepEqual(ticksTo(1), [0, 1]);
  assert.deepEqual(ticksTo(5), [0, 2, 4, 6]);
  assert.deepEqual(ticksTo(43), [0, 20, 40, 60]);
  assert.deepEqual(ticksTo(1_320), [0, 500, 1_000, 1_500]);
});

test('an axis of money has steps of parts of a penny where a day cost no more', () => {
  assert.deepEqual(ticksTo(0.0075, 0), [0, 0.002, 0.004, 0.006, 0.008]);
  assert.deepEqual(ticksTo(0.3, 0), [0, 0.1, 0.2, 0.3]);
  assert.deepEqual(ticksTo(0, 0), [0, 0.5, 1]);
});

test('the last day has a label, and as many others as have room', () => {
  assert.deepEqual(labelled(1, 6), [0]);
  assert.deepEqual(labelled(7, 6), [0, 2, 4, 6]);
  assert.deepEqual(labelled(7, 20), [0, 1, 2, 3, 4, 5, 6]);
});

test('calls are counted at the hour that they began, the quiet hours between included', () => {
  const call = (startedAt: string, durationSeconds: number, endedAt: string | null = startedAt) => ({
    startedAt,
    durationSeconds,
    endedAt,
  });
  const utc = (iso: string) => new Date(iso).getUTCHours();
  const calls = [
    call('2026-11-30T09:05:00Z', 30),
    call('2026-11-29T09:55:00Z', 0),
    call('2026-11-29T11:00:00Z', 12),
    call('2026-11-29T20:00:00Z', 0, null),
  ];
  assert.deepEqual(byHour(calls, utc), [
    { hour: 9, answered: 1, missed: 1 },
    { hour: 10, answered: 0, missed: 0 },
    { hour: 11, answered: 1, missed: 0 },
  ]);
  assert.deepEqual(byHour([], utc), []);
});
