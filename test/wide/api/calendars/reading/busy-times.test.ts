// Busy times out of calendars as Google, Outlook and Apple export them, each with its traps.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { DateTime } from 'luxon';
import { busyTimesIn } from '../../../../../api/calendars/reading/busy-times.ts';

const ZONE = 'Europe/Berlin';
const WANTED = { timezone: ZONE, fromMs: Date.UTC(2027, 0, 1), toMs: Date.UTC(2027, 11, 31) };

const local = (ms: number) => DateTime.fromMillis(ms, { zone: ZONE }).toFormat('MM-dd HH:mm');
const busyIn = (text: string, wanted = WANTED) =>
  busyTimesIn([text], wanted).busy.map(({ startMs, endMs }) => `${local(startMs)} to ${local(endMs)}`);
const sample = (name: string) =>
  readFileSync(new URL(`../../../../fixtures/calendars/${name}.ics`, import.meta.url), 'utf8');
const calendar = (...lines: string[]) => ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR'].join('\r\n');
const event = (...lines: string[]) => calendar('BEGIN:VEVENT', 'UID:one', ...lines, 'END:VEVENT');

test('Google: whole days are busy unless they are shown as free; what is cancelled is free', () => {
  assert.deepEqual(busyIn(sample('google')), [
    '01-05 10:00 to 01-05 11:00',
    '01-07 00:00 to 01-08 00:00',
    '01-12 15:00 to 01-12 16:00',
  ]);
});

test('Google: a series keeps its hour over the clock change, without the date that was taken out, and one moved', () => {
  assert.deepEqual(busyIn(sample('google-series')), [
    '03-22 09:00 to 03-22 10:00',
    '03-29 09:00 to 03-29 10:00',
    '04-06 15:00 to 04-06 16:00',
    '04-19 09:00 to 04-19 10:00',
  ]);
});

test('Outlook: zones of Windows as the file describes them; shown as free is free, out of office is not', () => {
  assert.deepEqual(busyIn(sample('outlook')), [
    '03-23 08:00 to 03-23 08:30',
    '03-25 00:00 to 03-26 00:00',
    '03-30 08:00 to 03-30 08:30',
    '04-06 08:00 to 04-06 08:30',
  ]);
});

test('Apple: durations, zones without a description, this and all future ones, days and reminders without an end', () => {
  assert.deepEqual(busyIn(sample('apple')), [
    '03-30 12:00 to 03-30 13:30',
    '03-31 12:00 to 03-31 13:30',
    '04-01 13:00 to 04-01 14:00',
    '04-02 13:00 to 04-02 14:00',
    '04-03 00:00 to 04-04 00:00',
    '04-05 10:00 to 04-05 11:00',
  ]);
});

test('a day is one of the business’s zone, also where the clock changes', () => {
  const day = event('DTSTART;VALUE=DATE:20270328', 'DTEND;VALUE=DATE:20270329');
  const [time] = busyTimesIn([day], WANTED).busy;
  assert.equal(((time?.endMs ?? 0) - (time?.startMs ?? 0)) / 3_600_000, 23);
});

test('a zone is known by its name behind a path, and one that nobody knows is the business’s', () => {
  const at = (tzid: string) =>
    busyIn(event(`DTSTART;TZID=${tzid}:20270105T080000`, `DTEND;TZID=${tzid}:20270105T090000`));
  assert.deepEqual(at('/freeassociation.sourceforge.net/America/New_York'), ['01-05 14:00 to 01-05 15:00']);
  assert.deepEqual(at('America/Argentina/Ushuaia'), ['01-05 12:00 to 01-05 13:00']);
  assert.deepEqual(at('Customized Time Zone'), ['01-05 08:00 to 01-05 09:00']);
});

test('times that meet are one, and what lies outside of the wanted time is left out', () => {
  const daily = event('DTSTART:20200101T080000Z', 'DTEND:20200101T090000Z', 'RRULE:FREQ=DAILY');
  const week = { ...WANTED, fromMs: Date.UTC(2027, 0, 4), toMs: Date.UTC(2027, 0, 6) };
  assert.deepEqual(busyIn(daily, week), ['01-04 09:00 to 01-04 10:00', '01-05 09:00 to 01-05 10:00']);
  const hours = event('DTSTART:20270105T080000Z', 'DTEND:20270105T090000Z', 'RRULE:FREQ=HOURLY;COUNT=3');
  assert.deepEqual(busyIn(hours, week), ['01-05 09:00 to 01-05 12:00']);
});

test('a calendar that tells nothing but when somebody is busy', () => {
  const text = calendar(
    'BEGIN:VFREEBUSY',
    'FREEBUSY;FBTYPE=BUSY:20270105T090000Z/20270105T100000Z,20270106T090000Z/PT30M',
    'FREEBUSY;FBTYPE=FREE:20270107T090000Z/PT30M',
    'END:VFREEBUSY',
  );
  assert.deepEqual(busyIn(text), ['01-05 10:00 to 01-05 11:00', '01-06 10:00 to 01-06 10:30']);
});

test('of a series that began years ago the dates from now on are kept, one that lasts from before until now too', () => {
  const nightly = event('DTSTART:20190101T220000Z', 'DTEND:20190102T060000Z', 'RRULE:FREQ=DAILY');
  const [first, second] = busyIn(nightly);
  assert.deepEqual([first, second], ['12-31 23:00 to 01-01 07:00', '01-01 23:00 to 01-02 07:00']);
});

test('events of our own appointments are told apart: they are no news', () => {
  const id = `apt_${'0'.repeat(26)}`;
  const text = calendar(
    'BEGIN:VEVENT',
    `UID:${id}`,
    'DTSTART:20270105T090000Z',
    'DTEND:20270105T100000Z',
    'END:VEVENT',
  );
  const { busy, own } = busyTimesIn([text], WANTED);
  assert.deepEqual(busy, []);
  const at = Date.UTC(2027, 0, 5, 9);
  assert.deepEqual(own, [{ appointmentId: id, index: 0, startMs: at, endMs: at + 3_600_000, isCancelled: false }]);
});

test('what is no calendar, or has too much, is refused in words', () => {
  for (const text of ['<html></html>', '', 'BEGIN:VCARD\r\nEND:VCARD', 'BEGIN:VCALENDAR'])
    assert.throws(() => busyTimesIn([text], WANTED), { message: /is no calendar/ }, text);
  const seconds = event('DTSTART:20200101T080000Z', 'DTEND:20200101T080001Z', 'RRULE:FREQ=SECONDLY');
  assert.throws(() => busyTimesIn([seconds], WANTED), { message: /more than 100000 dates/ });
  const minutes = event('DTSTART:20270101T080000Z', 'DTEND:20270101T080001Z', 'RRULE:FREQ=MINUTELY;COUNT=6000');
  assert.throws(() => busyTimesIn([minutes], WANTED), { message: /more than 5000 busy times/ });
});
