import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freeSlots } from '../../../../db/domain/booking/free-slots.ts';
import { inBoth, openIntervals } from '../../../../db/domain/hours/opening-times.ts';
import { runTool, toolDefinitions } from '../../../../engine/dialogue/tools/catalogue.ts';
import type { BookingWish, ToolContext } from '../../../../engine/dialogue/tools/tool.ts';
import { seededRandom } from '../../../../engine/test-runs/caller/seeded-random.ts';
import type { DialogueBusiness } from '../../../../models/llm/llm.ts';
import { business as plainBusiness } from '../dialogue-stage.ts';

const ZONE = 'America/New_York';
/** Monday, 2026-03-02 08:00 in New York (UTC-5). */
const MONDAY_8AM = Date.parse('2026-03-02T13:00:00Z');

const business: DialogueBusiness = {
  ...plainBusiness,
  timezone: ZONE,
  hours: [
    { day: 'monday', open: '09:00', close: '12:00' },
    { day: 'friday', open: '20:00', close: '02:00' },
    { day: 'sunday', open: '01:00', close: '05:00' },
  ],
  services: [
    { name: 'Teeth cleaning', duration: 60, price: 90 },
    { name: 'Check-up', duration: 30, price: 50 },
  ],
};

function context(changes: Partial<ToolContext> = {}): { context: ToolContext; booked: BookingWish[] } {
  const booked: BookingWish[] = [];
  return {
    booked,
    context: {
      business,
      callerNumber: '+12125550123',
      callerName: 'Ada',
      country: 'US',
      nowMs: MONDAY_8AM,
      listTaken: async () =>
        booked.map(({ startsAtMs, endsAtMs }) => ({ startMs: startsAtMs, endMs: endsAtMs, resource: null })),
      book: async (wish) => {
        if (booked.some((other) => other.startsAtMs < wish.endsAtMs && other.endsAtMs > wish.startsAtMs)) {
          return { booked: false, reason: 'taken' };
        }
        booked.push(wish);
        return { booked: true, appointmentId: 'apt_1' };
      },
      ownAppointments: async () => [],
      confirm: async () => false,
      remindsOf: null,
      change: async () => ({ changed: false as const, reason: 'not_found' as const }),
      collectDigits: async () => ({ ok: true as const, reference: 'secret:0123456789abcdef', digits: 16 }),
      callBack: async () => ({ scheduled: true, callId: 'call_later' }),
      optOut: async () => true,
      switchLanguage: async (language) => ({ ok: true as const, language }),
      sendDigits: async () => true,
      ...changes,
    },
  };
}

test('hours that close after midnight run into the next day', () => {
  const friday = Date.parse('2026-03-06T17:00:00Z');
  const intervals = openIntervals(business.hours, ZONE, friday, friday + 86_400_000);
  assert.deepEqual(
    intervals.map(({ startMs, endMs }) => [new Date(startMs).toISOString(), new Date(endMs).toISOString()]),
    [['2026-03-07T01:00:00.000Z', '2026-03-07T07:00:00.000Z']],
  );
});

test('an interval on a clock-change day has the hours of the wall clock', () => {
  // 2026-03-08, 02:00 → 03:00 in New York: 01:00-05:00 lasts three hours.
  const sunday = Date.parse('2026-03-08T05:00:00Z');
  const [interval] = openIntervals(business.hours, ZONE, sunday, sunday + 3_600_000 * 12);
  assert.ok(interval);
  assert.equal((interval.endMs - interval.startMs) / 3_600_000, 3);
});

test('free slots exclude booked times and those that would end after closing', () => {
  const hour = 3_600_000;
  const slots = freeSlots([{ startMs: 0, endMs: 3 * hour }], [{ startMs: hour, endMs: 2 * hour }], {
    fromMs: 0,
    toMs: 10 * hour,
    durationMs: hour,
    stepMs: hour / 2,
    limit: 10,
  });
  assert.deepEqual(slots, [0, 2 * hour]);
});

