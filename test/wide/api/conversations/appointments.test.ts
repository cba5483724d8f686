// Texts about appointments: confirmation, reminder, news of changes, each once, at hours at which one may write, and
// none to a person who wants none.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DateTime } from 'luxon';
import { textAboutAppointments } from '../../../../api/conversations/appointments.ts';
import { SERVICE_TEXTS_A_DAY } from '../../../../db/domain/texts/limits.ts';
import { addBookingTry } from '../../../../db/queries/businesses/booking-tries.ts';
import { bookAppointment } from '../../../../db/rules/booking.ts';
import type { DialogueModel } from '../../../../models/llm/llm.ts';
import { PERSON, useTexts } from '../../../support/carriers/text-lab.ts';

const lab = useTexts({ appointmentTexts: {} });
const HOUR = 3_600_000;
/** Noon in London is four in the morning in California, where the person's number is. */
const NOON_THERE = 8 * HOUR;

async function book(inHours = 48, phone = PERSON): Promise<string> {
  const { api, businessId } = lab;
  const startsAtMs = Math.ceil(api.clock.now / HOUR) * HOUR + inHours * HOUR;
  const times = { startsAtMs, endsAtMs: startsAtMs + HOUR / 2, nowMs: api.clock.now };
  const of = {
    accountId: api.admin.accountId,
    businessId,
    callId: null,
    service: 'Check-up',
    name: 'Jane',
    notes: null,
  };
  const booked = await bookAppointment(api.context.db, { ...of, ...times, phone, isPhoneProved: true });
  assert.ok(booked.booked);
  return booked.appointmentId;
}

async function round(afterMs = 0): Promise<string[]> {
  lab.api.clock.advance(afterMs);
  const before = lab.sent().length;
  await textAboutAppointments(lab.api.context);
  await lab.send();
  return lab.sent().slice(before);
}

test('it is confirmed in the morning, not at four at night, and once', async () => {
  await book();
  assert.deepEqual(await round(), []);
  const [confirmed, ...more] = await round(NOON_THERE);
  assert.match(confirmed ?? '', /^Rivera Dental: your appointment \(Check-up\) is booked for \w+day, /);
  assert.deepEqual(more, []);
  assert.deepEqual(await round(HOUR), []);
});

test('a day before it the person is reminded', async () => {
  lab.api.clock.advance(NOON_THERE);
  await book(72);
  await round();
  assert.deepEqual(await round(40 * HOUR), []);
  const [reminder] = await round(10 * HOUR);
  assert.match(reminder ?? '', /reminder of your appointment/);
  assert.deepEqual(await round(HOUR), []);
});

test('moved and cancelled it is told, and the old reminder is not', async () => {
  lab.api.clock.advance(NOON_THERE);
  const id = await book(72);
  await round();
  const startsAt = new Date(lab.api.clock.now + 120 * HOUR).toISOString();
  await lab.api.admin.ask('PATCH', `/appointments/${id}`, { startsAt });
  assert.match((await round()).join(), /was moved to/);
  assert.deepEqual(await round(50 * HOUR), []);
  await lab.api.admin.ask('PATCH', `/appointments/${id}`, { status: 'cancelled' });
  assert.match((await round()).join(), /is cancelled/);
  assert.deepEqual(await round(60 * HOUR), []);
});

test('one that is off before it was confirmed is not written of', async () => {
  const id = await book();
  await lab.api.admin.ask('PATCH', `/appointments/${id}`, { status: 'cancelled' });
  assert.deepEqual(await round(NOON_THERE), []);
});

test('nothing is sent after STOP, nor to a number that must not be called', async () => {
  lab.api.clock.advance(NOON_THERE);
  await lab.ask('STOP');
  await book();
  const other = '+14155550199';
  await lab.api.admin.ask('POST', '/do-not-call', { phoneNumber: other });
  await book(50, other);
  assert.deepEqual(await round(), []);
});

