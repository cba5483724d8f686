// Campaigns: created, read, changed, deleted. Their transitions are in transitions.ts.

import { markLeading } from '../../db/queries/businesses/versions.ts';
import { type CampaignStats, campaignStats } from '../../db/queries/calls/stats.ts';
import {
  ACTIVE_STATUSES,
  assignNumbers,
  campaignCounts,
  campaignNumberIds,
  getCampaign,
  insertCampaign,
  listCampaigns,
  moveCampaign,
  newCampaign,
  updateCampaign,
} from '../../db/queries/campaigns/campaigns.ts';
import { dialForecast } from '../../db/queries/dialling/due.ts';
import { type CampaignResource, campaignResource } from '../../db/records/resources.ts';
import type { CampaignStatus, CampaignTable } from '../../db/schema/campaigns.ts';
import type { Db } from '../../db/schema.ts';
import { newId } from '../../db/shared/id.ts';
import { checkTransferDestinations, transferDestinationsColumn } from '../businesses/transfer-destinations.ts';
import type { ApiContext } from '../context.ts';
import type { Auth } from '../frame/app.ts';
import { type FieldError, invalid, notFound, refused } from '../frame/errors.ts';
import { offsetOf, pagination } from '../frame/pagination.ts';
import { isZone, NOT_A_ZONE } from '../frame/zones.ts';
import { requireScope } from '../plugins/auth.ts';
import { checkWishes } from '../results/schema.ts';
import { checkQuota } from '../spend/quotas.ts';
import { checkToolIds } from '../tools/references.ts';
import { checkReferences } from './references.ts';
import type { CampaignCreate, CampaignPatch, CampaignQuery, Preflight } from './schema.ts';
import { checkSplit } from './split.ts';

const INACTIVE_STATUSES: readonly CampaignStatus[] = ['DRAFT', 'PAUSED', 'COMPLETED', 'FAILED'];

/** The records of rows, with the numbers and counts of other tables. */
async function campaignRecords(db: Db, accountId: string, rows: readonly CampaignTable[]): Promise<CampaignResource[]> {
  const ids = rows.map((row) => row.id);
  const numbers = await campaignNumberIds(db, accountId, ids);
  const counts = await campaignCounts(db, accountId, ids);
  return rows.map((row) =>
    campaignResource(row, numbers.get(row.id) ?? [], counts.get(row.id) ?? { contacts: 0, calls: 0 }),
  );
}

export async function campaignRecord(db: Db, row: CampaignTable): Promise<CampaignResource> {
  const [record] = await campaignRecords(db, row.accountId, [row]);
  if (record === undefined) throw new Error('one row makes one record');
  return record;
}

/** The details of a running campaign include a forecast for its waiting contacts. */
export async function campaignDetails(
  { read, now }: ApiContext,
  row: CampaignTable,
): Promise<CampaignResource & { preflight?: Preflight }> {
  const record = await campaignRecord(read, row);
  return row.status === 'RUNNING' ? { ...record, preflight: await dialForecast(read, row, now()) } : record;
}

/** Also finds deleted campaigns, with their `deletedAt`: calls refer to them. */
export async function campaignRow(db: Db, accountId: string, id: string): Promise<CampaignTable> {
  const row = await getCampaign(db, accountId, id);
  if (row === undefined) throw notFound('Campaign');
  return row;
}

/** A campaign for a change. @throws {ApiError} 404, 409 for a deleted one */
export async function liveCampaign(db: Db, accountId: string, id: string): Promise<CampaignTable> {
  const row = await campaignRow(db, accountId, id);
  if (row.deletedAt !== null) throw refused('CAMPAIGN_DELETED', 'Campaign is deleted');
  return row;
}

export async function listCampaignRecords(context: ApiContext, accountId: string, query: CampaignQuery) {
  const { page, limit, status, agentId } = query;
  const filter = { ...(status !== undefined && { status }), ...(agentId !== undefined && { agentId }) };
  const { rows, total } = await listCampaigns(context.read, accountId, filter, { limit, offset: offsetOf(query) });
  return { data: await campaignRecords(context.read, accountId, rows), pagination: pagination(page, limit, total) };
}

export async function readStats(context: ApiContext, accountId: string, id: string): Promise<CampaignStats> {
  await campaignRow(context.read, accountId, id);
  return campaignStats(context.read, accountId, id);
}