test('free slots of any open and busy times are those that meet no busy one', () => {
  const random = seededRandom(20261130);
  const upTo = (most: number) => Math.floor(random() * most);
  for (let round = 0; round < 300; round++) {
    const interval = (from: number, length: number) => ({ startMs: from, endMs: from + length });
    const open = [interval(upTo(20), upTo(60)), interval(100 + upTo(20), upTo(60))];
    const busy = Array.from({ length: upTo(8) }, () => interval(upTo(180), 1 + upTo(30)));
    const wish = { fromMs: upTo(30), toMs: 60 + upTo(120), durationMs: 1 + upTo(12), stepMs: 1 + upTo(6), limit: 200 };
    const free = freeSlots(open, [], wish).filter((startMs) =>
      busy.every((other) => other.endMs <= startMs || other.startMs >= startMs + wish.durationMs),
    );
    assert.deepEqual(freeSlots(open, busy, wish), free, JSON.stringify({ open, busy, wish }));
  }
});

test('a day with a lunch break is booked before and after it, not through it', async () => {
  const hours = [
    { day: 'monday', open: '09:00', close: '12:00' },
    { day: 'monday', open: '13:00', close: '17:00' },
  ];
  const { context: tools } = context({ business: { ...business, hours } });
  const book = async (startsAt: string) =>
    (await runTool('schedule_appointment', { service: 'Teeth cleaning', startsAt }, tools)).result as {
      ok: boolean;
      error?: string;
    };
  assert.equal((await book('2026-03-02T11:30:00')).error, 'closed');
  assert.equal((await book('2026-03-02T14:00:00')).ok, true);
  const { result } = await runTool(
    'check_availability',
    { service: 'Teeth cleaning', from: '2026-03-02T11:00:00', to: '2026-03-02T14:00:00' },
    tools,
  );
  assert.deepEqual((result as { slots: string[] }).slots, ['2026-03-02T11:00:00-05:00', '2026-03-02T13:00:00-05:00']);
});

test('check_availability offers times in the business timezone, from now on', async () => {
  const { context: tools } = context({ nowMs: MONDAY_8AM + 90 * 60_000 });
  const { result } = await runTool('check_availability', { service: 'cleaning' }, tools);
  const { slots, durationMinutes } = result as { slots: string[]; durationMinutes: number };
  assert.equal(durationMinutes, 60);
  assert.equal(slots[0], '2026-03-02T09:30:00-05:00');
});

test('a time is booked once; the second request is offered other times', async () => {
  const { context: tools, booked } = context();
  const wish = { service: 'Teeth cleaning', startsAt: '2026-03-02T10:00:00' };
  const first = (await runTool('schedule_appointment', wish, tools)).result as Record<string, unknown>;
  assert.equal(first.ok, true);
  assert.equal(first.startsAt, '2026-03-02T10:00:00-05:00');
  assert.deepEqual([booked[0]?.name, booked[0]?.phone], ['Ada', '+12125550123']);
  const second = (await runTool('schedule_appointment', wish, tools)).result as Record<string, unknown>;
  assert.equal(second.error, 'taken');
  assert.deepEqual(second.alternatives, [
    '2026-03-02T09:00:00-05:00',
    '2026-03-02T11:00:00-05:00',
    '2026-03-06T20:00:00-05:00',
  ]);
});

test('times outside opening hours, in the past or unreadable are refused with a reason', async () => {
  const { context: tools, booked } = context();
  const ask = async (startsAt: string) =>
    ((await runTool('schedule_appointment', { service: 'Check-up', startsAt }, tools)).result as { error: string })
      .error;
  assert.equal(await ask('2026-03-02T12:00:00'), 'closed');
  assert.equal(await ask('2026-03-02T11:45:00'), 'closed');
  assert.equal(await ask('2026-03-02T07:00:00'), 'in_the_past');
  assert.equal(await ask('next Tuesday'), 'bad_time');
  assert.equal(await ask('2028-03-02T10:00:00'), 'too_far_ahead');
  assert.equal(booked.length, 0);
});

test('an unknown service is answered with the list of services', async () => {
  const { context: tools } = context();
  const { result } = await runTool('check_availability', { service: 'wisdom tooth' }, tools);
  assert.deepEqual((result as { services: string[] }).services, ['Teeth cleaning', 'Check-up']);
});

test('a tool that throws and a tool that does not exist are results, not exceptions', async () => {
  const { context: tools } = context({
    optOut: async () => {
      throw new Error('disk full');
    },
  });
  assert.deepEqual((await runTool('opt_out', {}, tools)).result, { ok: false, error: 'failed', message: 'disk full' });
  assert.match(JSON.stringify((await runTool('order_pizza', {}, tools)).result), /unknown_tool/);
});

