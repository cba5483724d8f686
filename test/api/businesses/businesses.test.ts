// Businesses: defaults and rules, whole arrays, audit log, soft delete with restore and purge, tenancy.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runRetention } from '../../../api/upkeep/retention.ts';
import type { Answer } from '../../../bench/rig/api/api.ts';
import { setUpCampaign } from '../../support/api/resources.ts';
import { useTenants } from '../../support/api/use-api.ts';

const DAY = 86_400_000;

const api = useTenants();

const fields = (answer: Answer) => answer.json.errors?.map((error) => error.field);
const create = (body: object = {}) =>
  api.tenant.ask('POST', '/businesses', {
    name: 'Bright Dental',
    industry: 'dental',
    timezone: 'America/New_York',
    ...body,
  });
const patch = (id: string, body: object) => api.tenant.ask('PATCH', `/businesses/${id}`, body);

/** From texts such as `monday 09:00-12:00`. */
const hours = (...texts: string[]) =>
  texts.map((text) => {
    const [day = '', open = '', close = ''] = text.split(/[ -]/);
    return { day, open, close };
  });

test('three fields are enough; the rest has defaults', async () => {
  const answer = await create();
  assert.equal(answer.status, 201);
  const { id, createdAt, ...rest } = answer.json.data;
  assert.match(id, /^biz_/);
  assert.ok(createdAt);
  assert.deepEqual(rest, {
    name: 'Bright Dental',
    industry: 'dental',
    description: null,
    timezone: 'America/New_York',
    address: null,
    phone: null,
    email: null,
    hours: [],
    services: [],
    currency: 'USD',
    faqs: [],
    policies: [],
    systemPrompt: null,
    greetingTemplate: null,
    fallbackMessage: null,
    dialogueFallback: null,
    transferNumber: null,
    destinations: [],
    voiceSettings: { speed: 1 },
    interruptionSensitivity: 0.5,
    maxCallDurationMinutes: 30,
    silenceThresholdMs: 600,
    endpointing: 'adaptive',
    resources: [],
    bufferMinutes: 0,
    businessContext: null,
    toolIds: [],
    outputs: [],
    criteria: [],
    redaction: null,
    appointmentTexts: null,
    lookup: null,
    notify: [],
    drafts: false,
    publishedVersion: 1,
    draftVersion: null,
    deletedAt: null,
  });
  assert.equal('warnings' in answer.json, false);
});

const WHOLE = {
  description: 'Teeth',
  address: '1 Main St',
  phone: '+14155552671',
  email: 'desk@example.com',
  hours: [
    { day: 'monday', open: '09:00', close: '12:00' },
    { day: 'monday', open: '13:00', close: '17:00' },
    { day: 'friday', open: '18:00', close: '02:00' },
  ],
  services: [{ name: 'Cleaning', duration: 30, price: 99.5 }],
  currency: 'CHF',
  faqs: [{ question: 'Parking?', answer: 'Behind the house.' }],
  policies: ['No refunds', { title: 'Cancellation', hours: 24, nested: { deep: [1, null, 'x'] } }],
  systemPrompt: 'Be kind.',
  greetingTemplate: 'Hello from {{businessName}}',
  fallbackMessage: 'One moment.',
  dialogueFallback: 'message',
  transferNumber: '+442079460958',
  voiceSettings: { speed: 1.25 },
  interruptionSensitivity: 0,
  maxCallDurationMinutes: 5,
  silenceThresholdMs: 900,
  endpointing: 'fixed',
  businessContext: { offers: [{ code: 'A', percent: 10 }], note: 'é😀' },
};

test('every field is kept as it was sent, and can be sent back', async () => {
  const { data } = (await create(WHOLE)).json;
  assert.deepEqual({ ...data, ...WHOLE }, data);
  assert.deepEqual((await api.tenant.ask('GET', `/businesses/${data.id}`)).json.data, data);
  const again = await patch(data.id, data);
  assert.equal(again.status, 200, again.text);
  assert.deepEqual(again.json.data, data);
});

