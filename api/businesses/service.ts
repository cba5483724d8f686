// Businesses: read, changed with an audit log, deleted softly and restored.

import {
  getBusiness,
  insertBusiness,
  listBusinessAudit,
  listBusinesses,
  setBusinessDeleted,
  updateBusiness,
} from '../../db/queries/businesses/businesses.ts';
import { drafted, draftsOf, getDraft } from '../../db/queries/businesses/drafts.ts';
import { pauseCampaignsOfBusiness } from '../../db/queries/campaigns/campaigns.ts';
import { isoTime } from '../../db/records/resources.ts';
import type { BusinessTable } from '../../db/schema/businesses.ts';
import type { Db } from '../../db/schema.ts';
import { newId } from '../../db/shared/id.ts';
import { type AuditAction, audit } from '../audit/business-log.ts';
import type { ApiContext } from '../context.ts';
import type { Actor } from '../frame/app.ts';
import { type ApiError, notFound, refused } from '../frame/errors.ts';
import { offsetOf, type PageQuery, pagination } from '../frame/pagination.ts';
import { noticeColumns } from '../notices/rules.ts';
import { checkWishes } from '../results/schema.ts';
import { checkQuota } from '../spend/quotas.ts';
import { checkTargets } from '../spend/targets.ts';
import { checkToolIds } from '../tools/references.ts';
import { editing, keepDraft, keepVersion } from '../versions/keep.ts';
import { lookupColumns } from './lookup.ts';
import {
  BUSINESS_DEFAULTS,
  businessChanges,
  businessColumns,
  businessRecord,
  currencyColumn,
  endpointingOf,
  silenceColumns,
} from './record.ts';
import { checkBusiness } from './rules.ts';
import type { AuditRecord, BusinessCreate, BusinessPatch, BusinessRecord } from './schema.ts';
import { checkTransferDestinations } from './transfer-destinations.ts';
import { businessVersion } from './version.ts';

export async function listBusinessRecords(context: ApiContext, accountId: string, query: PageQuery) {
  const { rows, total } = await listBusinesses(context.read, accountId, {
    limit: query.limit,
    offset: offsetOf(query),
  });
  const drafts = await draftsOf(
    context.read,
    accountId,
    rows.map(({ id }) => id),
  );
  return {
    data: rows.map((row) => businessRecord(drafted(row, drafts.get(row.id)), drafts.get(row.id)?.number)),
    pagination: pagination(query.page, query.limit, total),
  };
}

/** Also finds deleted businesses, with their `deletedAt`: they can be restored. */
export async function businessRow(db: Db, accountId: string, id: string): Promise<BusinessTable> {
  const row = await getBusiness(db, accountId, id);
  if (row === undefined) throw notFound('Business');
  return row;
}

/** One that may be changed. @throws {ApiError} 404, 409 */
export async function liveBusiness(db: Db, accountId: string, id: string): Promise<BusinessTable> {
  const row = await businessRow(db, accountId, id);
  if (row.deletedAt !== null) throw businessDeleted();
  return row;
}

export const businessDeleted = (): ApiError => refused('BUSINESS_DELETED', 'Business is deleted');

/** As it will be when its draft is published, with the number of that. @throws {ApiError} 404 */
export async function businessWithDraft(
  db: Db,
  accountId: string,
  id: string,
): Promise<{ row: BusinessTable; draft: number | null }> {
  const live = await businessRow(db, accountId, id);
  const draft = await getDraft(db, accountId, id);
  return { row: drafted(live, draft), draft: draft?.number ?? null };
}

export async function createBusiness(context: ApiContext, actor: Actor, body: BusinessCreate): Promise<BusinessRecord> {
  await checkWishes(body);
  const id = newId('biz');
  const columns = {
    ...businessColumns(checkBusiness(body)),
    ...silenceColumns(body, null),
    ...lookupColumns(context, id, body, BUSINESS_DEFAULTS),
    ...noticeColumns(context, id, body.notify, BUSINESS_DEFAULTS),
  };
  const row: BusinessTable = {
    ...BUSINESS_DEFAULTS,
    ...columns,
    name: body.name,
    timezone: body.timezone,
    id,
    accountId: actor.accountId,
    createdAt: context.now(),
    deletedAt: null,
    version: 1,
  };
  await context.db.transaction().execute(async (trx) => {
    await checkQuota(trx, actor.accountId, 'businesses');
    await checkTransferNumber(trx, actor.accountId, row.transferNumber);
    await checkTransferDestinations(trx, actor.accountId, columns.destinations);
    await checkToolIds(trx, actor.accountId, body.toolIds);
    await insertBusiness(trx, actor.accountId, row);
    const changes = Object.fromEntries(
      Object.entries(businessRecord(row))
        .filter(([name]) => name in columns)
        .map(([name, to]) => [name, { from: null, to }]),
    );
    await audit(trx, actor, row.id, 'created', changes, row.createdAt);
    await keepVersion(trx, actor, {
      subject: 'business',
      before: null,
      after: await businessVersion(trx, row),
      nowMs: row.createdAt,
    });
  });
  return businessRecord(row);
}

