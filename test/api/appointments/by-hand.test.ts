// Appointments made by hand, and the times that are free for them: by the rules of a booking on a call.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { hashToken } from '../../../api/auth/secrets.ts';
import { bearer } from '../../../bench/rig/api/sign-in.ts';
import { insertAccessToken } from '../../../db/queries/accounts/access-tokens.ts';
import { useTenants } from '../../support/api/use-api.ts';

const api = useTenants();
/** A Tuesday; Berlin is an hour ahead of UTC. */
const DAY = '2026-12-01';
const at = (clock: string): string => new Date(`${DAY}T${clock}:00+01:00`).toISOString();

async function salon(changes: object = {}): Promise<string> {
  const answer = await api.tenant.ask('POST', '/businesses', {
    ...{ name: 'Salon', industry: 'salon', timezone: 'Europe/Berlin', bufferMinutes: 0 },
    hours: [{ day: 'tuesday', open: '09:00', close: '12:00' }],
    services: [{ name: 'Haircut', duration: 60 }, { name: 'Beard' }],
    ...changes,
  });
  assert.equal(answer.status, 201, answer.text);
  return answer.json.data.id;
}

const make = (businessId: string, body: object, headers: Record<string, string> = {}) =>
  api.tenant.ask('POST', '/appointments', { businessId, ...body }, { ...bearer(api.tenant.token), ...headers });

const free = async (businessId: string, query = ''): Promise<string[]> => {
  const path = `/businesses/${businessId}/free-times?from=${DAY}&to=${DAY}${query}` as const;
  return (await api.tenant.ask('GET', path)).json.data.times;
};

test('one is made by hand: the service decides how long it takes, and its person and its hour are kept', async () => {
  const businessId = await salon();
  const body = {
    startsAt: at('09:30'),
    service: 'haircut',
    name: ' Ann ',
    phone: '+14155552671',
    notes: 'First visit',
  };
  const { status, json } = await make(businessId, body);
  assert.equal(status, 201);
  const { id, reference, ...rest } = json.data;
  assert.match(reference ?? '', /^\d{6}$/);
  assert.deepEqual(rest, {
    ...{ callId: null, conversationId: null, businessId, service: 'Haircut', resource: null, notes: 'First visit' },
    ...{ startsAt: at('09:30'), endsAt: at('10:30'), name: 'Ann', phone: '+14155552671', status: 'booked' },
    ...{ history: [], reminder: null },
  });
  assert.equal((await api.tenant.ask('GET', '/appointments')).json.data[0]?.id, id);
  const longer = await make(businessId, { startsAt: at('10:30'), service: 'Haircut', durationMinutes: 90 });
  assert.equal(longer.json.data.endsAt, at('12:00'));
});

test('free times are those of the hours without what is taken, and one that is moved does not stand in its own way', async () => {
  const businessId = await salon();
  assert.deepEqual((await free(businessId, '&service=Haircut')).at(-1), at('11:00'));
  const made = (await make(businessId, { startsAt: at('09:30'), service: 'Haircut' })).json.data;
  assert.deepEqual(await free(businessId, '&service=Haircut'), ['10:30', '10:45', '11:00'].map(at));
  assert.deepEqual((await free(businessId))[0], at('09:00'), 'half an hour fits before it');
  assert.equal((await free(businessId, `&service=Haircut&besides=${made.id}`)).length, 9);
  assert.deepEqual(await free(await salon({ hours: [] })), [], 'no hours, nothing to offer');
});

test('closed, taken, over, an unknown service and a wrong number: each is refused by its name', async () => {
  const businessId = await salon();
  const codeOf = async (body: object) => {
    const { json } = await make(businessId, { startsAt: at('09:00'), ...body });
    return json.errors?.map(({ field }) => field).join() ?? json.code ?? json.data.startsAt;
  };
  assert.equal(await codeOf({ startsAt: at('11:45') }), 'APPOINTMENT_OUTSIDE_HOURS');
  assert.equal(await codeOf({ startsAt: at('11:45'), outsideHours: true }), at('11:45'));
  assert.equal(await codeOf({}), at('09:00'));
  assert.equal(await codeOf({ startsAt: at('09:15') }), 'APPOINTMENT_TAKEN');
  assert.equal(await codeOf({ startsAt: '2026-11-01T09:00:00Z' }), 'startsAt');
  assert.equal(await codeOf({ startsAt: '2028-12-01T09:00:00Z' }), 'startsAt');
  assert.equal(await codeOf({ service: 'Massage', resource: 'Anna' }), 'service,resource');
  assert.equal(await codeOf({ phone: '030 123' }), 'phone');
  const foreign = await api.other.ask('POST', '/appointments', { businessId, startsAt: at('10:00') });
  assert.deepEqual(
    foreign.json.errors?.map(({ field }) => field),
    ['businessId'],
  );
  assert.equal((await api.other.ask('GET', `/businesses/${businessId}/free-times`)).status, 404);
});

