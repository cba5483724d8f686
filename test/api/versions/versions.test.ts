// Versions of agents, businesses and tools: each change is one, is told in words, and can be taken back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callRow } from '../../../bench/rig/rows/call-row.ts';
import { insertVersion } from '../../../db/queries/businesses/versions.ts';
import type { CallTable } from '../../../db/schema/call-columns.ts';
import { useApi } from '../../support/api/use-api.ts';

const api = useApi({ environment: { WEBHOOK_ALLOW_PRIVATE: '1' } });

interface Change {
  field: string;
  from: unknown;
  to: unknown;
  words?: { text: string; is: string }[];
}
interface Interval {
  low: number;
  high: number;
}
type Share = Interval & { share: number };
interface Version {
  number: number;
  isCurrent: boolean;
  actor: string | null;
  restoredFrom: number | null;
  createdAt: string;
  against: number | null;
  changes: Change[];
  content?: Record<string, unknown>;
  calls?: {
    answered: number;
    transferred: Share;
    failed: Share;
    leftEarly: Share;
    responseGapMs: (Interval & { median: number }) | null;
  } | null;
}

async function made(path: string, body: object): Promise<string> {
  const answer = await api.tenant.ask('POST', path, body);
  assert.equal(answer.status, 201, answer.text);
  return (answer.json.data as { id: string }).id;
}

async function changed(path: string, body: object): Promise<void> {
  api.clock.advance(60_000);
  const answer = await api.tenant.ask('PATCH', path, body);
  assert.equal(answer.status, 200, answer.text);
}

