// A folder of files and the service: pulled, pushed elsewhere, pulled again; changes, conflicts, secrets.
import assert from 'node:assert/strict';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { type Client, createClient } from '../../../../../api/clients/typescript/client.ts';
import type { Tenant } from '../../../../../bench/rig/api/api.ts';
import { buy, stock, usNumber } from '../../../../../bench/rig/api/numbers.ts';
import { useConsole } from '../../../../api/clients/command-line/console.ts';
import { apiFetch } from '../../../../api/clients/typescript/api-fetch.ts';
import { useTenants } from '../../../../support/api/use-api.ts';

const api = useTenants({ environment: { WEBHOOK_ALLOW_PRIVATE: '1' } });
const console = useConsole();

const clientOf = (tenant: Tenant): Client =>
  createClient({ url: 'http://api.test', token: tenant.token, fetch: apiFetch(api) });

/** Runs a command as a tenant, on a folder of the test. */
function as(tenant: Tenant, more: { env?: Record<string, string>; answers?: string[] } = {}) {
  const env = { VOICECTL_URL: 'http://api.test', VOICECTL_TOKEN: tenant.token, ...more.env };
  return (command: string, folder: string, ...args: string[]) =>
    console.run([command, join(console.folder, folder), ...args], { ...more, fetch: apiFetch(api), env });
}

