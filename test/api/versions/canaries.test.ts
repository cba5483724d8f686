// Canaries: a new version leads a share of the calls, is published when enough of them were good, and goes back by
// itself when they are worse.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PluginTransformQueryArgs } from 'kysely';
import { judgeCanaries } from '../../../api/versions/canaries.ts';
import { callRow } from '../../../bench/rig/rows/call-row.ts';
import { agentOf, campaignSetup } from '../../../db/rules/routing.ts';
import type { CallTable } from '../../../db/schema/call-columns.ts';
import type { Db } from '../../../db/schema.ts';
import { setUpCampaign } from '../../support/api/resources.ts';
import { useTenants } from '../../support/api/use-api.ts';

const api = useTenants();

interface Canary {
  id: string;
  version: number;
  publishedVersion: number;
  canaryCalls: number;
  publishedCalls: number;
  result: string | null;
  evidence: { measure: string; direction: string; canary: { value: number; calls: number }; p: number }[];
}

async function asked<T>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object, status = 200): Promise<T> {
  api.clock.advance(1_000);
  const answer = await api.tenant.ask(method, path, body);
  assert.equal(answer.status, status, answer.text);
  return answer.json.data as T;
}

/** A business with drafts, whose agent has a draft that says hello in another way. */
async function drafting() {
  const { agent, business, campaign } = await setUpCampaign(api, api.tenant);
  await api.context.db.updateTable('campaigns').set({ status: 'RUNNING' }).where('id', '=', campaign.id).execute();
  await asked('PATCH', `/businesses/${business.id}`, { drafts: true });
  await asked('PATCH', `/agents/${agent.id}`, { description: 'Brief.' });
  const { accountId } = api.tenant;
  const setupFor = async (number: string | null) =>
    (await campaignSetup(api.context.read, { accountId, campaignId: campaign.id, number })) ?? assert.fail('no setup');
  /** Calls of a number of people, each led as the service decides, and served as `went` says. */
  const take = async (people: number, went: (isCanary: boolean) => Partial<CallTable>) => {
    const rows: CallTable[] = [];
    for (let nth = 0; nth < people; nth++) {
      api.clock.advance(1_000);
      const fromNumber = `+1212${5_550_000 + nth}`;
      const setup = await setupFor(fromNumber);
      const at = api.context.now();
      const isCanary = setup.agent.version !== 1 || setup.business.version !== 1;
      rows.push({
        ...callRow({ accountId, agentId: agent.id, businessId: business.id, createdAt: at, startedAt: at, fromNumber }),
        ...({ direction: 'inbound', campaignId: campaign.id, status: 'COMPLETED', outcome: 'completed' } as const),
        ...{ answeredAt: at, endedAt: at + 500, durationSeconds: 60, latency: '{"turns":1,"p50Ms":700,"p95Ms":900}' },
        ...{ agentVersion: setup.agent.version, businessVersion: setup.business.version },
        ...went(isCanary),
      });
    }
    await api.context.db.insertInto('calls').values(rows).execute();
    return rows;
  };
  /** The queries of a call that begins. */
  const queries = async (read: (db: Db) => Promise<unknown>): Promise<number> => {
    let count = 0;
    const transformQuery = ({ node }: PluginTransformQueryArgs) => {
      count++;
      return node;
    };
    await read(api.context.read.withPlugin({ transformQuery, transformResult: async ({ result }) => result }));
    return count;
  };
  const routed = (db: Db) => campaignSetup(db, { accountId, campaignId: campaign.id, number: '+12125550100' });
  const chosen = (db: Db) => agentOf(db, { accountId, id: agent.id, number: '+12125550100' });
  const queriesOfCall = async () => [await queries(routed), await queries(chosen)];
  const canaries = (path = `/agents/${agent.id}`) => asked<Canary[]>('GET', `${path}/canaries`);
  return {
    agentPath: `/agents/${agent.id}`,
    businessPath: `/businesses/${business.id}`,
    setupFor,
    take,
    canaries,
    queriesOfCall,
  };
}

const fine = () => ({});

test('a call reads canaries only where one of its agent or its business runs', async () => {
  const { agentPath, businessPath, queriesOfCall } = await drafting();
  const [routed = 0, chosen = 0] = await queriesOfCall();
  await asked('POST', `${agentPath}/publish`, { canary: { share: 20, calls: 100 } });
  assert.deepEqual(await queriesOfCall(), [routed + 1, chosen + 1]);
  await asked('POST', `${agentPath}/canary/stop`);
  assert.deepEqual(await queriesOfCall(), [routed, chosen]);
  await asked('PATCH', businessPath, { fallbackMessage: 'Pardon?' });
  await asked('POST', `${businessPath}/publish`, { canary: { share: 20, calls: 100 } });
  assert.deepEqual(await queriesOfCall(), [routed + 1, chosen]);
});