/** Changes the given fields; only real differences are written to the audit log. */
export async function patchBusiness(
  context: ApiContext,
  actor: Actor,
  id: string,
  body: BusinessPatch,
  action: AuditAction = 'updated',
  restoredFrom: number | null = null,
): Promise<BusinessRecord> {
  await checkWishes(body);
  const sent = businessColumns(checkBusiness(body));
  return context.db.transaction().execute(async (trx) => {
    const live = await liveBusiness(trx, actor.accountId, id);
    const { drafts = live.drafts, ...plain } = sent;
    const of = await editing(trx, 'business', await withDrafts(trx, actor, live, drafts, context.now()));
    const current = of.row;
    const number = of.draft?.number ?? null;
    const columns = {
      ...plain,
      ...currencyColumn(body, current),
      ...silenceColumns(body, current),
      ...lookupColumns(context, id, body, current),
      ...noticeColumns(context, id, body.notify, current),
    };
    const changes = businessChanges(current, columns);
    const endpointing = endpointingOf({ ...current, ...columns });
    if (endpointing !== endpointingOf(current)) changes.endpointing = { from: endpointingOf(current), to: endpointing };
    const isResealed = columns.lookupHeadersSealed !== undefined || columns.notifySealed !== undefined;
    if (Object.keys(changes).length === 0 && !isResealed) return businessRecord(current, number);
    await checkColumns(trx, actor.accountId, current, columns);
    const before = await businessVersion(trx, current, number);
    const change = { subject: 'business', before, nowMs: context.now(), restoredFrom } as const;
    if (of.isDraft) {
      await audit(trx, actor, id, action === 'updated' ? 'draft-updated' : action, changes, context.now());
      const recordOf = (row: BusinessTable, draft: number | null) => businessVersion(trx, row, draft);
      const { row, draft } = await keepDraft(trx, actor, { ...change, of, columns, recordOf });
      return businessRecord(row, draft);
    }
    const row = await updateBusiness(trx, actor.accountId, id, columns);
    if (row === undefined) throw businessDeleted();
    await audit(trx, actor, id, action, changes, context.now());
    await keepVersion(trx, actor, { ...change, after: await businessVersion(trx, row) });
    return businessRecord(await businessRow(trx, actor.accountId, id));
  });
}

/** Whether its changes are drafts is no draft itself. */
async function withDrafts(
  trx: Db,
  actor: Actor,
  live: BusinessTable,
  drafts: BusinessTable['drafts'],
  nowMs: number,
): Promise<BusinessTable> {
  if (drafts === live.drafts) return live;
  await updateBusiness(trx, actor.accountId, live.id, { drafts });
  await audit(trx, actor, live.id, 'updated', businessChanges(live, { drafts }), nowMs);
  return { ...live, drafts };
}

/** References of columns that differ. @throws {ApiError} 422 */
async function checkColumns(
  trx: Db,
  accountId: string,
  before: BusinessTable,
  { transferNumber, destinations, toolIds }: Partial<BusinessTable>,
): Promise<void> {
  if (transferNumber !== before.transferNumber) await checkTransferNumber(trx, accountId, transferNumber);
  if (destinations !== before.destinations) await checkTransferDestinations(trx, accountId, destinations);
  if (toolIds !== undefined && toolIds !== before.toolIds)
    await checkToolIds(trx, accountId, JSON.parse(toolIds) as string[]);
}

/** Makes the columns of its draft what calls obey. @throws {ApiError} 409; 422 for a reference that is gone */
export async function publishBusiness(
  trx: Db,
  actor: Actor,
  id: string,
  columns: Partial<BusinessTable>,
  nowMs: number,
): Promise<void> {
  const live = await businessRow(trx, actor.accountId, id);
  await checkColumns(trx, actor.accountId, live, columns);
  if ((await updateBusiness(trx, actor.accountId, id, columns)) === undefined) throw businessDeleted();
  await audit(trx, actor, id, 'published', businessChanges(live, columns), nowMs);
}

/** @throws {ApiError} 422 for a softphone of another account, or a number that may not be called */
async function checkTransferNumber(db: Db, accountId: string, target: string | null | undefined): Promise<void> {
  if (target != null) await checkTargets(db, accountId, [{ field: 'transferNumber', target }]);
}

/** Soft delete; its active campaigns become PAUSED. */
export async function deleteBusiness(context: ApiContext, actor: Actor, id: string): Promise<BusinessRecord> {
  const nowMs = context.now();
  return context.db.transaction().execute(async (trx) => {
    await businessRow(trx, actor.accountId, id);
    const row = await setBusinessDeleted(trx, actor.accountId, id, nowMs);
    if (row === undefined) throw businessDeleted();
    await pauseCampaignsOfBusiness(trx, actor.accountId, id);
    await audit(trx, actor, id, 'deleted', { deletedAt: { from: null, to: isoTime(nowMs) } }, nowMs);
    return businessRecord(row);
  });
}

export async function restoreBusiness(context: ApiContext, actor: Actor, id: string): Promise<BusinessRecord> {
  return context.db.transaction().execute(async (trx) => {
    const current = await businessRow(trx, actor.accountId, id);
    if (current.deletedAt === null) throw refused('BUSINESS_NOT_DELETED', 'Business is not deleted');
    const row = await setBusinessDeleted(trx, actor.accountId, id, null);
    if (row === undefined) throw refused('BUSINESS_NOT_DELETED', 'Business is not deleted');
    const changes = { deletedAt: { from: isoTime(current.deletedAt), to: null } };
    await audit(trx, actor, id, 'restored', changes, context.now());
    const restored = await businessWithDraft(trx, actor.accountId, id);
    return businessRecord(restored.row, restored.draft);
  });
}

export async function listAudit(context: ApiContext, accountId: string, id: string, query: PageQuery) {
  await businessRow(context.read, accountId, id);
  const { rows, total } = await listBusinessAudit(context.read, accountId, id, {
    limit: query.limit,
    offset: offsetOf(query),
  });
  const data: AuditRecord[] = rows.map((row) => ({
    id: row.id,
    actor: row.actor,
    action: row.action,
    changes: JSON.parse(row.changes),
    createdAt: isoTime(row.createdAt),
  }));
  return { data, pagination: pagination(query.page, query.limit, total) };
}