test('with two of the staff the second gets what the first cannot, and nobody a third', async () => {
  const businessId = await salon({
    resources: [{ name: 'Anna', hours: [{ day: 'tuesday', open: '09:00', close: '10:00' }] }, { name: 'Ben' }],
  });
  const whom = async (body: object = {}) => {
    const { json } = await make(businessId, { startsAt: at('09:00'), ...body });
    return json.data?.resource ?? json.code;
  };
  assert.equal(await whom(), 'Anna');
  assert.equal(await whom(), 'Ben');
  assert.equal(await whom(), 'APPOINTMENT_TAKEN');
  assert.equal(await whom({ startsAt: at('10:00'), resource: 'anna' }), 'APPOINTMENT_OUTSIDE_HOURS');
  assert.deepEqual(await free(businessId, '&resource=Anna'), [at('09:30')]);
  assert.equal((await free(businessId, '&resource=Ben'))[0], at('09:30'));
});

test('of many made for one time at once exactly one gets it, and a key that is repeated makes none more', async () => {
  const businessId = await salon();
  const body = { startsAt: at('09:00') };
  const answers = await Promise.all(Array.from({ length: 8 }, () => make(businessId, body)));
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  const key = { 'idempotency-key': randomUUID() };
  const later = { startsAt: at('10:00') };
  const first = await make(businessId, later, key);
  const again = await make(businessId, later, key);
  assert.deepEqual([first.status, again.status], [201, 201]);
  assert.deepEqual(again.json.data, first.json.data);
});

test('a list has those of some days, of somebody of the staff, and those that an agent booked', async () => {
  const businessId = await salon({ resources: [{ name: 'Anna' }, { name: 'Ben' }] });
  await make(businessId, { startsAt: at('09:00'), resource: 'Anna' });
  await make(businessId, { startsAt: at('09:00'), resource: 'Ben' });
  await make(businessId, { startsAt: '2026-12-08T08:00:00.000Z', resource: 'Ben' });
  const total = async (query: string) => (await api.tenant.ask('GET', `/appointments?${query}`)).json.pagination?.total;
  assert.equal(await total(`from=${DAY}&to=${DAY}`), 2);
  assert.equal(await total('from=2026-12-02'), 1);
  assert.equal(await total(`from=${DAY}T08:00:00Z&to=${DAY}T08:00:00Z&resource=Ben`), 1);
  assert.equal(await total('agentId=agt_none'), 0);
  const { json } = await api.tenant.ask('GET', `/appointments?from=${DAY}&to=2026-11-01`);
  assert.deepEqual(
    json.errors?.map(({ field }) => field),
    ['to'],
  );
});

test('who may not reach people makes one, and has nobody told of it', async () => {
  const businessId = await salon({ appointmentTexts: {} });
  const { accountId, userId } = api.tenant;
  await insertAccessToken(api.context.db, {
    ...{ id: 'pat_diary', accountId, userId, name: 'Import', tokenHash: hashToken('vcs_diary'), role: 'USER' },
    ...{ lastUsedAt: null, revokedAt: null, createdAt: api.clock.now, appEnv: 'development' },
    ...{ scopes: '["read","change"]', expiresAt: null },
  });
  const asImport = bearer('vcs_diary');
  const body = { startsAt: at('09:00'), phone: '+14155552671' };
  assert.equal((await make(businessId, { ...body, tellPerson: true }, asImport)).json.code, 'SCOPE_MISSING');
  const { id } = (await make(businessId, body, asImport)).json.data;
  const planned = async () => (await api.context.db.selectFrom('appointmentTexts').select('kind').execute()).length;
  assert.equal(await planned(), 0);
  const tell = { startsAt: at('10:00'), tellPerson: true };
  assert.equal((await api.ask('PATCH', `/appointments/${id}`, tell, asImport)).json.code, 'SCOPE_MISSING');
  await make(businessId, { ...body, startsAt: at('11:00') });
  assert.ok((await planned()) > 0);
});