const TEXT_COLUMNS = [
  'name',
  'description',
  'agentId',
  'businessId',
  'greetingTemplate',
  'instructions',
  'listeningNotice',
] as const;

/** The columns that a body sets. A partial `voicemail` or `recording` is merged into `current`. */
function columnsOf(body: CampaignPatch, current: CampaignTable | null): Partial<CampaignTable> {
  const { voicemail, recording, callingWindow, scheduledAt } = body;
  const columns: Partial<CampaignTable> = {};
  for (const name of TEXT_COLUMNS) {
    if (body[name] !== undefined) Object.assign(columns, { [name]: body[name] });
  }
  for (const name of ['maxConcurrentCalls', 'maxAttempts', 'retryDelayMinutes'] as const) {
    if (body[name] !== undefined) columns[name] = body[name];
  }
  if (scheduledAt !== undefined) columns.scheduledAt = scheduledAt === null ? null : Date.parse(scheduledAt);
  if (callingWindow !== undefined) {
    columns.callingWindow = callingWindow === null ? null : JSON.stringify(callingWindow);
  }
  const destinations = transferDestinationsColumn(body.destinations);
  if (destinations !== undefined) columns.destinations = destinations;
  for (const name of ['toolIds', 'outputs', 'criteria', 'split'] as const)
    if (body[name] !== undefined) columns[name] = JSON.stringify(body[name]);
  if (voicemail !== undefined) {
    columns.voicemailAction = voicemail.action ?? current?.voicemailAction ?? 'hangup';
    columns.voicemailMessage =
      voicemail.message === undefined ? (current?.voicemailMessage ?? null) : voicemail.message;
  }
  if (recording !== undefined) {
    columns.recordingEnabled = (recording.enabled ?? (current?.recordingEnabled ?? 1) === 1) ? 1 : 0;
    columns.recordingFormat = recording.format ?? current?.recordingFormat ?? 'wav';
  }
  return columns;
}

/** Checks rules that a schema cannot express. @throws {ApiError} 422 */
function checkColumns(
  body: CampaignPatch,
  columns: Partial<CampaignTable>,
  current: CampaignTable | null,
  nowMs: number,
): void {
  const faults: FieldError[] = [];
  const status = current?.status ?? body.status ?? 'DRAFT';
  const { scheduledAt } = columns;
  // An unchanged time may be in the past, because clients send back the record that they read.
  if (typeof scheduledAt === 'number' && scheduledAt <= nowMs && scheduledAt !== current?.scheduledAt) {
    faults.push({ field: 'scheduledAt', message: 'must lie ahead' });
  } else if (status === 'SCHEDULED' && (scheduledAt === undefined ? current === null : scheduledAt === null)) {
    faults.push({ field: 'scheduledAt', message: 'is required with status SCHEDULED' });
  }
  const zone = body.callingWindow?.timezone;
  if (typeof zone === 'string' && !isZone(zone)) {
    faults.push({ field: 'callingWindow.timezone', message: NOT_A_ZONE });
  }
  if (body.callingWindow && body.callingWindow.start === body.callingWindow.end) {
    faults.push({ field: 'callingWindow.end', message: 'must differ from start' });
  }
  if (columns.voicemailAction === 'leave_message' && !columns.voicemailMessage?.trim()) {
    faults.push({ field: 'voicemail.message', message: 'is required with action leave_message' });
  }
  if (faults.length > 0) throw invalid(faults);
}

export async function createCampaign(
  context: ApiContext,
  accountId: string,
  body: CampaignCreate,
): Promise<CampaignResource> {
  await checkWishes(body);
  const nowMs = context.now();
  const columns = columnsOf(body, null);
  checkColumns(body, columns, null, nowMs);
  const row = newCampaign({
    ...columns,
    name: body.name,
    agentId: body.agentId,
    businessId: body.businessId,
    status: body.status ?? 'DRAFT',
    id: newId('cmp'),
    accountId,
    createdAt: nowMs,
  });
  const numberIds = [...new Set(body.phoneNumberIds ?? [])];
  return context.db.transaction().execute(async (trx) => {
    await checkQuota(trx, accountId, 'campaigns');
    await checkReferences(trx, accountId, body, null);
    await checkToolIds(trx, accountId, body.toolIds);
    await checkTransferDestinations(trx, accountId, columns.destinations);
    await checkSplit(trx, accountId, columns, null);
    if (row.status === 'SCHEDULED' && numberIds.length === 0) {
      throw invalid([{ field: 'phoneNumberIds', message: 'must name a number with status SCHEDULED' }]);
    }
    await insertCampaign(trx, accountId, row);
    await assignNumbers(trx, accountId, row.id, numberIds);
    if (row.split !== '[]') await markLeading(trx, agentVersions(row), nowMs);
    return campaignRecord(trx, row);
  });
}

