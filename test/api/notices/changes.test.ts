// Owners are told of appointments that are changed on the telephone, and of calendars that they have to open again.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { KyselyPlugin } from 'kysely';
import { readAndNote } from '../../../api/calendars/sync.ts';
import type { ApiContext } from '../../../api/context.ts';
import { bookAppointment } from '../../../db/rules/booking.ts';
import { changeAppointment } from '../../../db/rules/rebooking.ts';
import { CalendarServer } from '../../support/api/calendar-server.ts';
import { useFreshApi } from '../../support/api/use-api.ts';
import { log, tell } from './told.ts';

const HOUR_MS = 3_600_000;
const PHONE = '+14155552671';

const api = useFreshApi({ config: { webhookAllowPrivate: true } });
let businessId: string;
let server: CalendarServer;
before(async () => {
  server = await new CalendarServer().listen();
});
after(() => server.close());
beforeEach(async () => {
  api.mails.length = 0;
  server.password = 'secret';
  const body = { name: 'Bright Dental', industry: 'dental', timezone: 'America/New_York' };
  businessId = (await api.tenant.ask('POST', '/businesses', body)).json.data.id;
});

const telling = (on: string, more: object = {}) =>
  api.tenant.ask('PATCH', `/businesses/${businessId}`, {
    notify: [{ on, by: 'mail', to: 'owner@example.com', ...more }],
  });

const startsAtMs = Date.UTC(2026, 10, 19, 15);

async function booked(): Promise<string> {
  const answer = await bookAppointment(api.context.db, {
    ...{ accountId: api.tenant.accountId, businessId, callId: null, service: 'Cleaning', startsAtMs },
    ...{ endsAtMs: startsAtMs + HOUR_MS, name: 'Ada', phone: PHONE, notes: null, nowMs: api.clock.now },
  });
  assert.ok(answer.booked);
  return answer.appointmentId;
}

const change = (appointmentId: string, hours: number | null) =>
  changeAppointment(api.context.db, {
    ...{
      accountId: api.tenant.accountId,
      businessId,
      phone: PHONE,
      reference: null,
      nowMs: api.clock.now,
      appointmentId,
    },
    to:
      hours === null
        ? null
        : {
            ...{ startsAtMs: startsAtMs + hours * HOUR_MS, endsAtMs: startsAtMs + (hours + 1) * HOUR_MS },
            ...{ candidates: [null], known: [], bufferMs: 0 },
          },
  });

test('one that is moved, moved again and cancelled by phone is told of each time, and no other change is', async () => {
  await telling('appointment');
  const id = await booked();
  await change(id, 2);
  await tell(api);
  assert.equal(api.mails[0]?.subject, 'Appointment moved: Ada, +14155552671 · Bright Dental');
  assert.match(api.mails[0]?.text ?? '', /Appointment moved: Nov 19, 2026, 12:00.PM, Cleaning, Ada\n/);
  assert.match(api.mails[0]?.text ?? '', /Before: Nov 19, 2026, 10:00.AM\n/);
  await change(id, 4);
  await change(id, null);
  await tell(api);
  assert.equal(api.mails.length, 2, 'two at once are one message');
  assert.match(api.mails[1]?.text ?? '', /Appointment moved: Nov 19, 2026, 2:00.PM/);
  assert.match(api.mails[1]?.text ?? '', /Appointment cancelled: Nov 19, 2026, 2:00.PM/);
  await api.tenant.ask('PATCH', `/appointments/${id}`, { status: 'booked' });
  await tell(api);
  assert.equal(api.mails.length, 2);
});

test('a message without details names nobody', async () => {
  await telling('appointment', { detail: 'link' });
  await change(await booked(), null);
  await tell(api);
  assert.doesNotMatch(`${api.mails[0]?.subject} ${api.mails[0]?.text}`, /Ada|4155552671/);
});

/** Connects a calendar; the answer reads it again, minutes later, and tells what came of it. */
async function connectedCalendar(): Promise<(context?: ApiContext) => Promise<void>> {
  const { id } = (
    await api.tenant.ask('POST', `/businesses/${businessId}/calendars`, {
      ...{ kind: 'caldav', url: `${server.origin}/`, username: 'anna', password: 'secret' },
    })
  ).json.data;
  return async (context = api.context) => {
    api.clock.advance(6 * 60_000);
    await readAndNote(
      context,
      await api.context.db.selectFrom('calendars').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    );
    await tell(api);
  };
}

test('a calendar whose password was changed is told of once, and again when it is shut again', async () => {
  await telling('calendar');
  const read = await connectedCalendar();
  server.password = 'another';
  await read();
  await read();
  assert.deepEqual(
    api.mails.map(({ subject }) => subject),
    ['A calendar has to be opened again: Work · Bright Dental'],
  );
  assert.match(api.mails[0]?.text ?? '', /check the user name and password[\s\S]*tab=appointments/);
  server.password = 'secret';
  await read();
  server.password = 'another';
  await read();
  assert.equal(api.mails.length, 2);
  assert.deepEqual(
    (await log(api, businessId)).map(({ on }) => on),
    [['calendar'], ['calendar']],
  );
});

test('a process that dies as it tells of a calendar: the next one tells of it', async () => {
  await telling('calendar');
  const read = await connectedCalendar();
  server.password = 'another';
  const dying: KyselyPlugin = {
    transformQuery({ node }) {
      if (node.kind === 'InsertQueryNode' && node.into?.table.identifier.name === 'notices')
        throw new Error('the process dies');
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await assert.rejects(read({ ...api.context, db: api.context.db.withPlugin(dying) }), /the process dies/);
  await read();
  assert.deepEqual(
    api.mails.map(({ subject }) => subject),
    ['A calendar has to be opened again: Work · Bright Dental'],
  );
});

test('the example of each says what it will be', async () => {
  await telling('calendar');
  await api.tenant.ask('POST', `/businesses/${businessId}/notices/test`, { index: 0 });
  assert.match(api.mails[0]?.subject ?? '', /^A calendar has to be opened again: Anna/);
});
