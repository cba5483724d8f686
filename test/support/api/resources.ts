// Initial rows of API tests: an account's resources, a running engine and trunk, past calls.

import type { Static } from 'typebox';
import type { AgentRecord } from '../../../api/agents/schema.ts';
import type { BusinessRecord } from '../../../api/businesses/schema.ts';
import type { CampaignRecord } from '../../../api/campaigns/schema.ts';
import type { Tenant, TestApi } from '../../../bench/rig/api/api.ts';
import { callRow } from '../../../bench/rig/rows/call-row.ts';
import { engineRow, trunkRow } from '../../../bench/rig/rows/table-rows.ts';
import type { PhoneNumberRow } from '../../../db/queries/numbers/phone-numbers.ts';
import type { CallTable } from '../../../db/schema/call-columns.ts';
import type { TrunkStateTable } from '../../../db/schema/lines/trunks.ts';
import type { EngineTable } from '../../../db/schema/processes.ts';
import { newId } from '../../../db/shared/id.ts';

/** Writes the row of a healthy engine, with this process as the engine. */
export async function engineIs(api: TestApi, changes: Partial<EngineTable> = {}): Promise<void> {
  const row = engineRow(api.clock.now, changes);
  await api.context.db
    .insertInto('engines')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

/** A trunk, and the state that the engine reports for it. */
export async function addTrunk(api: TestApi, state: Partial<TrunkStateTable> = {}): Promise<string> {
  const id = newId('trk');
  await api.context.db
    .insertInto('trunks')
    .values(trunkRow({ id, createdAt: api.clock.now }))
    .execute();
  await api.context.db
    .insertInto('trunkStates')
    .values({
      trunkId: id,
      registrationState: 'off',
      registrationExpiresAt: null,
      healthState: 'up',
      healthCheckedAt: api.clock.now,
      lastError: null,
      lastErrorAt: null,
      updatedAt: api.clock.now,
      ...state,
    })
    .execute();
  return id;
}

let numbers = 0;

/** A number of the tenant, with or without a campaign. */
export async function addNumber(
  api: TestApi,
  tenant: Tenant,
  number: Partial<PhoneNumberRow> = {},
): Promise<PhoneNumberRow> {
  const row: PhoneNumberRow = {
    id: newId('pn'),
    accountId: tenant.accountId,
    phoneNumber: `+1415555${String(2000 + numbers++)}`,
    country: 'US',
    areaCode: '415',
    type: 'local',
    capabilities: '["voice"]',
    monthlyCost: 0,
    campaignId: null,
    isActive: 1,
    status: 'active',
    trunkId: null,
    createdAt: api.clock.now,
    releasedAt: null,
    sipAlias: null,
    routes: '[]',
    releaseAskedAt: null,
    suspendedAt: null,
    ...number,
  };
  await api.context.db.insertInto('phoneNumbers').values(row).execute();
  return row;
}

export interface Setup {
  agent: AgentRecord;
  business: BusinessRecord;
  campaign: Static<typeof CampaignRecord>;
  number: PhoneNumberRow;
}

/** An agent, a business, a number and a DRAFT campaign that uses them. */
export async function setUpCampaign(api: TestApi, tenant: Tenant, campaign: object = {}): Promise<Setup> {
  const agent = (await tenant.ask('POST', '/agents', { name: 'Sally', voiceId: 'flite-slt' })).json.data;
  const business = (
    await tenant.ask('POST', '/businesses', {
      name: 'Bright Dental',
      industry: 'dental',
      timezone: 'America/New_York',
    })
  ).json.data;
  const number = await addNumber(api, tenant);
  const created = await tenant.ask('POST', '/campaigns', {
    name: 'Recalls',
    agentId: agent.id,
    businessId: business.id,
    phoneNumberIds: [number.id],
    ...campaign,
  });
  if (created.status !== 201) throw new Error(created.text);
  return { agent, business, campaign: created.json.data, number };
}

/** A call in the database; by default inbound, answered and ended. */
export async function seedCall(api: TestApi, tenant: Tenant, call: Partial<CallTable> = {}): Promise<CallTable> {
  const startedAt = call.startedAt ?? api.clock.now - 60_000;
  const row = callRow({
    accountId: tenant.accountId,
    status: 'COMPLETED',
    outcome: 'completed',
    endReason: 'caller_hangup',
    answeredAt: startedAt + 1_000,
    endedAt: startedAt + 31_000,
    durationSeconds: 30,
    sentiment: 'positive',
    createdAt: startedAt,
    ...call,
    startedAt,
  });
  await api.context.db.insertInto('calls').values(row).execute();
  return row;
}
