// An account in which the tester of the document finds something: records that are made by the document's own examples,
// and hooks of schemathesis that put into a request what no schema can say, such as which campaign there is.
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Operations that make a record, each after those of which it needs one. */
const OF_ADMIN = ['createTrunk', 'createSipAccount', 'createPrice'];
const OF_EVERYBODY = [
  ...['createAgent', 'createBusiness', 'createCampaign', 'createTool', 'createWebhook', 'addDocument'],
  ...['createTestSuite', 'addTestCase', 'createAlertRule', 'createWidgetKey', 'addContacts', 'createPortOrder'],
  ...['createAccessToken', 'addDoNotCall', 'makeCalendarFeed'],
];

/** Fields that name a record, by the beginning of its id. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  acc: ['accountId'],
  agt: ['agentId'],
  biz: ['businessId'],
  cmp: ['campaignId', 'defaultCampaignId'],
  pn: ['phoneNumberId', 'phoneNumberIds', 'fromPhoneNumberId'],
  tcs: ['caseIds'],
  tol: ['toolIds'],
  trk: ['trunkId', 'backupTrunkId'],
  tst: ['suiteId'],
  wid: ['keyId'],
};

/** Texts that are checked against a list, a plan of numbers or the clock, of which no schema can say more. */
const WORDS: Readonly<Record<string, string>> = {
  timezone: 'Europe/Berlin',
  currency: 'EUR',
  country: 'DE',
  countries: 'US',
  voiceId: 'flite-slt',
  host: 'sip.example.com',
  callsTo: 'demo',
  inboundAllow: '203.0.113.0/24',
  origins: 'https://www.rivera.example',
  phoneNumber: '+14155550143',
  forwardedFrom: '+14155550144',
  phone: '+14155550145',
  transferNumber: '+14155550146',
  // Of a calling window, which has two times.
  start: '09:00',
  end: '17:00',
  expiresAt: '2099-01-01T00:00:00.000Z',
  scheduledAt: '2099-01-01T00:00:00.000Z',
};

const SAMPLE = /\b(\w+)_0{20}sample/g;

interface Operation {
  operationId?: string;
  requestBody?: { content?: Record<string, { schema?: { $ref?: string } }> };
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { examples?: unknown[] }> };
}

/** The hooks are told it: values of fields by their names, and of a parameter of a path by the template before it. */
export interface World {
  fields: Record<string, string>;
  paths: Record<string, string>;
}

/** Offers a number in an area of its own to each account that is filled. */
export async function offerNumbers(address: string, token: string): Promise<void> {
  const numbers = Object.values(NUMBERS).map((phoneNumber) => ({ phoneNumber, monthlyCost: 0 }));
  await ask({ address, token }, 'POST', '/api/v1/admin/inventory', { numbers });
}

const NUMBERS = { admin: '+13125550100', tenant: '+14155550100' };

async function buyNumber(as: Asker, phoneNumber: string): Promise<{ id: string }> {
  await ask(as, 'GET', `/api/v1/phone-numbers/search?areaCode=${phoneNumber.slice(2, 5)}`);
  return ask(as, 'POST', '/api/v1/phone-numbers/purchase', { phoneNumber });
}

interface Asker {
  address: string;
  token: string;
}

/** The data of the answer. @throws Error for one that is no success */
async function ask<T>({ address, token }: Asker, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(`${address}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} with ${JSON.stringify(body)}: ${answer.status} ${text}`);
  return (JSON.parse(text) as { data: T }).data;
}

/** A server of others, which takes whatever it is told. */
export async function openReceiver(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Fills an account. @throws Error where the document's example of an operation is not taken */
export async function fill(
  address: string,
  token: string,
  account: keyof typeof NUMBERS,
  receiver: Server,
): Promise<World> {
  const as = { address, token };
  const document = (await (await fetch(`${address}/openapi.json`)).json()) as Document;
  const ids: Record<string, string> = {};
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const world: World = { fields: { ...WORDS, url, captchaUrl: url }, paths: {} };
  const note = (id: string): void => {
    const kind = id.slice(0, id.indexOf('_'));
    ids[kind] ??= id;
    for (const field of FIELDS[kind] ?? []) world.fields[field] ??= id;
  };
  const known = (example: unknown): unknown =>
    JSON.parse(
      JSON.stringify(example).replaceAll(SAMPLE, (sample, kind) => ids[kind] ?? sample),
      (key, value) => {
        if (key === 'url') return url;
        // The document's own number is the demo's here.
        return value === '+12025550100' ? '+12125550100' : value;
      },
    );
  note((await buyNumber(as, NUMBERS[account])).id);
  for (const name of [...(account === 'admin' ? OF_ADMIN : []), ...OF_EVERYBODY]) {
    const [path, example] = creation(document, name);
    const filled = path.replace(/\{\w+\}/g, (_, at) => world.paths[path.slice(0, at)] ?? '');
    const made = await ask<{ id?: string }>(as, 'POST', filled, known(example));
    if (made.id === undefined) continue;
    note(made.id);
    world.paths[`${path}/`] = made.id;
  }
  return world;
}

function creation({ paths, components }: Document, name: string): [path: string, example: unknown] {
  for (const [path, { post }] of Object.entries(paths)) {
    if (post?.operationId !== name) continue;
    const reference = post.requestBody?.content?.['application/json']?.schema?.$ref ?? '';
    return [path, components.schemas[reference.slice(reference.lastIndexOf('/') + 1)]?.examples?.[0] ?? {}];
  }
  throw new Error(`no operation ${name}`);
}

/** The hooks, in Python. */
export const HOOKS = readFileSync(new URL('document-hooks.py', import.meta.url), 'utf8');