test('a worse version goes back by itself, with its evidence, and people are told', async () => {
  const { agentPath, setupFor, take, canaries } = await drafting();
  const [begun] = await asked<{ from: number; to: number; canary: Canary }[]>('POST', `${agentPath}/publish`, {
    canary: { share: 20, calls: 100 },
  });
  assert.deepEqual([begun?.from, begun?.to, begun?.canary.result], [1, 2, null]);
  await asked('POST', `${agentPath}/publish`, { canary: {} }, 409);
  assert.equal((await setupFor(null)).agent.version, 1, 'nobody knows the number');
  // Of the canary's callers half are put through, of the others a tenth.
  const nth = { canary: 0, published: 0 };
  const rows = await take(250, (isCanary) => {
    const isPutThrough = isCanary ? nth.canary++ % 2 === 0 : nth.published++ % 10 === 0;
    return isPutThrough ? { outcome: 'transferred' } : {};
  });
  const led = rows.filter(({ agentVersion }) => agentVersion === 2);
  assert.ok(led.length > 20 && led.length < 85, `${led.length} of 250`);
  assert.equal((await setupFor(led[0]?.fromNumber ?? '')).agent.description, 'Brief.');
  // A second call of a number does not count.
  await api.context.db
    .insertInto('calls')
    .values({ ...(led[0] ?? assert.fail()), id: 'call_again' })
    .execute();
  await judgeCanaries(api.context);
  const [canary] = await canaries();
  assert.deepEqual(
    [canary?.result, canary?.evidence[0]?.measure, canary?.evidence[0]?.direction],
    ['rolled_back', 'transferred', 'more'],
  );
  assert.ok((canary?.canaryCalls ?? 0) <= led.length);
  assert.ok((canary?.evidence[0]?.p ?? 1) < 0.002);
  assert.equal((await setupFor(led[0]?.fromNumber ?? '')).agent.version, 1, 'the next call');
  const draft = await asked<{ draftVersion: number }>('GET', agentPath);
  assert.equal(draft.draftVersion, 2, 'the draft is there to be mended');
  const events = await api.context.db.selectFrom('events').selectAll().where('type', '=', 'canary.ended').execute();
  const told = events.map(({ data }) => JSON.parse(data) as Canary).filter(({ id }) => id === canary?.id);
  assert.deepEqual(
    told.map(({ result }) => result),
    ['rolled_back'],
  );
  const log = await asked<{ action: string; resourceId: string }[]>('GET', '/account/audit-log');
  assert.ok(log.some(({ action, resourceId }) => action === 'canaryRolledBack' && agentPath.endsWith(resourceId)));
  await judgeCanaries(api.context);
  assert.equal((await canaries()).length, 1);
});

test('a version that is as good is published when enough of its calls have ended', async () => {
  const { agentPath, setupFor, take, canaries } = await drafting();
  await asked('POST', `${agentPath}/publish`, { canary: { share: 50, calls: 20 } });
  await take(12, fine);
  await judgeCanaries(api.context);
  const [running] = await canaries();
  assert.equal(running?.result, null);
  assert.equal((running?.canaryCalls ?? 0) + (running?.publishedCalls ?? 0), 12);
  await take(80, fine);
  await judgeCanaries(api.context);
  assert.deepEqual([(await canaries())[0]?.result, (await canaries())[0]?.canaryCalls], ['promoted', 20]);
  assert.deepEqual([(await setupFor(null)).agent.version, (await setupFor(null)).agent.description], [2, 'Brief.']);
  const agent = await asked<{ publishedVersion: number; draftVersion: number | null }>('GET', agentPath);
  assert.deepEqual([agent.publishedVersion, agent.draftVersion], [2, null]);
});

test('a draft that is changed meanwhile is not published with the canary', async () => {
  const { agentPath, setupFor, take } = await drafting();
  await asked('POST', `${agentPath}/publish`, { canary: { share: 50, calls: 20 } });
  await asked('PATCH', agentPath, { description: 'Briefer.', name: 'Bea' });
  await take(80, fine);
  await judgeCanaries(api.context);
  const { agent } = await setupFor(null);
  assert.deepEqual([agent.version, agent.name, agent.description], [2, 'Sally', 'Brief.']);
  const shown = await asked<{ draftVersion: number; name: string }>('GET', agentPath);
  assert.deepEqual([shown.draftVersion, shown.name], [3, 'Bea']);
});

test('a business’s version leads a share, too; it is stopped, published or discarded by hand', async () => {
  const { businessPath, setupFor, take, canaries } = await drafting();
  const begin = () => asked('POST', `${businessPath}/publish`, { canary: { share: 50, calls: 20 } });
  await asked('POST', `${businessPath}/publish`, { canary: {} }, 409);
  await asked('PATCH', businessPath, { greetingTemplate: 'Hi.' });
  await begin();
  const rows = await take(40, fine);
  const number = rows.find(({ businessVersion }) => businessVersion === 2)?.fromNumber ?? assert.fail();
  assert.equal((await setupFor(number)).business.greetingTemplate, 'Hi.');
  assert.equal((await asked<Canary>('POST', `${businessPath}/canary/stop`)).result, 'stopped');
  await asked('POST', `${businessPath}/canary/stop`, undefined, 409);
  assert.equal((await setupFor(number)).business.greetingTemplate, null);
  await begin();
  await asked('POST', `${businessPath}/discard`);
  await asked('PATCH', businessPath, { greetingTemplate: 'Hi!' });
  await begin();
  await asked('POST', `${businessPath}/publish`);
  assert.equal((await setupFor(null)).business.greetingTemplate, 'Hi!');
  assert.deepEqual(
    (await canaries(businessPath)).map(({ result }) => result),
    ['stopped', 'stopped', 'stopped'],
  );
});