test('characters that no keypad has are not sent', async () => {
  const sent: string[] = [];
  const { context: tools } = context({
    sendDigits: async (digits) => {
      sent.push(digits);
      return true;
    },
  });
  assert.deepEqual((await runTool('send_digits', { digits: '12#w9' }, tools)).result, { ok: true });
  const refused = await runTool('send_digits', { digits: 'hello' }, tools);
  assert.equal((refused.result as { error: string }).error, 'bad_digits');
  assert.deepEqual(sent, ['12#w9']);
});

const STAFF = {
  resources: [
    { name: 'Anna Berger', aliases: ['Annie'], hours: null },
    { name: 'Ben', aliases: [], hours: [{ day: 'monday' as const, open: '10:00', close: '11:00' }] },
  ],
};
const MORNING = { service: 'Check-up', from: '2026-03-02T09:00:00', to: '2026-03-02T12:00:00' };
const at = (clock: string) => Date.parse(`2026-03-02T${clock}:00-05:00`);
const slotsOf = async (args: object, changes: Partial<ToolContext>) => {
  const { result } = await runTool('check_availability', { ...MORNING, ...args }, context(changes).context);
  return (result as { slots: string[] }).slots.map((slot) => slot.slice(11, 16));
};

test('a time is free while one of the staff is, and only within their own hours', async () => {
  const anna = { startMs: at('09:00'), endMs: at('12:00'), resource: 'Anna Berger' };
  const changes = { business: { ...business, ...STAFF }, listTaken: async () => [anna] };
  assert.deepEqual(await slotsOf({}, changes), ['10:00', '10:15', '10:30'], 'Ben is there for an hour');
  assert.deepEqual(await slotsOf({ staff: 'annie' }, changes), [], 'by an alias');
  const all = { startMs: at('10:00'), endMs: at('11:00'), resource: null };
  assert.deepEqual(await slotsOf({}, { ...changes, listTaken: async () => [anna, all] }), [], 'the whole business');
});

test('the caller books a certain person, or whoever is there then; a stranger is answered with the names', async () => {
  const { context: tools, booked } = context({ business: { ...business, ...STAFF } });
  const book = async (startsAt: string, staff?: string) =>
    (await runTool('schedule_appointment', { service: 'Check-up', startsAt, staff }, tools)).result as {
      error?: string;
      staff?: string[];
    };
  await book('2026-03-02T10:00:00', 'Ben');
  assert.deepEqual(booked.at(-1)?.candidates, ['Ben']);
  await book('2026-03-02T10:30:00');
  assert.deepEqual(booked.at(-1)?.candidates, ['Anna Berger', 'Ben']);
  await book('2026-03-02T11:30:00');
  assert.deepEqual(booked.at(-1)?.candidates, ['Anna Berger'], 'Ben has gone');
  assert.equal((await book('2026-03-02T11:00:00', 'Ben')).error, 'closed');
  const { error, staff } = await book('2026-03-02T11:00:00', 'Clara');
  assert.deepEqual([error, staff], ['unknown_staff', ['Anna Berger', 'Ben']]);
});

test('between two appointments there are the minutes of the buffer', async () => {
  const taken = { startMs: at('10:00'), endMs: at('10:30'), resource: null };
  const changes = { business: { ...business, bufferMinutes: 15 }, listTaken: async () => [taken] };
  assert.deepEqual(await slotsOf({}, changes), ['09:00', '09:15', '10:45', '11:00', '11:15', '11:30']);
});

test('a model is asked for a person only where the business names some', () => {
  const parametersOf = (of: DialogueBusiness) => {
    const all = toolDefinitions({ business: of, languages: [], isReminder: false, nowMs: MONDAY_8AM });
    const tool = all.find(({ name }) => name === 'schedule_appointment');
    assert.ok(tool);
    return (tool.parameters as { properties: Record<string, { enum?: string[] }> }).properties;
  };
  assert.equal(parametersOf(business).staff, undefined);
  assert.deepEqual(parametersOf({ ...business, ...STAFF }).staff?.enum, ['Anna Berger', 'Ben']);
});

