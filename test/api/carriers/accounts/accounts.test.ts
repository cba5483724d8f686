// Accounts at carriers: an ADMIN connects them, hears what the key can do in plain words, and never reads it again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PLIVO_KEY } from '../../../support/carriers/fake-plivo.ts';
import { TELNYX_KEY } from '../../../support/carriers/fake-telnyx.ts';
import { TWILIO_KEY } from '../../../support/carriers/fake-twilio.ts';
import { connect, useCarriers } from '../../../support/carriers/use-carriers.ts';

const lab = useCarriers();

test('a key goes in and never out', async () => {
  const { api } = lab;
  const answer = await api.admin.ask('POST', '/admin/carriers', TWILIO_KEY);
  assert.equal(answer.status, 201);
  const { id, createdAt, ...record } = answer.json.data;
  assert.match(id, /^car_/);
  assert.equal(createdAt, new Date(api.clock.now).toISOString());
  assert.deepEqual(record, {
    kind: 'twilio',
    name: 'Twilio',
    keyId: TWILIO_KEY.keyId,
    keyEnd: 'b2b2',
    offeredTo: 'admins',
    monthlyCost: null,
    trunkId: null,
    testedAt: null,
    findings: [],
  });
  const row = await api.context.db.selectFrom('carriers').selectAll().executeTakeFirstOrThrow();
  for (const text of [JSON.stringify(row), answer.text, (await api.admin.ask('GET', '/admin/carriers')).text])
    assert.ok(!text.includes(TWILIO_KEY.key));
  assert.equal((await api.tenant.ask('GET', '/admin/carriers')).status, 403);
});

test('a wrong half of a key is told in the words of the carrier, before anybody is asked', async () => {
  const { api, http } = lab;
  const wrong: Array<[object, string, RegExp]> = [
    [{ ...TWILIO_KEY, keyId: `SK${'a1'.repeat(16)}` }, 'keyId', /Account SID/],
    [{ ...TWILIO_KEY, keyId: undefined }, 'keyId', /Account SID/],
    [{ ...TWILIO_KEY, key: 'short' }, 'key', /Auth Token/],
    [{ ...TELNYX_KEY, keyId: 'something' }, 'keyId', /left out/],
    [{ ...TELNYX_KEY, key: 'v3_0123456789' }, 'key', /begins with KEY/],
    [{ ...PLIVO_KEY, keyId: 'MA' }, 'keyId', /Auth ID/],
    [{ ...PLIVO_KEY, monthlyCost: 1.234 }, 'monthlyCost', /two decimals/],
  ];
  for (const [body, field, message] of wrong) {
    const answer = await api.admin.ask('POST', '/admin/carriers', body);
    assert.equal(answer.status, 422, answer.text);
    assert.equal(answer.json.errors?.[0]?.field, field);
    assert.match(answer.json.errors?.[0]?.message ?? '', message);
  }
  assert.deepEqual(http.asked, []);
});

for (const [key, words] of [
  [TWILIO_KEY, [/opens the account “Rivera”/, /balance is 12.34 USD/, /Numbers/, /trunks/]],
  [TELNYX_KEY, [/balance is 20.00 USD/, /Numbers/, /SIP connections/]],
  [PLIVO_KEY, [/opens the account “Rivera”.* 7.50000 USD/, /Numbers/, /Zentrunk/]],
] as const)
  test(`a test of ${key.kind}'s key says what it can do, and the list remembers it`, async () => {
    const { api } = lab;
    const id = await connect(api, key);
    const answer = await api.admin.ask('POST', `/admin/carriers/${id}/test`);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.json.data.ok, true, answer.text);
    const texts = answer.json.data.findings.map(({ text }: { text: string }) => text);
    assert.equal(texts.length, words.length);
    for (const [index, word] of words.entries()) assert.match(texts[index] ?? '', word);
    const kept = (await api.admin.ask('GET', `/admin/carriers/${id}`)).json.data;
    assert.deepEqual(
      [kept.testedAt, kept.findings],
      [new Date(api.clock.now).toISOString(), answer.json.data.findings],
    );
  });

test('a key that is refused, may not do something, or whose carrier is away is said, and nothing else is asked', async () => {
  const { api, http, twilio } = lab;
  const id = await connect(api, { ...TWILIO_KEY, key: 'c3'.repeat(16) });
  const tested = async () => (await api.admin.ask('POST', `/admin/carriers/${id}/test`)).json.data;
  assert.deepEqual(await tested(), {
    ok: false,
    findings: [{ subject: 'key', ok: false, text: 'The key was refused: Authenticate.' }],
  });
  await api.admin.ask('PATCH', `/admin/carriers/${id}`, { key: TWILIO_KEY.key });
  http.planned = [{ route: 'GET trunking.twilio.com/v1/Trunks', kind: 'status', status: 403 }];
  const partly = await tested();
  assert.equal(partly.ok, false);
  assert.deepEqual(
    partly.findings.map((one: { ok: boolean }) => one.ok),
    [true, true, true, false],
  );
  assert.match(partly.findings[3]?.text ?? '', /may not do this: planned/);
  twilio.status = 'suspended';
  assert.match((await tested()).findings[0]?.text ?? '', /account is suspended/);
  await http.close();
  assert.match((await tested()).findings[0]?.text ?? '', /refused|closed/);
});

test('key, name and price change, and what was done is in the audit log without values', async () => {
  const { api } = lab;
  const id = await connect(api, PLIVO_KEY);
  const patch = { name: 'Second', offeredTo: 'accounts', monthlyCost: 3 };
  const changed = (await api.admin.ask('PATCH', `/admin/carriers/${id}`, patch)).json.data;
  assert.deepEqual([changed.name, changed.offeredTo, changed.monthlyCost], ['Second', 'accounts', 3]);
  assert.equal((await api.admin.ask('PATCH', `/admin/carriers/${id}`, { kind: 'twilio' })).status, 422);
  assert.equal((await api.admin.ask('DELETE', `/admin/carriers/${id}`)).status, 200);
  assert.equal((await api.admin.ask('GET', `/admin/carriers/${id}`)).status, 404);
  const log = await api.admin.ask('GET', '/admin/audit-log');
  const entries = log.json.data.filter((one: { resource: string }) => one.resource === 'carrier');
  assert.deepEqual(
    entries.map((one: { action: string }) => one.action),
    ['deleteCarrier', 'updateCarrier', 'createCarrier'],
  );
  assert.ok(!log.text.includes(PLIVO_KEY.key));
});
