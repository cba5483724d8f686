// Campaigns and the numbers they own. Every change of status is one conditional update, so that one of several
// concurrent changes wins and the others see the new status.

import { CAMPAIGN_DEFAULTS } from '../../domain/campaign-defaults.ts';
import type { CampaignStatus, CampaignTable } from '../../schema/campaigns.ts';
import type { PhoneNumberTable } from '../../schema/lines/phone-numbers.ts';
import type { Db } from '../../schema.ts';
import { compiledStatement } from '../../statements/compiled-statement.ts';
import { keptTotals } from '../calls/list/counts.ts';
import { newestPage, type Page } from '../newest-page.ts';
import { tenantRows } from '../tenant-rows.ts';

const campaigns = tenantRows('campaigns');

/** A campaign in these statuses keeps its agent and its last number. */
export const ACTIVE_STATUSES: readonly CampaignStatus[] = ['SCHEDULED', 'RUNNING'];

interface CampaignFilter {
  status?: CampaignStatus;
  agentId?: string;
}

/** Campaigns that are not deleted, newest first, and how many match. */
export async function listCampaigns(
  db: Db,
  accountId: string,
  filter: CampaignFilter,
  page: Page,
): Promise<{ rows: CampaignTable[]; total: number }> {
  let query = campaigns.current(db, accountId);
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  if (filter.agentId !== undefined) query = query.where('agentId', '=', filter.agentId);
  return newestPage(query.selectAll(), page);
}

const one = compiledStatement((db, { accountId, id }: { accountId: string; id: string }) =>
  campaigns.any(db, accountId, id).selectAll(),
);

/** One campaign, deleted ones too. */
export async function getCampaign(db: Db, accountId: string, id: string): Promise<CampaignTable | undefined> {
  return (await one(db, { accountId, id }))[0];
}

