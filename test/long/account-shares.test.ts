// Resources that many accounts share in the API, and one must not take: pages, the model, samples of voices, imports,
// lists that are counted. One account asks for too much; another's request goes through.
import assert from 'node:assert/strict';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, test } from 'node:test';
import { ContactImporter } from '../../api/contacts/importer.ts';
import { type Answer, startApi, type Tenant, type TestApi } from '../../bench/rig/api/api.ts';
import { engineIs, setUpCampaign } from '../support/api/resources.ts';

/** Answers nothing until it is told to. */
class SlowServer {
  readonly #waiting: ServerResponse[] = [];
  readonly #server: Server;
  #refuses = false;
  #onRequest: () => void = () => {};

  constructor() {
    this.#server = createServer((_request, response) => {
      if (this.#refuses) return void response.writeHead(401).end();
      this.#waiting.push(response);
      this.#onRequest();
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async asked(count: number): Promise<void> {
    while (this.#waiting.length < count) {
      await new Promise<void>((resolve) => {
        this.#onRequest = resolve;
      });
    }
  }

  answerAll(type: string, body: string): void {
    for (const response of this.#waiting.splice(0)) response.writeHead(200, { 'content-type': type }).end(body);
  }

  /** Refuses the requests that wait, and the ones that come from now on. */
  refuseAll(): void {
    this.#refuses = true;
    for (const response of this.#waiting.splice(0)) response.writeHead(401).end();
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

let api: TestApi;
let server: SlowServer;
beforeEach(async () => {
  server = new SlowServer();
  const url = await server.listen();
  const environment = { WEBHOOK_ALLOW_PRIVATE: '1', LLM: 'openai', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'fake' };
  api = await startApi({ environment });
  pageUrl = `${url}/page`;
});
afterEach(async () => {
  server.close();
  await api.close();
});
let pageUrl: string;

async function business(tenant: Tenant): Promise<string> {
  const body = { name: 'Shop', industry: 'retail', timezone: 'UTC' };
  return (await tenant.ask('POST', '/businesses', body)).json.data.id;
}

function busy(answer: Answer): void {
  assert.equal(answer.status, 429, answer.text);
  assert.equal(answer.json.code, 'ACCOUNT_BUSY');
  assert.ok(Number(answer.headers['retry-after']) > 0);
}

test('an account whose two pages are slow reads no third; another one does', async () => {
  const [own, foreign] = [await business(api.tenant), await business(api.other)];
  const read = (tenant: Tenant, id: string) =>
    tenant.ask('POST', `/businesses/${id}/extract-from-url`, { url: pageUrl });
  const slow = [read(api.tenant, own), read(api.tenant, own)];
  await server.asked(2);
  busy(await read(api.tenant, own));
  const others = read(api.other, foreign);
  await server.asked(3);
  server.close();
  for (const answer of await Promise.all([...slow, others]))
    assert.equal(answer.json.code, 'PAGE_UNREADABLE', answer.text);
});

test('an account that asks the model for two lists waits for one of them; another one asks at once', async () => {
  const [own, foreign] = [await business(api.tenant), await business(api.other)];
  const slow = [
    api.tenant.ask('POST', `/businesses/${own}/generate-services`, {}),
    api.tenant.ask('POST', `/businesses/${own}/generate-faqs`, {}),
  ];
  await server.asked(2);
  busy(await api.tenant.ask('POST', `/businesses/${own}/generate-faqs`, {}));
  const others = api.other.ask('POST', `/businesses/${foreign}/generate-faqs`, {});
  await server.asked(3);
  server.refuseAll();
  for (const answer of await Promise.all([...slow, others]))
    assert.equal(answer.json.code, 'MODEL_FAILED', answer.text);
  const again = await api.tenant.ask('POST', `/businesses/${own}/generate-faqs`, {});
  assert.equal(again.json.code, 'MODEL_FAILED', 'the places are free again');
});

test('an account has four samples of voices rendered at once; another’s is rendered too', async () => {
  await engineIs(api);
  const voices = (await api.tenant.ask('GET', '/voices')).json.data.map(({ id }) => id);
  assert.ok(voices.length >= 4);
  const names = [...voices, ...voices].slice(0, 5).map((id, n) => ({ ...voice(id), id: `${id}-${n}` }));
  await api.context.db
    .insertInto('engineVoices')
    .values({ id: 1, voices: JSON.stringify(names) })
    .execute();
  const ids = names.map(({ id }) => id);
  const slow = ids.slice(0, 4).map((id) => api.tenant.ask('GET', `/voices/${id}/preview`));
  while ((await requests()).length < 4) await new Promise((resolve) => setImmediate(resolve));
  busy(await api.tenant.ask('GET', `/voices/${ids[4]}/preview`));
  const others = api.other.ask('GET', `/voices/${ids[4]}/preview`);
  while ((await requests()).length < 5) await new Promise((resolve) => setImmediate(resolve));
  await api.context.db.updateTable('engineRequests').set({ doneAt: 1 }).execute();
  for (const answer of await Promise.all([...slow, others])) assert.equal(answer.json.code, 'VOICE_UNAVAILABLE');
});

const requests = () => api.context.read.selectFrom('engineRequests').select('id').execute();
const voice = (id: string) => ({
  id,
  name: id,
  language: 'en-US',
  gender: 'female',
  engine: 'flite',
  sampleRate: 16_000,
});

test('imports are taken in turn: one account’s many do not keep another’s waiting', async () => {
  const mine = await setUpCampaign(api, api.tenant);
  const theirs = await setUpCampaign(api, api.other);
  const importer = new ContactImporter(api.context.config.database);
  const run = ({ accountId }: Tenant, campaignId: string, n: number) =>
    importer.run({
      accountId,
      campaignId,
      nowMs: api.clock.now,
      contacts: [{ phoneNumber: `+1415555${2_600 + n}` }],
    } as Parameters<ContactImporter['run']>[0]);
  const order: string[] = [];
  const many = Array.from({ length: 30 }, (_, n) =>
    run(api.tenant, mine.campaign.id, n).then(() => order.push('mine')),
  );
  const other = run(api.other, theirs.campaign.id, 99).then(() => order.push('theirs'));
  await Promise.all([...many, other]);
  assert.ok(order.indexOf('theirs') <= 4, order.join(' '));
  const flood = Array.from({ length: 60 }, (_, n) => run(api.tenant, mine.campaign.id, n));
  const results = await Promise.allSettled(flood);
  const refused = results.filter(({ status }) => status === 'rejected');
  assert.equal(refused.length, 26, 'two in the thread, 32 in the line');
  assert.equal(((refused[0] as PromiseRejectedResult).reason as { code: string }).code, 'ACCOUNT_BUSY');
  await importer.close();
});

test('lists that must be counted are read in turn, and the flood of one account is what is refused', async () => {
  // Each has a total of its own to count: one that was counted just now is known.
  const list = (tenant: Tenant, n: number) => {
    const day = new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10);
    return tenant.ask('GET', `/calls?status=COMPLETED&direction=inbound&startDate=${day}`);
  };
  const flood = Array.from({ length: 120 }, (_, n) => list(api.tenant, n));
  const others = Array.from({ length: 5 }, (_, n) => list(api.other, n));
  assert.deepEqual(
    (await Promise.all(others)).map(({ status }) => status),
    [200, 200, 200, 200, 200],
  );
  const answers = await Promise.all(flood);
  const refused = answers.filter(({ status }) => status === 429);
  assert.ok(refused.length > 0);
  assert.ok(refused.every(({ json }) => json.code === 'COUNTS_BUSY'));
});