/** The YAML files of a folder by their paths. */
function filesOf(folder: string): Record<string, string> {
  const root = join(console.folder, folder);
  const paths = globSync('*/*.yaml', { cwd: root }).sort();
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

function write(folder: string, path: string, text: string): void {
  const file = join(console.folder, folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const SECRETS = {
  VOICE_FIND_ORDER_AUTHORIZATION: 'Bearer 1',
  VOICE_RIVERA_DENTAL_LOOKUP_X_KEY: 'k',
  VOICE_RIVERA_DENTAL_NOTIFY_2_URL: 'https://127.0.0.1/hook',
};

// biome-ignore lint/suspicious/noTemplateCurlyInString: it is a text that looks like a placeholder
const PROMPT = 'Be kind.\n\nNever say ${NAME}, or $${NAME}: # it is "no: placeholder"';

async function filled(client: Client, number: string): Promise<void> {
  const tool = await client.tools.create({
    ...{ name: 'find_order', description: 'Finds an order', url: 'https://127.0.0.1/orders' },
    headers: { Authorization: 'Bearer secret' },
  });
  const agent = await client.agents.create({
    ...{ name: 'Robin', voiceId: 'flite-slt', toolIds: [tool.id] },
    conversation: { reminders: 1, pronunciations: [{ text: 'Rivera', say: 'Ree vera' }] },
  });
  await client.agents.create({ name: 'Robin', voiceId: 'flite-slt', description: 'Another one: "yes"' });
  const business = await client.businesses.create({
    ...{ name: 'Rivera Dental', industry: 'dentist', timezone: 'America/New_York' },
    hours: [{ day: 'monday', open: '09:00', close: '17:00' }],
    services: [{ name: 'Cleaning', duration: 45, price: 80.5 }],
    faqs: [{ question: 'Parking?', answer: 'Behind the house.\nIt is free.\n' }],
    systemPrompt: PROMPT,
    destinations: [{ name: 'Desk', target: '+12025550143' }],
    lookup: { url: 'https://127.0.0.1/who', headers: { 'X-Key': 'secret' } },
    notify: [
      { on: 'call_missed', by: 'mail', to: 'desk@example.com' },
      { on: 'call_ended', by: 'slack', to: 'https://127.0.0.1/T0/B0' },
    ],
    policies: ['No refunds', { title: 'Late', text: 'Call us' }],
  });
  const [phone] = await client.phoneNumbers.list().all();
  assert.equal(phone?.phoneNumber, number);
  const campaign = await client.campaigns.create({
    ...{ name: 'Recall', agentId: agent.id, businessId: business.id, phoneNumberIds: [phone.id] },
    instructions: 'Ask about the {{service}}.',
  });
  const suite = await client.tests.createSuite({
    name: 'Basics',
    agentId: agent.id,
    businessId: business.id,
    campaignId: campaign.id,
  });
  for (const name of ['Hours', 'Prices'])
    await client.tests.addCase(suite.id, {
      name,
      definition: { turns: [{ say: `${name}?`, checks: [{ said: '9*' }] }], checks: [] },
    });
}

test('pulled, pushed into an empty account, pulled again: the same bytes, and no id or secret in them', async () => {
  await stock(api, [{ phoneNumber: usNumber(1) }]);
  await buy(api.tenant, usNumber(1));
  await filled(clientOf(api.tenant), usNumber(1));
  const pulled = await as(api.tenant)('pull', 'a');
  assert.equal(pulled.code, 0, pulled.err);
  const files = filesOf('a');
  assert.deepEqual(Object.keys(files), [
    ...['agents/robin-2.yaml', 'agents/robin.yaml', 'businesses/rivera-dental.yaml', 'campaigns/recall.yaml'],
    ...['tests/basics.yaml', 'tools/find_order.yaml'],
  ]);
  const all = Object.values(files).join('\n');
  assert.doesNotMatch(all, /\b(?:agt|biz|cmp|pn|tol|tst|tcs)_|secret|createdAt|T0\/B0/);
  assert.match(files['agents/robin.yaml'] ?? '', /tools:\n {2}- find_order/);
  assert.match(files['tools/find_order.yaml'] ?? '', /Authorization: \$\{VOICE_FIND_ORDER_AUTHORIZATION\}/);

  // The number goes along by hand: each installation has its own.
  const [phone] = await clientOf(api.tenant).phoneNumbers.list().all();
  const refused = await as(api.other, { env: SECRETS })('push', 'a', '--yes');
  assert.deepEqual(
    [refused.code, /no number \+12125550001; leave out phoneNumbers/.test(refused.err)],
    [2, true],
    refused.err,
  );
  const [campaign] = await clientOf(api.tenant).campaigns.list().all();
  await clientOf(api.tenant).campaigns.update(campaign?.id ?? '', { phoneNumberIds: [] });
  await clientOf(api.tenant).phoneNumbers.release(phone?.id ?? '');
  await as(api.tenant)('pull', 'a');
  const without = filesOf('a');

  const unset = await as(api.other)('push', 'a', '--yes');
  assert.equal(unset.code, 2);
  for (const name of Object.keys(SECRETS)) assert.match(unset.err, new RegExp(name));
  assert.deepEqual((await clientOf(api.other).agents.list()).data, [], 'nothing was made');
  const pushed = await as(api.other, { env: SECRETS })('push', 'a', '--yes');
  assert.equal(pushed.code, 0, pushed.err);
  const again = await as(api.other)('pull', 'b');
  assert.equal(again.code, 0, again.err);
  assert.deepEqual(filesOf('b'), without);
  const [business] = await clientOf(api.other).businesses.list().all();
  assert.equal(business?.systemPrompt, PROMPT);

  for (const [tenant, folder] of [
    [api.other, 'a'],
    [api.other, 'b'],
    [api.tenant, 'a'],
  ] as const) {
    const nothing = await as(tenant)('diff', folder, '--prune');
    assert.equal(nothing.code, 0, nothing.out + nothing.err);
  }
});

test('a change is shown line by line, asked for, and made; a name that is gone stays until --prune', async () => {
  const client = clientOf(api.tenant);
  await client.agents.create({ name: 'Robin', voiceId: 'flite-slt', description: 'Before' });
  await client.agents.create({ name: 'Kim', voiceId: 'flite-slt' });
  const run = as(api.tenant);
  await run('pull', 'c');
  const robin = filesOf('c')['agents/robin.yaml'] ?? '';
  write('c', 'agents/robin.yaml', robin.replace('Before', 'After'));
  rmSync(join(console.folder, 'c/agents/kim.yaml'));
  const shown = await run('push', 'c', '--dry-run');
  assert.match(shown.out, /change {2}agents\/robin\.yaml\n[\s\S]*-description: Before\n +\+description: After/);
  assert.match(shown.out, /0 to create, 1 to change, 0 to delete\.\n1 on the service have no file; --prune/);
  assert.equal((await run('diff', 'c')).code, 1);
  const unasked = await run('push', 'c');
  assert.deepEqual([unasked.code, /Add --yes/.test(unasked.err)], [2, true]);
  assert.equal((await as(api.tenant, { answers: ['n'] })('push', 'c')).code, 2);
  assert.equal((await client.agents.list().all()).find(({ name }) => name === 'Robin')?.description, 'Before');
  assert.equal((await as(api.tenant, { answers: ['y'] })('push', 'c')).code, 0);
  assert.equal((await client.agents.list().all()).find(({ name }) => name === 'Robin')?.description, 'After');
  assert.equal((await run('push', 'c', '--prune', '--yes')).code, 0);
  assert.deepEqual(
    (await client.agents.list().all()).map(({ name }) => name),
    ['Robin'],
  );
  write('c', 'agents/robin.yaml', robin.replace('name: Robin', 'name: Robina').replace('description: Before\n', ''));
  assert.equal((await run('push', 'c', '--yes')).code, 0);
  const [renamed, ...others] = await client.agents.list().all();
  assert.deepEqual([renamed?.name, renamed?.description, others.length], ['Robina', null, 0]);
  assert.equal((await run('diff', 'c', '--prune')).code, 0);
});

test('a change on the service since the pull is a conflict, on either way, until one side is chosen', async () => {
  const client = clientOf(api.tenant);
  const { id } = await client.agents.create({ name: 'Robin', voiceId: 'flite-slt' });
  const run = as(api.tenant);
  await run('pull', 'd');
  await client.agents.update(id, { description: 'of the dashboard' });
  const path = 'agents/robin.yaml';
  const before = filesOf('d')[path] ?? '';
  write('d', path, before.replace('isActive: true', 'isActive: false'));
  const pushed = await run('push', 'd', '--yes');
  assert.deepEqual(
    [pushed.code, /Changed on the service since the pull: agents\/robin\.yaml/.test(pushed.err)],
    [3, true],
  );
  const pulled = await run('pull', 'd');
  assert.deepEqual([pulled.code, filesOf('d')[path]?.includes('false')], [3, true]);
  assert.equal((await run('pull', 'd', '--force')).code, 0);
  assert.match(filesOf('d')[path] ?? '', /of the dashboard/);
  await client.agents.update(id, { description: 'again' });
  assert.equal((await run('push', 'd', '--yes', '--force')).code, 0);
  assert.equal((await client.agents.get(id)).description, 'of the dashboard');
  await client.agents.delete(id);
  assert.equal((await run('pull', 'd')).code, 0);
  assert.equal(existsSync(join(console.folder, 'd', path)), false, 'a record that is gone takes its file along');
});

test("secrets are sent again when it is said, and a deleted agent of a campaign stands in nobody's way", async () => {
  const client = clientOf(api.tenant);
  const run = as(api.tenant, { env: { VOICE_KEY: 'a' } });
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of a file
  const headers = 'headers: {X-Key: "k ${VOICE_KEY}"}';
  write('f', 'tools/find.yaml', `name: find\ndescription: Finds\nurl: https://127.0.0.1/x\n${headers}\nwhen: []\n`);
  write('f', 'agents/kim.yaml', 'name: Kim\nvoiceId: flite-slt\ntools: [find]\n');
  write('f', 'businesses/shop.yaml', 'name: Shop\nindustry: bakery\ntimezone: UTC\ndocuments: []\nhours: []\n');
  write('f', 'campaigns/calls.yaml', 'name: Calls\nagent: kim\nbusiness: shop\n');
  assert.equal((await run('push', 'f', '--yes')).code, 0);
  const state = join(console.folder, 'f/.voicectl.json');
  rmSync(state);
  assert.equal((await run('pull', 'f', '--force')).code, 0);
  rmSync(state);
  assert.equal((await run('diff', 'f')).code, 0, 'it is equal without a memory too');
  assert.match((await run('push', 'f', '--yes')).out, /Nothing to do/);
  const again = await as(api.tenant)('push', 'f', '--yes', '--secrets');
  assert.deepEqual([again.code, /VOICE_KEY, for tools\/find\.yaml/.test(again.err)], [2, true]);
  assert.match((await run('push', 'f', '--yes', '--secrets')).out, /done {4}tools\/find\.yaml\n1 done/);
  const [kim] = await client.agents.list().all();
  await client.agents.delete(kim?.id ?? '');
  await run('pull', 'f', '--force');
  assert.match(filesOf('f')['campaigns/calls.yaml'] ?? '', /agent: agt_/);
  assert.equal((await run('push', 'f', '--yes')).code, 0);
});

test('an address of the environment is another one for each installation, and stays a placeholder', async () => {
  const env = { VOICE_SHOP_URL: 'https://127.0.0.1' };
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of a file
  const text = 'name: find\ndescription: Finds\nurl: ${VOICE_SHOP_URL}/orders\n';
  write('g', 'tools/find.yaml', text);
  assert.equal((await as(api.tenant, { env })('push', 'g', '--yes')).code, 0);
  const [tool] = await clientOf(api.tenant).tools.list().all();
  assert.equal(tool?.url, 'https://127.0.0.1/orders');
  await clientOf(api.tenant).tools.update(tool?.id ?? '', { timeoutMs: 9_000 });
  assert.equal((await as(api.tenant, { env })('pull', 'g')).code, 0);
  assert.match(filesOf('g')['tools/find.yaml'] ?? '', /url: \$\{VOICE_SHOP_URL\}\/orders\n[\s\S]*timeoutMs: 9000/);
  const other = await as(api.tenant, { env: { VOICE_SHOP_URL: 'https://127.0.0.2' } })('diff', 'g');
  assert.equal(other.code, 1, 'the environment means another address now');
});

test('a file has no variable of the environment sent that is not for files', async () => {
  const env = { DEPLOY_KEY: 'k', CLOUD_SECRET: 't' };
  // biome-ignore lint/suspicious/noTemplateCurlyInString: placeholders of a file
  const text = 'name: find\ndescription: Finds\nurl: https://127.0.0.1/${DEPLOY_KEY}?${CLOUD_SECRET}\n';
  write('h', 'tools/find.yaml', text);
  const refused = await as(api.tenant, { env })('push', 'h', '--yes');
  assert.equal(refused.code, 2);
  assert.match(
    refused.err,
    /begin with VOICE_[\s\S]*DEPLOY_KEY, for tools\/find\.yaml[\s\S]*--env DEPLOY_KEY,CLOUD_SECRET/,
  );
  assert.deepEqual((await clientOf(api.tenant).tools.list()).data, []);
  const named = await as(api.tenant, { env })('push', 'h', '--yes', '--env', 'DEPLOY_KEY,CLOUD_SECRET');
  assert.equal(named.code, 0, named.err);
  const [tool] = await clientOf(api.tenant).tools.list().all();
  assert.equal(tool?.url, 'https://127.0.0.1/k?t');
});

test('a short file is enough, is equal after its push, and its faults name the file', async () => {
  const run = as(api.tenant);
  write('e', 'agents/kim.yaml', 'name: Kim\nvoiceId: flite-slt\n');
  write(
    'e',
    'businesses/shop.yaml',
    'name: Shop\nindustry: bakery\ntimezone: Europe/Berlin\ndestinations: [{name: Desk, target: "+12025550143"}]\ndocuments: [{name: Prices, file: prices.md}]\n',
  );
  write('e', 'prices.md', '# Prices\n\nBread is 3 euros.\n');
  write('e', 'campaigns/calls.yaml', 'name: Calls\nagent: kim\nbusiness: shop\n');
  assert.equal((await run('push', 'e', '--yes')).code, 0);
  assert.equal((await run('diff', 'e', '--prune')).code, 0);
  const client = clientOf(api.tenant);
  const [shop] = await client.businesses.list().all();
  const [prices] = await client.knowledge.list(shop?.id ?? '').all();
  write('e', 'prices.md', '# Prices\n\nBread is 4 euros.\n');
  assert.equal((await run('push', 'e', '--yes')).code, 0);
  const [renewed] = await client.knowledge.list(shop?.id ?? '').all();
  assert.deepEqual([renewed?.name, renewed?.id === prices?.id], ['Prices', false]);
  assert.equal((await run('diff', 'e')).code, 0);
  const faults: Array<[path: string, text: string, expected: RegExp]> = [
    ['agents/x.yaml', 'name: X\nvoice: flite-slt\n', /agents\/x\.yaml: has no field voice; they are name/],
    ['agents/x.yaml', 'name: [', /agents\/x\.yaml: /],
    ['agents/x.yaml', 'voiceId: flite-slt\n', /needs a name/],
    ['agents/x.yaml', 'name: X\nvoiceId: nobody\n', /agents\/x\.yaml: [\s\S]*voiceId/],
    ['campaigns/x.yaml', 'name: X\nagent: nobody\nbusiness: shop\n', /agent nobody is neither in the folder/],
    [
      'businesses/x.yaml',
      'name: X\nindustry: a\ntimezone: UTC\ndocuments: [{name: P, file: ../../secret}]\n',
      /outside|cannot be read/,
    ],
  ];
  for (const [path, text, expected] of faults) {
    write('e', path, text);
    const { code, err } = await run('push', 'e', '--yes');
    assert.deepEqual([code, expected.test(err)], [2, true], err);
    rmSync(join(console.folder, 'e', path));
  }
  assert.equal((await run('diff', 'e', '--prune')).code, 0, 'nothing of them was made');
});