test('a look-up’s headers stay with its server, and another server gets none of them', async () => {
  const lookup = { url: 'https://crm.example/calls', headers: { Authorization: 'Bearer s3cret' } };
  const { data } = (await create({ lookup })).json;
  const sealed = async () => {
    const rows = api.context.db.selectFrom('businesses').select('lookupHeadersSealed').where('id', '=', data.id);
    return (await rows.executeTakeFirstOrThrow()).lookupHeadersSealed;
  };
  const first = await sealed();
  assert.ok(first !== null);
  await patch(data.id, { lookup: { url: 'https://crm.example/calls/v2' } });
  assert.equal(await sealed(), first);
  const moved = await patch(data.id, { lookup: { url: 'https://evil.example/calls' } });
  assert.equal(moved.status, 200, moved.text);
  assert.deepEqual([await sealed(), moved.json.data.lookup?.headerNames], [null, []]);
});

test('a patch changes only what was sent, and arrays whole', async () => {
  const { data } = (await create(WHOLE)).json;
  const services = [{ name: 'Whitening', duration: 60, price: 200 }];
  const changed = await patch(data.id, { services, businessContext: null });
  assert.deepEqual(changed.json.data, { ...data, services, businessContext: null, publishedVersion: 2 });
});

test('open until midnight and around the clock are written as people write them', async () => {
  const { data } = (await create()).json;
  const answer = await patch(data.id, {
    hours: hours('monday 09:00-24:00', 'tuesday 00:00-24:00', 'sunday 00:00-00:00'),
  });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.json.data.hours, hours('monday 09:00-00:00', 'tuesday 00:00-00:00', 'sunday 00:00-00:00'));
  const overlapping = await patch(data.id, { hours: hours('monday 00:00-24:00', 'monday 09:00-10:00') });
  assert.equal(overlapping.json.errors?.[0]?.field, 'hours[1]');
});

test('fields at fault are 422 by their path', async () => {
  const cases: Array<[object, string]> = [
    [{ timezone: 'Mars/Olympus' }, 'timezone'],
    [{ timezone: '+02:00' }, 'timezone'],
    [{ phone: '555' }, 'phone'],
    [{ transferNumber: '+1' }, 'transferNumber'],
    [{ email: 'nobody' }, 'email'],
    [{ hours: [{ day: 'Monday', open: '09:00', close: '17:00' }] }, 'hours[0].day'],
    [{ hours: [{ day: 'monday', open: '9:00', close: '17:00' }] }, 'hours[0].open'],
    [{ hours: [{ day: 'monday', open: '09:00', close: '24:01' }] }, 'hours[0].close'],
    [{ hours: [{ day: 'monday', open: '24:00', close: '09:00' }] }, 'hours[0].open'],
    [{ hours: [WHOLE.hours[0], WHOLE.hours[1], WHOLE.hours[0]] }, 'hours[2]'],
    [{ hours: [{ day: 'monday', open: '09:00', close: '09:00' }] }, 'hours[0].close'],
    [{ hours: hours('monday 09:00-12:00', 'monday 11:59-17:00') }, 'hours[1]'],
    [{ hours: hours('monday 09:00-17:00', 'tuesday 09:00-17:00', 'monday 12:00-13:00') }, 'hours[2]'],
    [{ hours: hours('monday 18:00-02:00', 'tuesday 01:00-03:00') }, 'hours[1]'],
    [{ hours: hours('monday 00:30-08:00', 'sunday 22:00-01:00') }, 'hours[1]'],
    [{ services: [{ name: 'x', duration: -1 }] }, 'services[0].duration'],
    [{ services: [{ name: 'x', cost: 1 }] }, 'services[0].cost'],
    [{ faqs: [{ question: 'x' }] }, 'faqs[0].answer'],
    [{ policies: [7] }, 'policies[0]'],
    [{ policies: ['a', { rules: 'x'.repeat(4_000) }] }, 'policies[1]'],
    [{ voiceSettings: { speed: 2.1 } }, 'voiceSettings.speed'],
    [{ voiceSettings: { speed: 0.4 } }, 'voiceSettings.speed'],
    [{ interruptionSensitivity: 1.1 }, 'interruptionSensitivity'],
    [{ maxCallDurationMinutes: 0 }, 'maxCallDurationMinutes'],
    [{ maxCallDurationMinutes: 1.5 }, 'maxCallDurationMinutes'],
    [{ silenceThresholdMs: 1 }, 'silenceThresholdMs'],
    [{ businessContext: [] }, 'businessContext'],
    [{ businessContext: { text: 'x'.repeat(16 * 1024) } }, 'businessContext'],
    [{ greeting: 'x' }, 'greeting'],
  ];
  const { id } = (await create()).json.data;
  for (const [body, field] of cases) {
    for (const answer of [await create(body), await patch(id, body)]) {
      assert.equal(answer.status, 422, JSON.stringify(body));
      assert.deepEqual(fields(answer), [field], JSON.stringify(body));
    }
  }
  assert.deepEqual(fields(await api.tenant.ask('POST', '/businesses', {}))?.sort(), ['industry', 'name', 'timezone']);
});