/** Whether any campaign of the business, deleted or not, wants results of its calls. */
export async function campaignWantsResults(db: Db, accountId: string, businessId: string): Promise<boolean> {
  const row = await db
    .selectFrom('campaigns')
    .select('id')
    .where('accountId', '=', accountId)
    .where('businessId', '=', businessId)
    .where((eb) => eb.or([eb('outputs', '!=', '[]'), eb('criteria', '!=', '[]')]))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** By campaign: all contacts and calls so far, from the kept totals. */
export async function campaignCounts(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, { contacts: number; calls: number }>> {
  if (ids.length === 0) return new Map();
  const calls = await keptTotals(db, accountId, 'campaignId', ids);
  const contacts = await db
    .selectFrom('contactCountsNow')
    .select((eb) => ['campaignId', eb.fn.sum<number>('total').as('total')])
    .where('accountId', '=', accountId)
    .where('campaignId', 'in', ids)
    .groupBy('campaignId')
    .execute();
  const byCampaign = new Map(contacts.map((row) => [row.campaignId, Number(row.total)]));
  return new Map(ids.map((id) => [id, { contacts: byCampaign.get(id) ?? 0, calls: calls.get(id) ?? 0 }]));
}

/** By campaign: the ids of its numbers, in the order of purchase. */
export async function campaignNumberIds(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('phoneNumbers')
    .select(['id', 'campaignId'])
    .where('accountId', '=', accountId)
    .where('campaignId', 'in', ids)
    .where('status', '=', 'active')
    .orderBy('id')
    .execute();
  const byCampaign = new Map<string, string[]>();
  for (const { id, campaignId } of rows) {
    if (campaignId === null) continue;
    byCampaign.set(campaignId, [...(byCampaign.get(campaignId) ?? []), id]);
  }
  return byCampaign;
}

type Chosen = Partial<CampaignTable> &
  Pick<CampaignTable, 'id' | 'accountId' | 'name' | 'agentId' | 'businessId' | 'status' | 'createdAt'>;

/** A row with what a campaign has where nothing else was chosen. */
export const newCampaign = (chosen: Chosen): CampaignTable => ({
  description: null,
  scheduledAt: null,
  callingWindow: null,
  ...CAMPAIGN_DEFAULTS,
  greetingTemplate: null,
  instructions: null,
  voicemailAction: 'hangup',
  voicemailMessage: null,
  recordingEnabled: 1,
  recordingFormat: 'wav',
  listeningNotice: 'none',
  toolIds: '[]',
  destinations: '[]',
  outputs: '[]',
  criteria: '[]',
  split: '[]',
  startedAt: null,
  completedAt: null,
  deletedAt: null,
  ...chosen,
});

export async function insertCampaign(
  db: Db,
  accountId: string,
  campaign: Omit<CampaignTable, 'accountId'>,
): Promise<void> {
  await db
    .insertInto('campaigns')
    .values({ ...campaign, accountId })
    .execute();
}

/** Changes a campaign that is not deleted; undefined when there is none. */
export function updateCampaign(
  db: Db,
  accountId: string,
  id: string,
  changes: Partial<Omit<CampaignTable, 'id' | 'accountId' | 'status' | 'createdAt' | 'deletedAt'>>,
): Promise<CampaignTable | undefined> {
  return campaigns.change(db, accountId, id).set(changes).returningAll().executeTakeFirst();
}

/** Changes a campaign whose status is one of `from`; undefined otherwise. */
export function moveCampaign(
  db: Db,
  accountId: string,
  id: string,
  from: readonly CampaignStatus[],
  changes: Partial<Pick<CampaignTable, 'status' | 'startedAt' | 'completedAt' | 'deletedAt'>>,
): Promise<CampaignTable | undefined> {
  return campaigns.change(db, accountId, id).set(changes).where('status', 'in', from).returningAll().executeTakeFirst();
}

/** Pauses the active campaigns of a deleted business. Returns their number. */
export async function pauseCampaignsOfBusiness(db: Db, accountId: string, businessId: string): Promise<number> {
  const result = await db
    .updateTable('campaigns')
    .set({ status: 'PAUSED' })
    .where('accountId', '=', accountId)
    .where('businessId', '=', businessId)
    .where('status', 'in', ACTIVE_STATUSES)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

type AssignableNumber = Pick<PhoneNumberTable, 'id' | 'phoneNumber' | 'campaignId' | 'isActive'> & {
  /** Status of the campaign that has the number now. */
  campaignStatus: CampaignStatus | null;
  campaignName: string | null;
};

/** The account's numbers among `ids` that are not being released, with their current campaigns. */
export function assignableNumbers(db: Db, accountId: string, ids: readonly string[]): Promise<AssignableNumber[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return db
    .selectFrom('phoneNumbers')
    .leftJoin('campaigns', (join) =>
      join.onRef('campaigns.id', '=', 'phoneNumbers.campaignId').on('campaigns.deletedAt', 'is', null),
    )
    .select([
      'phoneNumbers.id',
      'phoneNumbers.phoneNumber',
      'phoneNumbers.campaignId',
      'phoneNumbers.isActive',
      'campaigns.status as campaignStatus',
      'campaigns.name as campaignName',
    ])
    .where('phoneNumbers.accountId', '=', accountId)
    .where('phoneNumbers.status', '=', 'active')
    .where('phoneNumbers.id', 'in', ids)
    .execute();
}

/** Makes `numberIds` the numbers of the campaign: its other numbers become unassigned. */
export async function assignNumbers(
  db: Db,
  accountId: string,
  campaignId: string,
  numberIds: readonly string[],
): Promise<void> {
  let dropped = db
    .updateTable('phoneNumbers')
    .set({ campaignId: null })
    .where('accountId', '=', accountId)
    .where('campaignId', '=', campaignId)
    .where('status', '=', 'active');
  if (numberIds.length > 0) dropped = dropped.where('id', 'not in', numberIds);
  await dropped.execute();
  if (numberIds.length === 0) return;
  await db
    .updateTable('phoneNumbers')
    .set({ campaignId })
    .where('accountId', '=', accountId)
    .where('id', 'in', numberIds)
    .where('status', '=', 'active')
    .execute();
}
