// A caller changes what is theirs, by the number that calls or by a reference, and nothing else.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { bookAppointment, type NewAppointment } from '../../../db/rules/booking.ts';
import { appointmentsOfCaller, type ChangeWish, changeAppointment } from '../../../db/rules/rebooking.ts';
import { Stage } from '../../engine/campaign/stage.ts';

const NOW = Date.UTC(2026, 10, 18, 17);
const HOUR = 3_600_000;
const PHONE = '+12025550143';

let stage: Stage;
let accountId: string;

beforeEach(async () => {
  stage = new Stage({ startMs: NOW, seed: 1 });
  accountId = await stage.tables.account({ plan: 'STARTER' });
});
afterEach(() => stage.close());

async function booked(change: Partial<NewAppointment> = {}) {
  const answer = await bookAppointment(stage.db, {
    ...{ accountId, businessId: 'biz_1', callId: 'call_1', service: 'Check-up', name: 'Jamie', notes: null },
    ...{ startsAtMs: NOW + HOUR, endsAtMs: NOW + 2 * HOUR, phone: PHONE, nowMs: NOW },
    ...change,
  });
  assert.ok(answer.booked);
  return answer;
}

const proof = { businessId: 'biz_1', phone: PHONE, reference: null, nowMs: NOW } as const;
const later = (hours: number) => ({
  startsAtMs: NOW + hours * HOUR,
  endsAtMs: NOW + (hours + 1) * HOUR,
  ...{ candidates: [null], known: [], bufferMs: 0 },
});
const change = (wish: Pick<ChangeWish, 'appointmentId' | 'to'> & Partial<ChangeWish>) =>
  changeAppointment(stage.db, { accountId, ...proof, ...wish });
const events = () => stage.db.selectFrom('events').select('dedupe').where('type', '=', 'appointment.changed').execute();

test('the number that calls finds its appointments ahead; the reference finds one from any number', async () => {
  const { appointmentId, reference } = await booked();
  await booked({ startsAtMs: NOW + 3 * HOUR, endsAtMs: NOW + 4 * HOUR, phone: '+12025550199' });
  const found = async (of: object) =>
    (await appointmentsOfCaller(stage.db, { accountId, ...proof, ...of })).map(({ id }) => id);
  assert.match(reference ?? '', /^[1-9]\d{5}$/);
  assert.deepEqual(await found({}), [appointmentId]);
  assert.deepEqual(await found({ phone: null, reference: reference ?? '' }), [appointmentId]);
  assert.deepEqual(await found({ phone: null }), []);
  assert.deepEqual(await found({ phone: null, reference: '000000' }), []);
  assert.deepEqual(await found({ nowMs: NOW + 2 * HOUR }), [], 'it has begun');
  assert.deepEqual(await found({ businessId: 'biz_2' }), []);
});

test('it is moved to a free time, also over its own, and its history and an event say so', async () => {
  const { appointmentId } = await booked();
  await booked({ startsAtMs: NOW + 5 * HOUR, endsAtMs: NOW + 6 * HOUR, callId: 'call_2', phone: null });
  assert.deepEqual(await change({ appointmentId, to: later(5) }), { changed: false, reason: 'taken' });
  assert.deepEqual(await change({ appointmentId, to: later(1.5) }), { changed: true, resource: null });
  assert.deepEqual(await change({ appointmentId, to: later(1.5) }), { changed: true, resource: null });
  const [own] = await appointmentsOfCaller(stage.db, { accountId, ...proof });
  assert.deepEqual([own?.startsAt, own?.sequence], [NOW + 1.5 * HOUR, 1], 'asked for twice, moved once');
  assert.deepEqual(await events(), [{ dedupe: '1' }]);
});

test('it is cancelled once, and its time is free again', async () => {
  const { appointmentId } = await booked();
  assert.equal((await change({ appointmentId, to: null })).changed, true);
  assert.deepEqual(await change({ appointmentId, to: null }), { changed: false, reason: 'not_found' });
  await booked({ callId: 'call_2' });
});

test('an id that is invented, a stranger’s or another business’s is not found', async () => {
  const { appointmentId } = await booked();
  const notFound = { changed: false, reason: 'not_found' };
  assert.deepEqual(await change({ appointmentId: 'apt_invented', to: null }), notFound);
  assert.deepEqual(await change({ appointmentId, to: null, phone: '+12025550199' }), notFound);
  assert.deepEqual(await change({ appointmentId, to: null, businessId: 'biz_2' }), notFound);
});
