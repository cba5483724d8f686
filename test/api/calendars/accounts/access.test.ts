// Access to accounts at Google and Microsoft: renewed once, withdrawn, slowed down, and given anew.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAndNote } from '../../../../api/calendars/sync.ts';
import type { CalendarAccountKind } from '../../../../db/schema/calendars.ts';
import { HOUR, MINUTE, useCalendarAccounts } from './connected.ts';

const { api, fakes, google, microsoft, signIn, salon, connect, booked, calendarsOf, sync } = useCalendarAccounts();
const KINDS: readonly CalendarAccountKind[] = ['google', 'microsoft'];
const fakeOf = (kind: CalendarAccountKind) => (kind === 'google' ? google : microsoft);

for (const kind of KINDS) {
  test(`${kind}: access is renewed when it is over or refused, once also where several need it`, async () => {
    const id = await salon();
    await connect(id, kind);
    await sync(2 * HOUR);
    assert.equal(fakeOf(kind).renewals, 1);
    fakeOf(kind).forgetAccess();
    api.clock.advance(2 * HOUR);
    const rows = await api.context.db.selectFrom('calendars').selectAll().execute();
    await Promise.all([...rows, ...rows, ...rows].map((row) => readAndNote(api.context, row)));
    assert.equal(fakeOf(kind).renewals, 2);
    assert.equal((await calendarsOf(id))[0]?.state, 'ok');
    fakeOf(kind).forgetAccess();
    await sync(6 * MINUTE);
    assert.deepEqual([fakeOf(kind).renewals, (await calendarsOf(id))[0]?.state], [3, 'ok']);
    assert.deepEqual(fakes.faults, []);
  });

  test(`${kind}: access that is withdrawn is said, bookings go on, and a new sign-in catches up`, async () => {
    const id = await salon();
    const { id: calendarId } = (await connect(id, kind)).json.data;
    fakeOf(kind).isGranted = false;
    const [first, second] = [{ callId: 'call_1' }, { callId: 'call_2' }];
    await booked(id, { ...first, startsAtMs: api.clock.now + 9 * HOUR, endsAtMs: api.clock.now + 10 * HOUR });
    await sync(2 * HOUR);
    const [refused] = await calendarsOf(id);
    assert.deepEqual([refused?.state, refused?.unwritten], ['refused', 1]);
    assert.match(refused?.error ?? '', /does not let us in any more.*Sign in again/);
    await booked(id, { ...second, startsAtMs: api.clock.now + 9 * HOUR, endsAtMs: api.clock.now + 10 * HOUR });
    await sync(MINUTE);
    google.isGranted = true;
    const path = `/businesses/${id}/calendars/${calendarId}` as const;
    const patched = await api.tenant.ask('PATCH', path, { signIn: await signIn(kind) });
    assert.equal(patched.status, 200);
    await sync();
    await sync(6_000);
    const [again] = await calendarsOf(id);
    assert.deepEqual([again?.state, again?.unwritten], ['ok', 0]);
    assert.equal(fakeOf(kind).events.size, 2);
    assert.deepEqual(fakes.faults, []);
  });

  test(`${kind}: where it asks for patience it is left alone for that long`, async () => {
    const id = await salon();
    await connect(id, kind);
    await booked(id);
    const limited = { error: { code: 403, errors: [{ reason: 'rateLimitExceeded' }] } };
    fakes.failsWith =
      kind === 'google' ? { status: 403, json: limited } : { status: 429, headers: { 'retry-after': '1200' } };
    await sync(6 * MINUTE);
    const [failing] = await calendarsOf(id);
    assert.deepEqual([failing?.state, failing?.unwritten], ['failing', 1]);
    assert.match(failing?.error ?? '', /asked too often/);
    const before = fakes.asked.length;
    fakes.failsWith = null;
    await sync(kind === 'google' ? 30_000 : 19 * MINUTE);
    assert.equal(fakes.asked.length, before);
    await sync(6 * MINUTE);
    const [ok] = await calendarsOf(id);
    assert.deepEqual([ok?.state, ok?.unwritten], ['ok', 0]);
  });
}

test('a want of rights, and a calendar that is gone, wait for their owner', async () => {
  const id = await salon();
  await connect(id, 'google');
  fakes.failsWith = { status: 403, json: { error: { code: 403, errors: [{ reason: 'forbidden' }] } } };
  await sync(6 * MINUTE);
  assert.equal((await calendarsOf(id))[0]?.error, 'Google does not allow it with this account');
  fakes.failsWith = null;
  google.calendars.clear();
  await sync(2 * HOUR);
  const [gone] = await calendarsOf(id);
  assert.deepEqual([gone?.state, gone?.error], ['refused', 'the calendar is not in the Google account any more']);
});