/** When and how often the people of a campaign are called. */
const PACE_COLUMNS = [
  'scheduledAt',
  'callingWindow',
  'maxConcurrentCalls',
  'maxAttempts',
  'retryDelayMinutes',
] as const satisfies readonly (keyof CampaignTable)[];

/** @throws {ApiError} 403 without the scope `call`, where the pace of an active campaign is changed */
function checkPace(auth: Auth, current: CampaignTable, columns: Partial<CampaignTable>): void {
  if (!ACTIVE_STATUSES.includes(current.status)) return;
  const isChanged = PACE_COLUMNS.some((name) => columns[name] !== undefined && columns[name] !== current[name]);
  if (isChanged) requireScope(auth, 'call');
}

export async function patchCampaign(
  context: ApiContext,
  auth: Auth,
  id: string,
  body: CampaignPatch,
): Promise<CampaignResource> {
  const { accountId } = auth;
  await checkWishes(body);
  return context.db.transaction().execute(async (trx) => {
    const current = await liveCampaign(trx, accountId, id);
    const columns = columnsOf(body, current);
    checkPace(auth, current, columns);
    checkColumns(body, columns, current, context.now());
    // Only changed references are checked: others may have been deleted or deactivated since.
    const { agentId, businessId, phoneNumberIds } = body;
    await checkReferences(
      trx,
      accountId,
      {
        ...(agentId !== undefined && agentId !== current.agentId && { agentId }),
        ...(businessId !== undefined && businessId !== current.businessId && { businessId }),
        ...(phoneNumberIds !== undefined && { phoneNumberIds }),
      },
      id,
    );
    if (columns.toolIds !== undefined && columns.toolIds !== current.toolIds)
      await checkToolIds(trx, accountId, body.toolIds);
    if (columns.destinations !== current.destinations)
      await checkTransferDestinations(trx, accountId, columns.destinations);
    await checkSplit(trx, accountId, columns, current);
    if (body.status !== undefined && body.status !== current.status) {
      throw refused(
        'CAMPAIGN_STATUS_READ_ONLY',
        `Campaign is ${current.status}; its status is changed by start, pause and resume`,
      );
    }
    if (phoneNumberIds !== undefined) {
      if (phoneNumberIds.length === 0 && ACTIVE_STATUSES.includes(current.status)) {
        throw refused('CAMPAIGN_NEEDS_NUMBER', `Campaign is ${current.status} and needs a phone number`);
      }
      await assignNumbers(trx, accountId, id, [...new Set(phoneNumberIds)]);
    }
    const row = Object.keys(columns).length === 0 ? current : await updateCampaign(trx, accountId, id, columns);
    if (row === undefined) throw refused('CAMPAIGN_DELETED', 'Campaign is deleted');
    if (row.split !== current.split) {
      await markLeading(trx, agentVersions(current), context.now());
      await markLeading(trx, agentVersions(row), context.now());
    }
    return campaignRecord(trx, row);
  });
}

const agentVersions = ({ accountId, agentId }: CampaignTable) =>
  ({ accountId, subject: 'agent', subjectId: agentId }) as const;

/** Deletes a campaign softly; its numbers become unassigned. */
export async function deleteCampaign(context: ApiContext, accountId: string, id: string): Promise<CampaignResource> {
  return context.db.transaction().execute(async (trx) => {
    const current = await liveCampaign(trx, accountId, id);
    const row = await moveCampaign(trx, accountId, id, INACTIVE_STATUSES, { deletedAt: context.now() });
    if (row === undefined) throw refused('CAMPAIGN_ACTIVE', `Campaign is ${current.status}; pause it first`);
    await assignNumbers(trx, accountId, id, []);
    if (row.split !== '[]') await markLeading(trx, agentVersions(row), context.now());
    return campaignRecord(trx, row);
  });
}
