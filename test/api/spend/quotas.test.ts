// The quotas of one account: by its plan, and refused in words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tenant } from '../../../bench/rig/api/api.ts';
import { foldAll } from '../../../db/postgres/fold.ts';
import { setUpCampaign } from '../../support/api/resources.ts';
import { useApi } from '../../support/api/use-api.ts';

let starter: Tenant;
const api = useApi({}, async () => {
  starter = await api.newTenant({ plan: 'STARTER' });
});

/** Copies of a record, as a script of a tenant would make them. */
async function copies(table: 'businesses' | 'agents' | 'campaigns', id: string, count: number): Promise<void> {
  const { db } = api.context;
  const row = await db.selectFrom(table).selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  await db.transaction().execute(async (trx) => {
    for (let n = 0; n < count; n++)
      await trx
        .insertInto(table)
        .values({ ...row, id: `${id}${n}` } as never)
        .execute();
  });
}

test('a STARTER has a thousand businesses, agents and campaigns; an ENTERPRISE has no limit', async () => {
  const { business, agent, campaign } = await setUpCampaign(api, starter);
  const bodies = {
    businesses: { name: 'One more', industry: 'retail', timezone: 'UTC' },
    agents: { name: 'One more', voiceId: 'flite-slt' },
    campaigns: { name: 'One more', agentId: agent.id, businessId: business.id },
  } as const;
  for (const [kind, id] of [
    ['businesses', business.id],
    ['agents', agent.id],
    ['campaigns', campaign.id],
  ] as const) {
    await copies(kind, id, 998);
    const path = `/${kind}` as const;
    assert.equal((await starter.ask('POST', path, bodies[kind])).status, 201, kind);
    const refused = await starter.ask('POST', path, bodies[kind]);
    assert.deepEqual([refused.status, refused.json.code], [409, 'QUOTA_EXCEEDED'], kind);
    assert.equal(refused.json.error, `The account's plan allows 1000 ${kind}, deleted ones included`);
  }
  await api.admin.ask('PATCH', `/admin/accounts/${starter.accountId}`, { plan: 'ENTERPRISE' });
  assert.equal((await starter.ask('POST', '/agents', bodies.agents)).status, 201);
});

test('contacts are counted over all campaigns, before any of a request is written', async () => {
  const own = await api.newTenant({ plan: 'STARTER' });
  const { campaign } = await setUpCampaign(api, own);
  const path = `/campaigns/${campaign.id}/contacts`;
  assert.equal((await own.ask('POST', path, { contacts: [{ phoneNumber: '+14155552671' }] })).status, 201);
  await foldAll(api.context.db);
  await api.context.db
    .updateTable('contactCounts')
    .set({ total: 99_999 })
    .where('campaignId', '=', campaign.id)
    .execute();
  const two = { contacts: [{ phoneNumber: '+14155552672' }, { phoneNumber: '+14155552673' }] };
  const refused = await own.ask('POST', path, two);
  assert.deepEqual([refused.status, refused.json.code], [409, 'QUOTA_EXCEEDED'], refused.text);
  assert.equal((await own.ask('POST', path, { contacts: two.contacts.slice(1) })).status, 201);
});
