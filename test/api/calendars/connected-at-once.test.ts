// Calendars that are connected at the same moment: together they are no more than a business may have.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { CalendarServer } from '../../support/api/calendar-server.ts';
import { useTenants } from '../../support/api/use-api.ts';

const api = useTenants({ config: { webhookAllowPrivate: true } });
const server = await new CalendarServer().listen();
after(() => server.close());

test('two that are the fortieth at once: one is taken, the other refused', async () => {
  const body = { name: 'Salon', industry: 'salon', timezone: 'Europe/Berlin' };
  const { id } = (await api.tenant.ask('POST', '/businesses', body)).json.data;
  const dav = { kind: 'caldav', url: `${server.origin}/`, username: 'anna', password: 'secret' };
  const connect = () => api.tenant.ask('POST', `/businesses/${id}/calendars`, dav);
  assert.equal((await connect()).status, 201);
  const { db } = api.context;
  const first = await db.selectFrom('calendars').selectAll().where('businessId', '=', id).executeTakeFirstOrThrow();
  for (let n = 2; n < 40; n++)
    await db
      .insertInto('calendars')
      .values({ ...first, id: `${first.id}${n}` })
      .execute();
  const answers = await Promise.all([connect(), connect()]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422]);
  const kept = await db.selectFrom('calendars').select('id').where('businessId', '=', id).execute();
  assert.equal(kept.length, 40);
});
