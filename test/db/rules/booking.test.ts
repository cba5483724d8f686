// One caller gets a time, and the same call the same appointment, however often its model asks.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { bookAppointment, type NewAppointment } from '../../../db/rules/booking.ts';
import { Stage } from '../../engine/campaign/stage.ts';

const NOW = Date.UTC(2026, 10, 18, 17);
const HOUR = 3_600_000;

let stage: Stage;
let accountId: string;

beforeEach(async () => {
  stage = new Stage({ startMs: NOW, seed: 1 });
  accountId = await stage.tables.account({ plan: 'STARTER' });
});
afterEach(() => stage.close());

const book = (change: Partial<NewAppointment> = {}) =>
  stage.db.transaction().execute((tx) =>
    bookAppointment(tx, {
      accountId,
      businessId: 'biz_1',
      callId: 'call_1',
      service: 'Check-up',
      startsAtMs: NOW + HOUR,
      endsAtMs: NOW + 2 * HOUR,
      name: 'Jamie Rivera',
      phone: '+12025550143',
      notes: null,
      nowMs: NOW,
      ...change,
    }),
  );

const events = async (): Promise<number> =>
  (await stage.db.selectFrom('events').select('id').where('type', '=', 'appointment.scheduled').execute()).length;

test('a call that asks for what it has booked gets the same appointment, and one event', async () => {
  const first = await book();
  assert.ok(first.booked);
  assert.deepEqual(await book({ nowMs: NOW + 5_000 }), first);
  assert.equal(await events(), 1);
});

test('the time is taken for another call, another name, another service and a time that overlaps', async () => {
  await book();
  const taken = { booked: false, reason: 'taken' };
  assert.deepEqual(await book({ callId: 'call_2' }), taken);
  assert.deepEqual(await book({ name: 'Sam Rivera' }), taken);
  assert.deepEqual(await book({ service: 'Cleaning' }), taken);
  assert.deepEqual(await book({ startsAtMs: NOW + HOUR / 2 }), taken);
  assert.equal((await book({ startsAtMs: NOW + 2 * HOUR, endsAtMs: NOW + 3 * HOUR })).booked, true);
});

test('of several chairs each is booked once, at one time; the next caller hears that all are taken', async () => {
  const chairs = { candidates: ['Anna', 'Ben'], known: ['Anna', 'Ben'] };
  const answers = await Promise.all(
    ['call_1', 'call_2', 'call_3'].map((callId) => book({ ...chairs, callId, name: callId })),
  );
  assert.deepEqual(
    answers.map((answer) => (answer.booked ? answer.resource : answer.reason)),
    ['Anna', 'Ben', 'taken'],
  );
  const later = { startsAtMs: NOW + 2 * HOUR, endsAtMs: NOW + 3 * HOUR };
  assert.deepEqual(
    await book({ ...chairs, ...later, callId: 'call_4', candidates: ['Ben'], bufferMs: 60_000 }),
    { booked: false, reason: 'taken' },
    'the buffer lies between two of one chair',
  );
});

test('an appointment with a chair that is gone takes all of them', async () => {
  await book({ candidates: ['Clara'], known: ['Clara'] });
  const answer = await book({ callId: 'call_2', candidates: ['Anna', 'Ben'], known: ['Anna', 'Ben'] });
  assert.equal(answer.booked, false);
});
