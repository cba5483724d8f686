// When notices are due: quiet hours, full hours, a time of day in the zone of the business, and floods.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noticeDueAt, noticesMayGoAt } from '../../../../db/domain/notices/due.ts';
import type { NoticeRule } from '../../../../db/domain/notices/rules.ts';

const BERLIN = 'Europe/Berlin';
const RULE: NoticeRule = {
  on: 'call_ended',
  filter: 'all',
  by: 'mail',
  to: 'owner@example.com',
  isSigned: false,
  detail: 'full',
  when: 'at_once',
  at: '18:00',
  quiet: null,
};
const due = (rule: Partial<NoticeRule>, at: string) =>
  new Date(noticeDueAt({ ...RULE, ...rule }, BERLIN, Date.parse(at))).toISOString();

const NIGHT = { quiet: { from: '21:00', to: '07:00' } };
const LUNCH = { quiet: { from: '12:00', to: '13:00' } };
const cases: Array<[name: string, rule: Partial<NoticeRule>, at: string, due: string]> = [
  ['at once', {}, '2026-11-18T12:00:01.000Z', '2026-11-18T12:00:01.000Z'],
  ['hourly: the next full hour', { when: 'hourly' }, '2026-11-18T12:00:01.000Z', '2026-11-18T13:00:00.000Z'],
  ['daily: today', { when: 'daily' }, '2026-11-18T12:00:00.000Z', '2026-11-18T17:00:00.000Z'],
  ['daily: tomorrow', { when: 'daily' }, '2026-11-18T17:00:00.000Z', '2026-11-19T17:00:00.000Z'],
  ['daily: over the change of clocks', { when: 'daily' }, '2026-10-24T20:00:00.000Z', '2026-10-25T17:00:00.000Z'],
  ['before a quiet night', NIGHT, '2026-11-18T19:59:00.000Z', '2026-11-18T19:59:00.000Z'],
  ['in it, before midnight', NIGHT, '2026-11-18T20:00:00.000Z', '2026-11-19T06:00:00.000Z'],
  ['in it, after midnight', NIGHT, '2026-11-19T05:59:00.000Z', '2026-11-19T06:00:00.000Z'],
  ['at its end', NIGHT, '2026-11-19T06:00:00.000Z', '2026-11-19T06:00:00.000Z'],
  ['in a quiet noon', LUNCH, '2026-11-18T11:30:00.000Z', '2026-11-18T12:00:00.000Z'],
  [
    'a digest keeps its time in quiet hours',
    { ...NIGHT, when: 'daily', at: '22:00' },
    '2026-11-18T12:00:00.000Z',
    '2026-11-18T21:00:00.000Z',
  ],
];

for (const [name, rule, at, expected] of cases) test(name, () => assert.equal(due(rule, at), expected));

test('the eleventh notice of an hour waits until an hour after the last message', () => {
  assert.equal(noticesMayGoAt(0, null, 5_000), 5_000);
  assert.equal(noticesMayGoAt(9, 4_000, 5_000), 5_000);
  assert.equal(noticesMayGoAt(10, 4_000, 5_000), 3_604_000);
});