test('a context past about 500 tokens is taken with a warning', async () => {
  const fits = await create({ businessContext: { text: 'x'.repeat(1_900) } });
  assert.equal('warnings' in fits.json, false);
  const long = await create({ businessContext: { text: 'x'.repeat(3_000) } });
  assert.equal(long.status, 201);
  assert.match(long.json.warnings?.[0] ?? '', /businessContext.*500/);
});

test("a silence threshold of one's own is taken back with null, even where it is the usual one", async () => {
  const chosen = async (id: string) => {
    const row = await api.context.db
      .selectFrom('businesses')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return [row.silenceThresholdMs, row.silenceThresholdChosen];
  };
  const { id } = (await create({ silenceThresholdMs: 600 })).json.data;
  assert.deepEqual(await chosen(id), [600, 1]);
  assert.equal((await patch(id, { silenceThresholdMs: null })).json.data.silenceThresholdMs, 600);
  assert.deepEqual(await chosen(id), [600, 0]);
  await patch(id, { silenceThresholdMs: 900 });
  assert.equal((await patch(id, { silenceThresholdMs: null })).json.data.silenceThresholdMs, 600);
  assert.deepEqual(await chosen(id), [600, 0]);
  await patch(id, { silenceThresholdMs: null });
  const { data } = (await api.tenant.ask('GET', `/businesses/${id}/audit-log`)).json;
  assert.equal(data.length, 4, 'what changes nothing is not noted');
  assert.deepEqual(data[0]?.changes, {
    silenceThresholdMs: { from: 900, to: 600 },
    endpointing: { from: 'fixed', to: 'adaptive' },
  });
});

test('the answer says whether the silence threshold holds, and the usual one can be made to hold', async () => {
  const { id } = (await create()).json.data;
  const after = async (body: object) => {
    const { data } = (await patch(id, body)).json;
    return [data.silenceThresholdMs, data.endpointing];
  };
  assert.deepEqual(await after({}), [600, 'adaptive']);
  assert.deepEqual(await after({ silenceThresholdMs: 600 }), [600, 'adaptive'], 'sent back as it was read');
  assert.deepEqual(await after({ endpointing: 'fixed' }), [600, 'fixed']);
  assert.deepEqual(await after({ endpointing: 'adaptive' }), [600, 'adaptive']);
  assert.deepEqual(await after({ silenceThresholdMs: 900 }), [900, 'fixed']);
  // The whole record with one changed value, as clients send it back.
  assert.deepEqual(await after({ silenceThresholdMs: 900, endpointing: 'adaptive' }), [600, 'adaptive']);
  assert.deepEqual(await after({ silenceThresholdMs: 900, endpointing: 'adaptive' }), [900, 'fixed']);
  assert.deepEqual(await after({ silenceThresholdMs: null, endpointing: 'fixed' }), [600, 'adaptive']);
  assert.deepEqual(await after({ silenceThresholdMs: 600, endpointing: 'fixed' }), [600, 'fixed']);
  const { data } = (await api.tenant.ask('GET', `/businesses/${id}/audit-log`)).json;
  assert.deepEqual(data[0]?.changes, { endpointing: { from: 'adaptive', to: 'fixed' } });
});