test('a business that wants none sends none', async () => {
  const { admin } = lab.api;
  await admin.ask('PATCH', `/businesses/${lab.businessId}`, { appointmentTexts: null });
  lab.api.clock.advance(NOON_THERE);
  await book();
  assert.deepEqual(await round(), []);
});

test('who answers a confirmation writes to the agent, which knows of it', async () => {
  lab.api.clock.advance(NOON_THERE);
  await book();
  await round();
  const [answer] = await lab.ask('What are your opening hours?');
  assert.match(answer ?? '', /Monday/);
  const [conversation] = (await lab.api.admin.ask('GET', '/conversations')).json.data;
  const messages = (await lab.api.admin.ask('GET', `/conversations/${conversation?.id}/messages`)).json.data;
  assert.deepEqual(
    messages.map(({ author }) => author),
    ['agent', 'person', 'service'],
  );
});

/** It calls the tool that the person's text names, and says what came of it. */
const OBEYS: DialogueModel = {
  name: 'obeys',
  complete: null,
  async *reply({ messages }) {
    const last = messages.at(-1);
    if (last?.role === 'tool-result') return yield { type: 'text', text: JSON.stringify(last.result) };
    const [, name = '', args = '{}'] = /^(\w+) (.*)$/s.exec(last?.role === 'caller' ? last.text : '') ?? [];
    yield { type: 'tool-call', id: 'c1', name, arguments: JSON.parse(args) };
  },
};
const tool = async (name: string, args: object): Promise<string> =>
  (await lab.ask(`${name} ${JSON.stringify(args)}`, OBEYS)).join();

/** Texts to anybody else than the person who writes. */
const sentToOthers = () => [...lab.twilio.messages.values()].filter(({ to }) => to !== PERSON);

test('nothing goes to a number that somebody only named, however often they move its appointment', async () => {
  lab.api.clock.advance(NOON_THERE);
  const phone = '+14155550199';
  const answer = await tool('schedule_appointment', { service: 'Check-up', phone, startsAt: at(0) });
  const reference = /"reference":"(\d+)"/.exec(answer)?.[1];
  assert.ok(reference, answer);
  for (const hours of [1, 2, 3]) {
    assert.match(await tool('move_own_appointment', { reference, startsAt: at(hours) }), /"ok":true/);
    await round();
  }
  const [row] = await lab.api.context.db.selectFrom('appointments').selectAll().execute();
  assert.deepEqual([row?.phone, row?.phoneProved], [phone, 0], 'the business knows whom to call');
  assert.deepEqual(sentToOthers(), []);
  await round(40 * HOUR);
  assert.deepEqual(sentToOthers(), [], 'nor a reminder');
});

test('a text names a service of the business, and no words of who booked', async () => {
  lab.api.clock.advance(NOON_THERE);
  await lab.api.admin.ask('PATCH', `/businesses/${lab.businessId}`, { services: [] });
  const startsAt = new Date(weekdayMorning()).toISOString();
  await tool('schedule_appointment', { service: 'Pay at http://evil.example', startsAt });
  await tool('move_own_appointment', { startsAt: new Date(weekdayMorning() + HOUR).toISOString() });
  const [moved] = await round();
  assert.match(moved ?? '', /your appointment was moved to/);
});

test('one person gets a bounded number of texts about appointments in a day', async () => {
  lab.api.clock.advance(NOON_THERE);
  const id = await book(96);
  for (let hours = 97; hours < 117; hours++) {
    await lab.api.admin.ask('PATCH', `/appointments/${id}`, {
      startsAt: new Date(lab.api.clock.now + hours * HOUR).toISOString(),
    });
    await round();
  }
  assert.equal(lab.sent().length, SERVICE_TEXTS_A_DAY);
  assert.equal((await round(25 * HOUR)).length, 0, 'what was dropped does not come later');
  await lab.api.admin.ask('PATCH', `/appointments/${id}`, { status: 'cancelled' });
  assert.match((await round()).join(), /is cancelled/);
});

