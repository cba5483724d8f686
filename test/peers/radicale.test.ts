// A CalDAV server of others: Radicale. Its address and password are given as an owner gives them; bookings are written,
// moved and cancelled in both directions, and an event with a rule is read as it stores it.
//
//   python3 -m venv rad && rad/bin/pip install radicale==3.5.4 && RADICALE=rad/bin/radicale npm test -- radicale
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { CalendarSync } from '../../api/calendars/sync.ts';
import { eventually } from '../../bench/rig/eventually.ts';
import { bookAppointment, listTaken } from '../../db/rules/booking.ts';
import { useTenants } from '../support/api/use-api.ts';

const PROGRAM = process.env.RADICALE ?? 'radicale';
const isThere = spawnSync(PROGRAM, ['--version']).status === 0;
const skip = isThere || process.env.CI ? false : 'radicale is not installed';

const api = useTenants({ config: { webhookAllowPrivate: true } });
const HOUR = 3_600_000;
const LOGIN = { authorization: `Basic ${Buffer.from('anna:geheim').toString('base64')}` };
const folder = mkdtempSync(join(tmpdir(), 'radicale-'));
let base = '';
let server: ChildProcess;

const dav = (method: string, path: string, body = '', headers: Record<string, string> = {}) =>
  fetch(`${base}${path}`, { method, headers: { ...LOGIN, ...headers }, ...(body === '' ? {} : { body }) });

before(async () => {
  if (skip !== false) return;
  writeFileSync(join(folder, 'users'), 'anna:geheim\n');
  server = spawn(
    PROGRAM,
    [
      ...['--config', '', '--server-hosts', '127.0.0.1:0', '--storage-filesystem-folder', join(folder, 'data')],
      ...['--auth-type', 'htpasswd', '--auth-htpasswd-filename', join(folder, 'users')],
      ...['--auth-htpasswd-encryption', 'plain', '--auth-delay', '0'],
      ...['--logging-level', 'info'],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let log = '';
  server.stderr?.on('data', (data) => {
    log += String(data);
  });
  const port = await eventually(() => /Listening on .*127\.0\.0\.1\]?:(\d+)/.exec(log)?.[1]);
  base = `http://127.0.0.1:${port}`;
  await eventually(() =>
    dav('PROPFIND', '/').then(
      ({ status }) => status === 207,
      () => false,
    ),
  );
  const made = await dav('MKCALENDAR', '/anna/work/');
  assert.equal(made.status, 201);
});
after(() => {
  server?.kill();
  rmSync(folder, { recursive: true, force: true });
});

const utc = (ms: number) => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '');

test('appointments and a calendar of Radicale stay alike', { skip }, async () => {
  const { db } = api.context;
  const { accountId } = api.tenant;
  const body = { name: 'Salon', industry: 'salon', timezone: 'Europe/Berlin', address: 'Am Park 1; Hof' };
  const { id: businessId } = (await api.tenant.ask('POST', '/businesses', body)).json.data;
  // Each working day at nine, for three of them, in Berlin.
  const first = Date.UTC(2027, 2, 26, 8);
  api.clock.now = first - 24 * HOUR;
  await dav(
    'PUT',
    '/anna/work/daily.ics',
    [
      ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//T//T//EN', 'BEGIN:VEVENT', 'UID:daily', 'SUMMARY:Round'],
      ...['DTSTAMP:20261201T000000Z', 'DTSTART;TZID=Europe/Berlin:20270326T090000', 'DURATION:PT30M'],
      ...['RRULE:FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR;COUNT=3', 'END:VEVENT', 'END:VCALENDAR', ''],
    ].join('\r\n'),
    { 'content-type': 'text/calendar' },
  );
  const connected = await api.tenant.ask('POST', `/businesses/${businessId}/calendars`, {
    ...{ kind: 'caldav', url: `${base}/`, username: 'anna', password: 'geheim' },
  });
  assert.equal(connected.status, 201, connected.text);
  assert.equal(connected.json.data.busyTimes, 3);
  const taken = async (startMs: number) =>
    (await listTaken(db, accountId, { businessId, fromMs: startMs, toMs: startMs + 1 })).length;
  assert.deepEqual(
    [await taken(first), await taken(first + 3 * 24 * HOUR), await taken(first + 3 * 24 * HOUR - HOUR)],
    [1, 0, 1],
    'on Monday the clock has changed',
  );

  const book = async (startMs: number) => {
    const answer = await bookAppointment(db, {
      ...{ accountId, businessId, callId: null, service: 'Schnitt', name: 'Zoë, "Z"', phone: null, notes: 'a\nb' },
      ...{ startsAtMs: startMs, endsAtMs: startMs + HOUR, nowMs: api.clock.now },
    });
    assert.ok(answer.booked);
    return answer.appointmentId;
  };
  const [moved, cancelled, deleted] = [
    await book(first + 2 * HOUR),
    await book(first + 4 * HOUR),
    await book(first + 6 * HOUR),
  ];
  const sync = async (afterMs = 0) => {
    api.clock.advance(afterMs);
    const job = new CalendarSync(api.context);
    await job.run();
    await job.settled();
  };
  const there = async (id: string) => (await dav('GET', `/anna/work/${id}.ics`)).text();
  await sync();
  assert.match(await there(moved), /DTSTART:20270326T100000Z/);
  const patch = (id: string, change: object) => api.tenant.ask('PATCH', `/appointments/${id}`, change);
  await patch(moved, { startsAt: new Date(first + 24 * HOUR).toISOString() });
  await patch(cancelled, { status: 'cancelled' });
  await sync();
  assert.match(await there(moved), /DTSTART:20270327T080000Z/);
  assert.equal((await dav('GET', `/anna/work/${cancelled}.ics`)).status, 404);

  const text = (await there(moved)).replace(/DTSTART:\w+/, `DTSTART:${utc(first + 30 * HOUR)}`);
  const changed = text.replace(/DTEND:\w+/, `DTEND:${utc(first + 31 * HOUR)}`);
  await dav('PUT', `/anna/work/${moved}.ics`, changed, { 'content-type': 'text/calendar' });
  await dav('DELETE', `/anna/work/${deleted}.ics`);
  await sync(6 * 60_000);
  const { data } = (await api.tenant.ask('GET', '/appointments')).json;
  const stateOf = (id: string) => data.find((each) => each.id === id);
  assert.equal(stateOf(moved)?.startsAt, new Date(first + 30 * HOUR).toISOString());
  assert.equal(stateOf(deleted)?.status, 'cancelled');
  assert.deepEqual(
    stateOf(moved)?.history.map(({ by }) => by),
    ['client', 'calendar'],
  );

  // As if the process had died between the server's answer and its own row.
  const last = await book(first + 50 * HOUR);
  await sync();
  await db.deleteFrom('calendarEntries').where('appointmentId', '=', last).execute();
  await sync();
  await sync(6 * 60_000);
  assert.match(await there(last), /SUMMARY:Schnitt: Zoë\\, "Z"/);
  assert.equal((await api.tenant.ask('GET', `/businesses/${businessId}/calendars`)).json.data[0]?.unwritten, 0);
});