test('the audit log tells who changed what, newest first, and nothing where nothing changed', async () => {
  const { id } = (await create({ phone: '+14155552671' })).json.data;
  await patch(id, {
    name: 'Brighter',
    services: [{ name: 'Cleaning', duration: 30, price: 1 }],
    resources: [{ name: 'Anna' }],
  });
  await patch(id, { name: 'Brighter' });
  await patch(id, {});
  await api.tenant.ask('DELETE', `/businesses/${id}`);
  await api.tenant.ask('POST', `/businesses/${id}/restore`);
  const { data, pagination } = (await api.tenant.ask('GET', `/businesses/${id}/audit-log`)).json;
  assert.equal(pagination.total, 4);
  assert.deepEqual(
    data.map((entry) => entry.action),
    ['restored', 'deleted', 'updated', 'created'],
  );
  assert.ok(data.every((entry) => entry.actor === api.tenant.userId && entry.createdAt));
  assert.deepEqual(data[2]?.changes, {
    name: { from: 'Bright Dental', to: 'Brighter' },
    services: { from: [], to: [{ name: 'Cleaning', duration: 30, price: 1 }] },
    resources: { from: [], to: [{ name: 'Anna', aliases: [], hours: null }] },
  });
  assert.deepEqual(data[3]?.changes.phone, { from: null, to: '+14155552671' });
  assert.equal((await api.other.ask('GET', `/businesses/${id}/audit-log`)).status, 404);
});

test('deleting is soft, pauses its active campaigns, and can be undone', async () => {
  const { business, campaign } = await setUpCampaign(api, api.tenant);
  await api.tenant.ask('POST', `/campaigns/${campaign.id}/start`);
  const deleted = await api.tenant.ask('DELETE', `/businesses/${business.id}`);
  assert.equal(deleted.status, 200);
  assert.notEqual(deleted.json.data.deletedAt, null);
  assert.equal((await api.tenant.ask('GET', `/campaigns/${campaign.id}`)).json.data.status, 'PAUSED');
  assert.equal((await api.tenant.ask('GET', '/businesses')).json.pagination.total, 0);
  assert.equal((await api.tenant.ask('GET', `/businesses/${business.id}`)).status, 200);
  assert.equal((await patch(business.id, { name: 'x' })).status, 409);
  assert.equal((await api.tenant.ask('DELETE', `/businesses/${business.id}`)).status, 409);
  assert.equal((await api.tenant.ask('POST', `/campaigns/${campaign.id}/resume`)).status, 409);
  const restored = await api.tenant.ask('POST', `/businesses/${business.id}/restore`);
  assert.equal(restored.status, 200);
  assert.equal(restored.json.data.deletedAt, null);
  assert.equal((await api.tenant.ask('POST', `/businesses/${business.id}/restore`)).status, 409);
  assert.equal((await api.tenant.ask('POST', `/campaigns/${campaign.id}/resume`)).status, 200);
});

test('after 90 days a deleted business is gone for good, not a day before, and restored ones stay', async () => {
  const gone = (await create()).json.data.id;
  const restored = (await create()).json.data.id;
  await api.tenant.ask('DELETE', `/businesses/${gone}`);
  await api.tenant.ask('DELETE', `/businesses/${restored}`);
  await api.tenant.ask('POST', `/businesses/${restored}/restore`);
  api.clock.advance(90 * DAY);
  const purged = async () => (await runRetention(api.context))['deleted-businesses'];
  assert.equal(await purged(), 0);
  api.clock.advance(3_600_000);
  assert.equal(await purged(), 1);
  assert.equal((await api.tenant.ask('GET', `/businesses/${gone}`)).status, 404);
  assert.equal((await api.tenant.ask('POST', `/businesses/${gone}/restore`)).status, 404);
  assert.equal((await api.tenant.ask('GET', `/businesses/${restored}`)).status, 200);
});

test('another tenant’s business is answered like a missing one', async () => {
  const { id } = (await create()).json.data;
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['PATCH', '', { name: 'x' }],
    ['DELETE', '', undefined],
    ['POST', '/restore', undefined],
    ['GET', '/audit-log', undefined],
    ['POST', '/generate-services', {}],
    ['POST', '/generate-faqs', {}],
    ['POST', '/extract-from-url', { url: 'https://example.com' }],
  ] as const) {
    const foreign = await api.other.ask(method, `/businesses/${id}${path}`, body);
    assert.equal(foreign.status, 404, path);
    assert.equal(foreign.text, (await api.other.ask(method, `/businesses/biz_none${path}`, body)).text);
  }
});

