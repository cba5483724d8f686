// Somebody signs in to Google or Microsoft for a calendar there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useCalendarAccounts } from './connected.ts';

const { api, fakes, google, microsoft, begin, salon } = useCalendarAccounts();
const look = (id: string) => api.tenant.ask('GET', `/calendar-sign-ins/${id}`);

test('Microsoft: a code is shown, asked for no faster than it may be, and its calendars are there once it is entered', async () => {
  const { id, state, url, code } = await begin('microsoft');
  assert.deepEqual([state, url, code], ['waiting', 'https://microsoft.com/devicelogin', 'FJPVCJS9V']);
  const asked = () => fakes.asked.filter((each) => each.endsWith('/token')).length;
  await look(id);
  await look(id);
  assert.equal(asked(), 0);
  api.clock.advance(6_000);
  await Promise.all([look(id), look(id), look(id)]);
  assert.equal(asked(), 1);
  microsoft.slowDowns = 1;
  api.clock.advance(6_000);
  await look(id);
  microsoft.person = 'agreed';
  api.clock.advance(6_000);
  assert.equal((await look(id)).json.data.state, 'waiting', 'it asked us to slow down');
  api.clock.advance(6_000);
  const { data } = (await look(id)).json;
  assert.deepEqual(
    [data.state, data.code, data.calendars.map(({ name }) => name)],
    ['done', null, ['Calendar', 'Team']],
  );
  assert.deepEqual(fakes.faults, []);
});

test('a sign-in that is declined, or not ended in time, says so', async () => {
  const { id } = await begin('microsoft');
  microsoft.person = 'declined';
  api.clock.advance(6_000);
  const { data } = (await look(id)).json;
  assert.deepEqual([data.state, data.error], ['failed', 'the sign-in at Microsoft was declined']);
  const late = await begin('google');
  api.clock.advance(16 * 60_000);
  assert.equal((await look(late.id)).status, 404);
});

test('Google: the window’s code is taken once, from the account that began it, with its own state and proof', async () => {
  const { id, url, code } = await begin('google');
  assert.equal(code, null);
  const back = google.consent(url ?? '');
  assert.equal(back.redirectUri, `${api.context.publicUrl()}/calendar-sign-in`);
  const path = `/calendar-sign-ins/${id}/code` as const;
  const other = await begin('google');
  const strange = google.consent(other.url ?? '');
  assert.equal((await api.other.ask('POST', path, { state: back.state, code: back.code })).status, 404);
  assert.equal((await api.tenant.ask('POST', path, { state: strange.state, code: back.code })).status, 422);
  assert.equal((await api.tenant.ask('POST', path, { state: `${id}.`, code: back.code })).status, 422);
  assert.equal((await look(id)).json.data.state, 'waiting');
  const answers = await Promise.all(
    [1, 2].map(() => api.tenant.ask('POST', path, { state: back.state, code: back.code })),
  );
  assert.equal(fakes.asked.filter((each) => each.includes('oauth2.googleapis.com')).length, 1);
  assert.ok(answers.every(({ status }) => status === 200));
  const { data } = (await look(id)).json;
  assert.deepEqual(
    [data.state, data.calendars.map(({ name, isWritable }) => [name, isWritable])],
    [
      'done',
      [
        ['Anna', true],
        ['Salon', false],
      ],
    ],
  );
  // A code that was given for another window has another proof.
  const third = await begin('google');
  const state = google.consent(third.url ?? '').state;
  await api.tenant.ask('POST', `/calendar-sign-ins/${third.id}/code`, { state, code: strange.code });
  assert.equal((await look(third.id)).json.data.state, 'failed');
  assert.deepEqual(fakes.faults, []);
});

test('a right that was not ticked at Google is said before anything is connected', async () => {
  google.scope = 'https://www.googleapis.com/auth/calendar.events';
  const { id, url } = await begin('google');
  const { state, code } = google.consent(url ?? '');
  const { data } = (await api.tenant.ask('POST', `/calendar-sign-ins/${id}/code`, { state, code })).json;
  assert.match(`${data.state} ${data.error}`, /^failed .*tick both boxes/);
});

test('without an application at Google or Microsoft, and beyond ten that wait, none is begun', async () => {
  api.context.config.calendarAccounts = { google: null, microsoft: null, base: null };
  const { status, json } = await api.tenant.ask('POST', '/calendar-sign-ins', { kind: 'google' });
  assert.deepEqual([status, json.code], [409, 'CALENDAR_ACCOUNTS_NOT_SET_UP']);
  api.context.config.calendarAccounts = {
    google: { clientId: 'google-id', clientSecret: 'google-secret' },
    ...{ microsoft: null, base: fakes.url },
  };
  for (let each = 0; each < 10; each++) await begin('google');
  assert.equal((await api.tenant.ask('POST', '/calendar-sign-ins', { kind: 'google' })).status, 429);
});

test('a calendar is connected with a sign-in that is done, of its own kind and account, and is named where there are several', async () => {
  const id = await salon();
  const connect = (body: object) => api.tenant.ask('POST', `/businesses/${id}/calendars`, body);
  const waiting = await begin('google');
  const fields = async (body: object) => (await connect(body)).json.errors?.map(({ field }) => field);
  assert.deepEqual(await fields({ kind: 'google', signIn: waiting.id }), ['signIn']);
  assert.deepEqual(await fields({ kind: 'google' }), ['signIn']);
  assert.deepEqual(await fields({ kind: 'google', signIn: waiting.id, url: 'https://x.example' }), ['url']);
  assert.deepEqual(await fields({ kind: 'ics' }), ['url']);
  const { state, code } = google.consent(waiting.url ?? '');
  await api.tenant.ask('POST', `/calendar-sign-ins/${waiting.id}/code`, { state, code });
  assert.deepEqual(await fields({ kind: 'microsoft', signIn: waiting.id }), ['signIn']);
  assert.deepEqual(await fields({ kind: 'google', signIn: waiting.id }), ['calendar']);
  assert.deepEqual(await fields({ kind: 'google', signIn: waiting.id, calendar: 'Salon', writes: true }), ['writes']);
  const { status, json } = await connect({ kind: 'google', signIn: waiting.id, calendar: 'Anna', resource: 'Anna' });
  const { name, address, writes, state: calendarState } = json.data;
  assert.deepEqual([status, name, address, writes, calendarState], [201, 'Anna', 'anna@example.com', true, 'ok']);
  // The same sign-in has the other calendar too.
  assert.equal((await connect({ kind: 'google', signIn: waiting.id, calendar: 'Salon' })).json.data.writes, false);
  assert.doesNotMatch(api.logs.join(''), /g-\d|1\/\/google|google-secret/);
});
