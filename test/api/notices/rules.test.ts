// `notify` of a business: filled in, refused by field, its addresses secret, and kept in versions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useApi } from '../../support/api/use-api.ts';

const SLACK = 'https://hooks.slack.com/services/T000/B000/verysecretpart';
const api = useApi({}, async () => {
  const body = { name: 'Bakery', industry: 'bakery', timezone: 'Europe/Berlin' };
  business = (await api.tenant.ask('POST', '/businesses', body)).json.data;
});
let business: { id: string };

const patch = (notify: unknown) => api.tenant.ask('PATCH', `/businesses/${business.id}`, { notify } as object);
const rulesOf = (answer: { json: { data: unknown } }) => (answer.json.data as { notify: Array<{ to: string }> }).notify;
const mail = (change: object = {}) => ({ on: 'call_ended', by: 'mail', to: 'owner@example.com', ...change });
const slack = (change: object = {}) => ({ on: 'call_missed', by: 'slack', to: SLACK, ...change });

test('what is left out is filled in, and the record can be sent back', async () => {
  const made = await patch([mail(), slack({ when: 'daily', at: '08:30' })]);
  assert.equal(made.status, 200, made.text);
  const rules = rulesOf(made);
  assert.deepEqual(rules[0], {
    ...mail(),
    ...{ filter: 'all', isSigned: false, detail: 'full', when: 'at_once', at: '18:00', quiet: null },
  });
  assert.match(rules[1]?.to ?? '', /^https:\/\/hooks\.slack\.com\/…[\w-]{8}$/);
  const again = await patch(rules);
  assert.deepEqual(rulesOf(again), rules);
  const versions = (await api.tenant.ask('GET', `/businesses/${business.id}/versions`)).json;
  assert.equal(versions.pagination?.total, 2, 'a record that is sent back changes nothing');
});

test('the address of a chat is in no answer, no log of changes and no version', async () => {
  await patch([slack()]);
  const paths = ['', '/audit-log', '/versions', '/versions/2', '/notices'].map(
    (path) => `/businesses/${business.id}${path}`,
  );
  for (const path of paths) {
    const { status, text } = await api.tenant.ask('GET', path);
    assert.equal(status, 200, path);
    assert.ok(!text.includes('verysecretpart'), path);
  }
  const row = await api.context.read.selectFrom('businesses').select(['notify', 'notifySealed']).executeTakeFirst();
  assert.ok(!JSON.stringify(row).includes('verysecretpart'));
});

test('a secret of a webhook stays until it is replaced or removed', async () => {
  const hook = { on: 'results', by: 'webhook', to: 'https://example.com/in', secret: 'a secret of mine, long' };
  const isSigned = async (rules: unknown) =>
    (rulesOf(await patch(rules)) as unknown as Array<{ isSigned: boolean }>)[0]?.isSigned;
  assert.equal(await isSigned([hook]), true);
  const [rule] = rulesOf(await patch([hook]));
  assert.equal(await isSigned([rule]), true, 'sent back as it is shown');
  assert.equal(await isSigned([{ ...rule, secret: null }]), false);
});

test('a former version brings back the rules whose addresses are known still', async () => {
  await patch([mail(), slack()]);
  const { publishedVersion } = (await api.tenant.ask('GET', `/businesses/${business.id}`)).json.data;
  await patch([mail({ on: 'callback' })]);
  const restored = await api.tenant.ask('POST', `/businesses/${business.id}/versions/${publishedVersion}/restore`);
  assert.equal(restored.status, 200, restored.text);
  assert.deepEqual(
    rulesOf(restored).map(({ to }) => to),
    ['owner@example.com'],
  );
  assert.match(restored.text, /its address is in no version/);
});

const refusals: Array<[notify: unknown, field: string, message: RegExp]> = [
  [[mail({ by: 'fax' })], 'notify[0].by', /mail, sms, slack, teams, webhook/],
  [[mail({ by: 'sms' })], 'notify[0].to', /country code/],
  [[mail({ on: 'call' })], 'notify[0].on', /call_ended, call_missed/],
  [[mail({ to: 'owner' })], 'notify[0].to', /one address of e-mail/],
  [[mail({ to: 'a@example.com, b@example.com' })], 'notify[0].to', /one address of e-mail/],
  [[mail({ to: 'a@example.com\r\nBcc: b@example.com' })], 'notify[0].to', /one address of e-mail/],
  [[mail({ to: `${'a'.repeat(60)}@${'b'.repeat(2_000)}.de` })], 'notify[0].to', /./],
  [[slack({ to: 'http://hooks.slack.com/x' })], 'notify[0].to', /https/],
  [[slack({ to: 'https://127.0.0.1/x' })], 'notify[0].to', /private or internal/],
  [[slack({ to: 'https://169.254.169.254/latest' })], 'notify[0].to', /private or internal/],
  [[slack({ to: 'https://user:password@example.com/x' })], 'notify[0].to', /user name/],
  [[slack({ to: 'https://example.com/{{name}}' })], 'notify[0].to', /placeholders/],
  [[slack({ to: 'https://other.example/…AAAAAAAA' })], 'notify[0].to', /give it whole/],
  [[mail(), slack({ secret: 'x'.repeat(20) })], 'notify[1].secret', /webhook/],
  [[mail({ on: 'results', filter: 'not_transferred' })], 'notify[0].filter', /call_ended/],
  [[mail({ when: 'weekly' })], 'notify[0].when', /at_once, hourly, daily/],
  [[mail({ at: '24:00' })], 'notify[0].at', /HH:MM/],
  [[mail({ quiet: { from: '21:00' } })], 'notify[0].quiet.to', /required/],
  [[mail({ quiet: { from: '21:00', to: '21:00' } })], 'notify[0].quiet.to', /differ/],
  [[mail(), mail({ when: 'daily' })], 'notify[1]', /tells the same as notify\[0\]/],
  [Array.from({ length: 11 }, (_, i) => mail({ to: `o${i}@example.com` })), 'notify', /at most 10/],
];

for (const [notify, field, message] of refusals)
  test(`refused: ${field} of ${JSON.stringify(notify).slice(0, 90)}`, async () => {
    const { status, json, text } = await patch(notify);
    assert.equal(status, 422, text);
    const { errors = [] } = json as unknown as { errors?: Array<{ field: string; message: string }> };
    const fault = errors.find((each) => each.field === field);
    assert.ok(fault, text);
    assert.match(fault.message, message);
  });