test('a day may have several opening hours, and one may run into the next day, as long as none overlap', async () => {
  const body = {
    name: 'Trattoria',
    industry: 'restaurant',
    timezone: 'Europe/Rome',
    hours: hours(
      'monday 09:00-12:00',
      'monday 13:00-17:00',
      'monday 17:00-18:00',
      'friday 18:00-02:00',
      'saturday 02:00-03:00',
      'saturday 18:00-01:00',
      'sunday 20:00-00:00',
    ),
  };
  const created = await api.tenant.ask('POST', '/businesses', body);
  assert.equal(created.status, 201, created.text);
  assert.deepEqual(created.json.data.hours, body.hours);
  const path = `/businesses/${created.json.data.id}` as const;
  const refused = await api.tenant.ask('PATCH', path, { hours: [...body.hours, ...hours('saturday 00:00-01:00')] });
  assert.equal(refused.status, 422);
  assert.deepEqual(refused.json.errors, [{ field: 'hours[7]', message: 'overlaps hours[3]' }]);
});

test('the currency is USD unless it is set, or null for that of the country; it is a code of ISO 4217', async () => {
  assert.equal((await create({ timezone: 'Europe/Berlin' })).json.data.currency, 'USD');
  const currencyOf = async (body: object) => (await create({ currency: null, ...body })).json.data.currency;
  assert.equal(await currencyOf({ timezone: 'Europe/London' }), 'GBP');
  assert.equal(await currencyOf({ timezone: 'Europe/Berlin' }), 'EUR');
  assert.equal(await currencyOf({ timezone: 'Europe/Berlin', phone: '+41446681800' }), 'CHF', 'the number decides');
  assert.equal(await currencyOf({ timezone: 'Australia/Perth' }), 'AUD');
  assert.equal(await currencyOf({ timezone: 'America/Chicago' }), 'USD');
  assert.equal(await currencyOf({ timezone: 'Europe/London', currency: 'EUR' }), 'EUR');
  for (const currency of ['QQQ', 'eur', '£', 7]) {
    const refused = await create({ currency });
    assert.deepEqual(fields(refused), ['currency'], String(currency));
  }
  const { id } = (await create({ timezone: 'Europe/Berlin', currency: null })).json.data;
  const patch = async (body: object) => (await api.tenant.ask('PATCH', `/businesses/${id}`, body)).json.data;
  assert.equal((await patch({ currency: 'EUR' })).publishedVersion, 1, 'what was read, sent back, changes nothing');
  assert.equal((await patch({ phone: '+41446681800' })).currency, 'CHF', 'and still follows the country');
  assert.equal((await patch({ currency: 'EUR', phone: null })).currency, 'EUR');
});

test('the audit log keeps the beginnings of long values, and the newest entries', async () => {
  const { id } = (await create()).json.data;
  const faqs = Array.from({ length: 200 }, () => ({ question: 'q'.repeat(900), answer: 'a'.repeat(4_000) }));
  await patch(id, { systemPrompt: 'p'.repeat(20_000), faqs, description: 'short' });
  const log = `/businesses/${id}/audit-log` as const;
  const { changes } = (await api.tenant.ask('GET', log)).json.data[0] ?? {};
  assert.deepEqual(changes?.systemPrompt, { from: null, to: `${'p'.repeat(2_000)}…` });
  assert.match(String(changes?.faqs?.to), /^\[\{"question":"q{900}","answer":"a{1,1100}…$/);
  assert.deepEqual(changes?.description, { from: null, to: 'short' });
  const { accountId, userId } = api.tenant;
  const entry = { accountId, businessId: id, actor: userId, action: 'updated', changes: '{}' };
  const rows = Array.from({ length: 2_000 }, (_, n) => ({ ...entry, id: `aud_${id}${n}`, createdAt: n }));
  while (rows.length > 0) await api.context.db.insertInto('businessAudit').values(rows.splice(0, 1_000)).execute();
  await patch(id, { description: 'other' });
  assert.equal((await api.tenant.ask('GET', log)).json.pagination.total, 2_000);
});