test('a number is kept in one spelling, that of the business’s country read; one that is none is not', async () => {
  const phoneOf = async (phone: string, changes: Partial<ToolContext> = {}) => {
    const { context: tools, booked } = context(changes);
    await runTool('schedule_appointment', { service: 'Check-up', startsAt: '2026-03-02T10:00:00', phone }, tools);
    return booked[0]?.phone;
  };
  for (const phone of ['+1 415 555 2671', '+1 (415) 555-2671', '415-555-2671', '0014155552671'])
    assert.equal(await phoneOf(phone), '+14155552671', phone);
  assert.equal(await phoneOf('030 123456', { country: 'DE' }), '+4930123456');
  for (const phone of ['unknown', '+1415555', '123'])
    assert.equal(await phoneOf(phone, { callerNumber: null }), null, phone);
  assert.equal(await phoneOf('the one I call from'), '+12125550123');
});

test('who names the number that calls in another spelling needs no reference', async () => {
  const { context: tools } = context({
    book: async () => ({ booked: true, appointmentId: 'apt_1', reference: '123456' }),
  });
  const resultOf = async (phone: string) =>
    (await runTool('schedule_appointment', { service: 'Check-up', startsAt: '2026-03-02T10:00:00', phone }, tools))
      .result as { reference?: string };
  assert.equal((await resultOf('(212) 555-0123')).reference, undefined);
  assert.equal((await resultOf('+14155552671')).reference, '123456');
});

test('the times of one who works at other times than the business are those in both', () => {
  const random = seededRandom(20261201);
  const list = (): Array<{ startMs: number; endMs: number }> => {
    let at = 0;
    return Array.from({ length: Math.floor(random() * 8) }, () => {
      const startMs = at + Math.floor(random() * 6);
      at = startMs + 1 + Math.floor(random() * 9);
      return { startMs, endMs: at };
    });
  };
  for (let round = 0; round < 300; round++) {
    const [some, others] = [list(), list()];
    const isIn = (of: typeof some, ms: number) => of.some(({ startMs, endMs }) => startMs <= ms && ms < endMs);
    const both = inBoth(some, others);
    for (let ms = 0; ms < 140; ms++)
      assert.equal(isIn(both, ms), isIn(some, ms) && isIn(others, ms), JSON.stringify({ some, others, ms }));
  }
});

test('a search reads the bookings of a week where that has enough times, and never more than two months', async () => {
  const asked: Array<[fromDay: number, toDay: number]> = [];
  const isTaken = { business: false };
  const day = (ms: number) => Math.round((ms - MONDAY_8AM) / 86_400_000);
  const { context: tools } = context({
    listTaken: async (fromMs, toMs) => {
      asked.push([day(fromMs), day(toMs)]);
      return isTaken.business ? [{ startMs: fromMs, endMs: toMs, resource: null }] : [];
    },
  });
  const search = { service: 'Check-up', to: '2027-03-01' };
  const { result } = await runTool('check_availability', search, tools);
  assert.equal((result as { slots: string[] }).slots.length, 6);
  assert.deepEqual(asked, [[0, 7]]);
  isTaken.business = true;
  asked.length = 0;
  const nothing = await runTool('check_availability', search, tools);
  assert.deepEqual((nothing.result as { slots: string[] }).slots, []);
  assert.equal(asked.length, 9);
  assert.deepEqual(asked.at(-1), [56, 62]);
});

test('times of the second week come after those of the first, each once', async () => {
  const hours = [{ day: 'monday', open: '09:00', close: '10:00' }];
  const { context: tools } = context({ business: { ...business, hours } });
  const { result } = await runTool('check_availability', { service: 'Check-up' }, tools);
  assert.deepEqual(
    (result as { slots: string[] }).slots.map((slot) => slot.slice(5, 16)),
    ['03-02T09:00', '03-02T09:15', '03-02T09:30', '03-09T09:00', '03-09T09:15', '03-09T09:30'],
  );
});

test('where clocks are changed at midnight, the days after it open at their written times', () => {
  const hours = ['saturday', 'sunday', 'monday'].map((day) => ({ day, open: '09:00', close: '10:00' }));
  // 2026-09-06 begins at 01:00 in Santiago (UTC-4, then UTC-3).
  const saturday = Date.parse('2026-09-05T04:00:00Z');
  assert.deepEqual(
    openIntervals(hours, 'America/Santiago', saturday, saturday + 4 * 86_400_000).map(({ startMs }) =>
      new Date(startMs).toISOString().slice(0, 16),
    ),
    ['2026-09-05T13:00', '2026-09-06T12:00', '2026-09-07T12:00'],
  );
});