const at = (hours: number) => new Date(weekdayMorning() + hours * HOUR).toISOString();
const cancelled = (reference: number) => tool('cancel_own_appointment', { reference: String(reference) });

test('a conversation books and changes five appointments in a day, however many messages it has', async () => {
  lab.api.clock.advance(NOON_THERE);
  for (let booked = 0; booked < 5; booked++)
    assert.match(await tool('schedule_appointment', { service: 'Check-up', startsAt: at(booked) }), /"ok":true/);
  assert.match(await tool('schedule_appointment', { service: 'Check-up', startsAt: at(6) }), /too_many/);
  const [one] = await lab.api.context.db.selectFrom('appointments').select('id').orderBy('startsAt').execute();
  const move = (minutes: number) =>
    tool('move_own_appointment', { appointmentId: one?.id, startsAt: at(-minutes / 60) });
  for (let moved = 1; moved <= 5; moved++) assert.match(await move(moved), /"ok":true/);
  assert.match(await move(6), /too_many/);
  lab.api.clock.advance(25 * HOUR);
  assert.match(await move(6), /"ok":true/);
  assert.match(await tool('schedule_appointment', { service: 'Check-up', startsAt: at(6) }), /"ok":true/);
});

test('who has guessed wrong three times guesses no more that day, in whatever message', async () => {
  lab.api.clock.advance(NOON_THERE);
  await book(96, '+14155550199');
  const [theirs] = await lab.api.context.db.selectFrom('appointments').select('reference').execute();
  const right = Number(theirs?.reference);
  for (const wrong of [1, 2, 3])
    assert.match(await cancelled(right === 100_000 + wrong ? 200_000 : 100_000 + wrong), /not_found/);
  assert.match(await cancelled(right), /too_many/);
  lab.api.clock.advance(25 * HOUR);
  assert.match(await cancelled(right), /"ok":true/);
});

test('strangers together guess twenty times an hour, whoever asks', async () => {
  lab.api.clock.advance(NOON_THERE);
  await book(96, '+14155550199');
  const { db, now } = lab.api.context;
  const [theirs] = await db.selectFrom('appointments').select('reference').execute();
  const of = { accountId: lab.api.admin.accountId, businessId: lab.businessId, kind: 'wrong_reference' as const };
  for (let guess = 0; guess < 20; guess++) await addBookingTry(db, { ...of, subjectId: `call_${guess}`, nowMs: now() });
  assert.match(await cancelled(Number(theirs?.reference)), /too_many/);
  lab.api.clock.advance(HOUR);
  assert.match(await cancelled(Number(theirs?.reference)), /"ok":true/);
});

/** Some days ahead, at ten in California. */
function weekdayMorning(): number {
  const at = DateTime.fromMillis(lab.api.clock.now, { zone: 'America/Los_Angeles' }).startOf('week');
  return at.plus({ weeks: 1, days: 1, hours: 10 }).toMillis();
}

test('one that is made by hand is confirmed, where its person is to be told', async () => {
  const { api, businessId } = lab;
  api.clock.advance(NOON_THERE);
  const make = (inHours: number, more: object) => {
    const startsAt = new Date(api.clock.now + inHours * HOUR).toISOString();
    const body = { businessId, startsAt, phone: PERSON, outsideHours: true, ...more };
    return api.admin.ask('POST', '/appointments', body);
  };
  assert.equal((await make(72, { tellPerson: false })).status, 201);
  assert.deepEqual(await round(), []);
  const { id } = (await make(96, {})).json.data;
  assert.match((await round()).join(), /is booked for/);
  const patch = (body: object) => api.admin.ask('PATCH', `/appointments/${id}`, body);
  await patch({ startsAt: new Date(api.clock.now + 120 * HOUR).toISOString(), tellPerson: false });
  assert.deepEqual(await round(), []);
  await patch({ status: 'cancelled', tellPerson: true });
  assert.match((await round()).join(), /is cancelled/);
});