const versionsOf = async (path: string, query = ''): Promise<Version[]> => {
  const answer = await api.tenant.ask('GET', `${path}/versions${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json.data as Version[];
};

const brief = (changes: readonly Change[]) => changes.map(({ field, from, to }) => [field, from, to]);

test('each change of a business is a version: who, when, and what from what', async () => {
  const path = `/businesses/${await made('/businesses', { name: 'Bakery', timezone: 'Europe/Berlin', industry: 'bakery' })}`;
  await changed(path, { name: 'Bakery Ada', phone: '+12125550100' });
  await changed(path, { name: 'Bakery Ada' });
  await changed(path, { services: [{ name: 'Cake', duration: 30, price: 20 }] });
  const [third, second, first, ...more] = await versionsOf(path);
  assert.deepEqual(more, [], 'a change that changes nothing makes none');
  assert.deepEqual([third?.number, third?.isCurrent, third?.against], [3, true, 2]);
  assert.deepEqual([second?.number, second?.isCurrent, second?.actor], [2, false, api.tenant.userId]);
  assert.deepEqual(brief(second?.changes ?? []), [
    ['name', 'Bakery', 'Bakery Ada'],
    ['phone', null, '+12125550100'],
  ]);
  assert.deepEqual([first?.number, first?.against, first?.changes], [1, null, []]);
  assert.ok((second?.createdAt ?? '') > (first?.createdAt ?? ''));
  const [newest] = await versionsOf(path, '?limit=1');
  assert.equal(newest?.changes[0]?.field, 'services', 'the last of a page is compared with the one on the next');
  const restored = await api.tenant.ask('POST', `${path}/versions/1/restore`);
  const { name, phone, currency, services } = restored.json.data as Record<string, unknown>;
  assert.deepEqual([name, phone, currency, services], ['Bakery', null, 'USD', []]);
  const log = await api.tenant.ask('GET', `${path}/audit-log`);
  assert.equal((log.json.data as { action: string }[])[0]?.action, 'version-restored');
});

test('a version is brought back as a new one, and what came after it is still there', async () => {
  const path = `/agents/${await made('/agents', { name: 'Ann', voiceId: 'flite-slt', description: 'First.' })}`;
  await changed(path, { name: 'Bea', conversation: { reminders: 3 } });
  await changed(path, { description: 'Second.' });
  const restored = await api.tenant.ask('POST', `${path}/versions/1/restore`);
  assert.equal(restored.status, 200, restored.text);
  const { name, description, conversation } = restored.json.data as Record<string, unknown>;
  assert.deepEqual([name, description, conversation], ['Ann', 'First.', {}]);
  const versions = await versionsOf(path);
  assert.deepEqual(
    versions.map(({ number, restoredFrom }) => [number, restoredFrom]),
    [
      [4, 1],
      [3, null],
      [2, null],
      [1, null],
    ],
  );
  assert.deepEqual(
    brief((await versionsOf(path, '?limit=1'))[0]?.changes ?? [])
      .map(([field]) => field)
      .sort(),
    ['conversation', 'description', 'name'],
  );
  // Once more: nothing differs, and nothing is made.
  assert.equal((await api.tenant.ask('POST', `${path}/versions/1/restore`)).status, 200);
  assert.equal((await versionsOf(path)).length, 4);
});

test('two versions are compared, and of a long text the words', async () => {
  const greeting = 'Thank you for calling the bakery on the market square, my name is Ann. How may I help you today?';
  const path = `/businesses/${await made('/businesses', { name: 'B', timezone: 'UTC', industry: 'bakery', greetingTemplate: greeting })}`;
  await changed(path, { greetingTemplate: greeting.replace('market square', 'old harbour') });
  await changed(path, { name: 'C' });
  const answer = await api.tenant.ask('GET', `${path}/versions/3?against=1`);
  const { against, changes, content } = answer.json.data as Version;
  assert.equal(against, 1);
  assert.equal(content?.name, 'C');
  assert.equal(content?.id, undefined);
  const words = changes.find(({ field }) => field === 'greetingTemplate')?.words ?? [];
  const textOf = (...kinds: string[]) => words.flatMap(({ text, is }) => (kinds.includes(is) ? [text] : [])).join('');
  assert.equal(textOf('same', 'gone'), greeting);
  assert.match(textOf('new'), /^old\s*harbour$/);
  assert.match(textOf('gone'), /^market\s*square$/);
});

test('a tool’s versions have no values of headers, and bringing one back leaves those of today', async () => {
  const tool = {
    name: 'order_status',
    description: 'About an order.',
    url: 'http://127.0.0.1:9/order',
    headers: { 'X-Key': 's3cret-value' },
  };
  const path = `/tools/${await made('/tools', tool)}`;
  await changed(path, { description: 'About orders.', headers: { 'X-Key': 'other-s3cret' } });
  const all = await api.tenant.ask('GET', `${path}/versions`);
  assert.doesNotMatch(all.text, /s3cret/);
  const restored = await api.tenant.ask('POST', `${path}/versions/1/restore`);
  const { description, headerNames } = restored.json.data as Record<string, unknown>;
  assert.deepEqual([description, headerNames], ['About an order.', ['X-Key']]);
});

test('what a PATCH refuses, a version does not bring back', async () => {
  const tool = await made('/tools', { name: 'gone_tool', description: 'Gone.', url: 'http://127.0.0.1:9/' });
  const path = `/agents/${await made('/agents', { name: 'Ann', voiceId: 'flite-slt', toolIds: [tool] })}`;
  await changed(path, { toolIds: [] });
  assert.equal((await api.tenant.ask('DELETE', `/tools/${tool}`)).status, 200);
  const refused = await api.tenant.ask('POST', `${path}/versions/1/restore`);
  assert.deepEqual(
    [refused.status, (refused.json as { errors?: { field: string }[] }).errors?.[0]?.field],
    [422, 'toolIds[0]'],
  );
  assert.equal((await versionsOf(path)).length, 2);
});

test('what was there before versions were kept is the first one', async () => {
  const id = await made('/agents', { name: 'Old', voiceId: 'flite-slt' });
  await api.context.db.deleteFrom('versions').where('subjectId', '=', id).execute();
  const [only, ...more] = await versionsOf(`/agents/${id}`);
  assert.deepEqual([only?.number, only?.isCurrent, only?.actor, more], [1, true, null, []]);
  const read = await api.tenant.ask('GET', `/agents/${id}/versions/1`);
  assert.equal((read.json.data as Version).content?.name, 'Old');
  await changed(`/agents/${id}`, { name: 'New' });
  const versions = await versionsOf(`/agents/${id}`);
  assert.deepEqual(
    versions.map(({ number, actor, changes }) => [number, actor, brief(changes)]),
    [
      [2, api.tenant.userId, [['name', 'Old', 'New']]],
      [1, null, []],
    ],
  );
});

test('a version of another account, or none, is not found', async () => {
  const path = `/agents/${await made('/agents', { name: 'Ann', voiceId: 'flite-slt' })}`;
  for (const [method, rest] of [
    ['GET', '/versions'],
    ['GET', '/versions/1'],
    ['POST', '/versions/1/restore'],
  ] as const)
    assert.equal((await api.other.ask(method, `${path}${rest}`)).status, 404);
  assert.equal((await api.tenant.ask('GET', `${path}/versions/2`)).status, 404);
  assert.equal((await api.tenant.ask('GET', `${path}/versions/1?against=7`)).status, 404);
  for (const number of ['0', '01', 'x', '1e3'])
    assert.equal((await api.tenant.ask('GET', `${path}/versions/${number}`)).status, 404, number);
  assert.equal((await api.tenant.ask('GET', `${path}/versions/1?against=0`)).status, 422);
});

test('of one subject the newest 200 are kept, and fewer of long ones', async () => {
  const { db } = api.context;
  const keep = async (subjectId: string, numbers: number, characters: number): Promise<number[]> => {
    const row = {
      accountId: api.tenant.accountId,
      subject: 'agent',
      subjectId,
      actor: null,
      restoredFrom: null,
      baseNumber: null,
    } as const;
    const content = JSON.stringify({ description: 'x'.repeat(characters) });
    for (let number = 1; number <= numbers; number++)
      await insertVersion(db, { ...row, number, content, createdAt: number });
    const left = await db
      .selectFrom('versions')
      .select('number')
      .where('subjectId', '=', subjectId)
      .orderBy('number')
      .execute();
    return left.map(({ number }) => number);
  };
  const short = await keep('agt_short', 203, 10);
  assert.deepEqual([short.length, short[0]], [200, 4]);
  assert.deepEqual(await keep('agt_long', 5, 800_000), [4, 5]);
  assert.deepEqual(await keep('agt_huge', 2, 5_000_000), [2], 'the newest is always there');
});

test('of each version’s calls: how many, their gap, and shares with how sure they are', async () => {
  const id = await made('/agents', { name: 'Ann', voiceId: 'flite-slt' });
  await changed(`/agents/${id}`, { name: 'Bea' });
  const { accountId } = api.tenant;
  api.clock.advance(60_000);
  const startedAt = api.context.now();
  const led = (version: number, index: number): CallTable => {
    const call = callRow({ accountId, agentId: id, createdAt: startedAt, startedAt: startedAt - version + index });
    const latency = JSON.stringify({ turns: 1, p50Ms: 500 + 10 * index, p95Ms: 900 });
    const ended = { status: 'COMPLETED', answeredAt: startedAt, endedAt: startedAt + 1, durationSeconds: 30 } as const;
    const how = index < 5 ? { outcome: 'transferred' } : { outcome: 'completed', endReason: 'caller_hangup' };
    return { ...call, ...ended, ...how, latency, agentVersion: version, durationSeconds: index === 19 ? 4 : 30 };
  };
  const rows = Array.from({ length: 20 }, (_, index) => led(2, index));
  const ringing = callRow({ accountId, agentId: id, createdAt: startedAt, agentVersion: 2 });
  await api.context.db
    .insertInto('calls')
    .values([...rows, ringing, led(1, 30)])
    .execute();
  const [second, first] = await versionsOf(`/agents/${id}`, '?calls=true');
  const { answered, transferred, leftEarly, failed, responseGapMs } = second?.calls ?? assert.fail();
  assert.deepEqual([answered, transferred.share, leftEarly.share, failed.share], [20, 0.25, 0.05, 0]);
  assert.ok(transferred.low > 0.1 && transferred.low < 0.12 && transferred.high > 0.46 && transferred.high < 0.48);
  assert.deepEqual(responseGapMs, { median: 590, low: 540, high: 650 });
  assert.equal(first?.calls?.answered, 0, 'version 1 led none since version 2 is there');
  assert.equal((await versionsOf(`/agents/${id}`))[0]?.calls, undefined);
  const tool = await made('/tools', { name: 'no_calls', description: 'None.', url: 'http://127.0.0.1:9/' });
  assert.equal((await versionsOf(`/tools/${tool}`, '?calls=true'))[0]?.calls, null);
});

test('documents that come and go are versions of their business, which knows their names only', async () => {
  const path = `/businesses/${await made('/businesses', { name: 'B', timezone: 'UTC', industry: 'bakery' })}`;
  const document = await made(`${path}/documents`, { name: 'Manual', text: 'The warranty is two years.' });
  assert.equal((await api.tenant.ask('DELETE', `${path}/documents/${document}`)).status, 200);
  const [third, second] = await versionsOf(path);
  const named = (value: unknown) => (value as { name: string; characters: number }[]).map(({ name }) => name);
  const [gone, came] = [third?.changes[0] ?? assert.fail(), second?.changes[0] ?? assert.fail()];
  assert.deepEqual(
    [came.field, named(came.from), named(came.to), second?.actor],
    ['documents', [], ['Manual'], api.tenant.userId],
  );
  assert.deepEqual([named(gone.from), named(gone.to)], [['Manual'], []]);
  assert.doesNotMatch((await api.tenant.ask('GET', `${path}/versions`)).text, /two years/);
  const restored = await api.tenant.ask('POST', `${path}/versions/2/restore`);
  assert.equal(restored.status, 200, restored.text);
  assert.match((restored.json as { warnings?: string[] }).warnings?.join() ?? '', /Documents stay/);
  assert.equal((await versionsOf(path)).length, 3);
});
