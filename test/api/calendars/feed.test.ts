// The calendar feed of a business: a secret address that other calendars read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import ICAL from 'ical.js';
import { feedText } from '../../../api/calendars/compose.ts';
import { bookAppointment, type NewAppointment } from '../../../db/rules/booking.ts';
import { useTenants } from '../../support/api/use-api.ts';

const api = useTenants();
const HOUR = 3_600_000;

async function salon(): Promise<string> {
  const body = { name: 'Salon; Berlin, Mitte', industry: 'salon', timezone: 'Europe/Berlin', address: 'Am Park 1' };
  return (await api.tenant.ask('POST', '/businesses', body)).json.data.id;
}

const book = (businessId: string, change: Partial<NewAppointment> = {}) =>
  bookAppointment(api.context.db, {
    ...{ accountId: api.tenant.accountId, businessId, callId: null, service: 'Cut', phone: '+14155552671' },
    startsAtMs: api.clock.now + HOUR,
    endsAtMs: api.clock.now + 2 * HOUR,
    name: 'Zoë; a name, with marks',
    notes: `Line one\nline two ${'ü'.repeat(80)}`,
    nowMs: api.clock.now,
    ...change,
  });

async function feedOf(businessId: string, body: object = {}): Promise<string> {
  const answer = await api.tenant.ask('POST', `/businesses/${businessId}/calendar-feed`, body);
  assert.equal(answer.status, 201);
  const { url } = answer.json.data as { url: string };
  return url.slice(url.indexOf('/api/v1'));
}

const read = (url: string, headers: Record<string, string> = {}) => api.inject({ method: 'GET', url, headers });

const eventsIn = (text: string) =>
  new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((event) => new ICAL.Event(event));

test('appointments are read as a calendar that other programs understand, without a token of the API', async () => {
  const id = await salon();
  const booked = await book(id);
  assert.ok(booked.booked);
  const url = await feedOf(id);
  const { status, headers, text } = await read(url);
  assert.deepEqual([status, headers['content-type']], [200, 'text/calendar; charset=utf-8']);
  const [event] = eventsIn(text);
  assert.ok(event);
  assert.equal(event.uid, booked.appointmentId);
  assert.equal(event.startDate.toJSDate().getTime(), api.clock.now + HOUR);
  assert.equal(event.summary, 'Cut: Zoë; a name, with marks');
  assert.match(event.description, /^\+14155552671\nLine one\nline two ü{80}$/);
  assert.equal(event.location, 'Am Park 1');
  for (const line of text.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, `folded: ${line}`);
  const again = await read(url, { 'if-none-match': String(headers.etag) });
  assert.equal(again.status, 304);
});

test('where the owner says so nobody is named; one of the staff can be read alone', async () => {
  const id = await salon();
  const staff = { known: ['Anna', 'Ben'] };
  await book(id, { ...staff, candidates: ['Anna'] });
  await book(id, { ...staff, candidates: ['Ben'], callId: 'call_2' });
  const url = await feedOf(id, { names: false });
  const { text } = await read(url);
  assert.deepEqual(
    eventsIn(text).map(({ summary }) => summary),
    ['Booked (Anna)', 'Booked (Ben)'],
  );
  assert.doesNotMatch(text, /Zo|4155552671|Line one|Am Park/);
  assert.equal(eventsIn((await read(`${url}&resource=Ben`)).text).length, 1);
});

test('a cancelled appointment is gone, a moved one stands at its new time with a higher sequence', async () => {
  const id = await salon();
  const booked = await book(id);
  assert.ok(booked.booked);
  const url = await feedOf(id);
  const path = `/appointments/${booked.appointmentId}` as const;
  await api.tenant.ask('PATCH', path, { startsAt: new Date(api.clock.now + 5 * HOUR).toISOString() });
  const [event] = eventsIn((await read(url)).text);
  assert.deepEqual([event?.startDate.toJSDate().getTime(), event?.sequence], [api.clock.now + 5 * HOUR, 1]);
  await api.tenant.ask('PATCH', path, { status: 'cancelled' });
  assert.equal(eventsIn((await read(url)).text).length, 0);
});

test('a renewed, a revoked, a wrong and a foreign address are 404, and so is that of a deleted business', async () => {
  const id = await salon();
  const first = await feedOf(id);
  const second = await feedOf(id);
  assert.equal((await read(first)).status, 404);
  assert.equal((await read(second)).status, 200);
  const shown = (await api.tenant.ask('GET', `/businesses/${id}/calendar-feed`)).json.data as { url: string | null };
  assert.equal(shown.url, null, 'the secret is shown once');
  assert.equal((await read(second.replace(id, await salon()))).status, 404);
  assert.equal((await api.other.ask('POST', `/businesses/${id}/calendar-feed`, {})).status, 404);
  await api.tenant.ask('DELETE', `/businesses/${id}`);
  assert.equal((await read(second)).status, 404);
  await api.tenant.ask('POST', `/businesses/${id}/restore`);
  assert.equal((await api.tenant.ask('DELETE', `/businesses/${id}/calendar-feed`)).status, 200);
  assert.equal((await read(second)).status, 404);
  assert.doesNotMatch(api.logs.join(''), new RegExp(new URL(second, 'http://x').searchParams.get('token') ?? 'none'));
});

test('a calendar is read thirty times a minute, and strangers take none of them', async () => {
  const url = await feedOf(await salon());
  for (let n = 0; n < 40; n++) assert.equal((await read(`${url}x`)).status, 404);
  for (let n = 0; n < 30; n++) assert.equal((await read(url)).status, 200);
  const guesses = api.logs.filter((line) => line.includes('/calendar.ics') && line.includes('"status":404'));
  assert.ok(guesses.length >= 40 && guesses.every((line) => line.includes('"sourceAddress":')), 'the log says whose');
  const { status, headers } = await read(url);
  assert.equal(status, 429);
  assert.ok(Number(headers['retry-after']) > 0);
  assert.equal((await read(await feedOf(await salon()))).status, 200, 'another calendar');
});

test('while a long calendar is made, the thread serves others', async () => {
  const id = await salon();
  const booked = await book(id);
  assert.ok(booked.booked);
  const [appointment] = await api.context.read.selectFrom('appointments').selectAll().execute();
  assert.ok(appointment);
  const shown = { names: true, location: null, nowMs: api.clock.now };
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const text = await feedText(Array(1_000).fill(appointment), 'Salon', shown);
  isOver = true;
  assert.ok(turns >= 19, `${turns} turns`);
  assert.equal(eventsIn(text).length, 1_000);
  assert.equal(eventsIn(await feedText([], 'Salon', shown)).length, 0);
});
