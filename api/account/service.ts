// Accounts: read and changed by their users, plan and overage by an ADMIN of the installation.
import { findAccount, listAccounts, updateAccount } from '../../db/queries/accounts/accounts.ts';
import { postponeSweep } from '../../db/queries/calls/ended/sweeps.ts';
import { hasCurrent } from '../../db/queries/tenant-rows.ts';
import { isoTime } from '../../db/records/resources.ts';
import { monthlyMinutes } from '../../db/rules/minutes.ts';
import type { AccountTable } from '../../db/schema/accounts.ts';
import type { ApiContext } from '../context.ts';
import { type FieldError, invalid, notFound } from '../frame/errors.ts';
import { offsetOf, type PageQuery, pagination } from '../frame/pagination.ts';
import { isZone, NOT_A_ZONE } from '../frame/zones.ts';
import { destinationsColumn, destinationsRecord } from '../spend/destinations.ts';
import { spendLimitsColumn, spendLimitsRecord, spendRecord } from '../spend/spend-limits.ts';
import type { Account, AccountPatch, AdminAccountPatch } from './schema.ts';

/** An older release kept fewer fields. */
const NEW_SETUP: NonNullable<Account['setup']> = {
  step: 'website',
  skipped: [],
  website: null,
  language: null,
  country: null,
  businessId: null,
  agentId: null,
  campaignId: null,
};

async function accountRecord(
  context: ApiContext,
  row: Omit<AccountTable, 'erasedUntil' | 'sweptAt'>,
): Promise<Account> {
  // The writing connection, because a change of this request decides the month.
  const { usedSeconds, limitSeconds, resetsAtMs } = await monthlyMinutes(context.db, row.id, context.now());
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    timezone: row.timezone,
    defaultCampaignId: row.defaultCampaignId,
    overageEnabled: row.overageEnabled === 1,
    destinations: destinationsRecord(row.destinations),
    spendLimits: spendLimitsRecord(row.spendLimits),
    spend: await spendRecord(context.db, row, context.now()),
    retentionDays: row.retentionDays,
    setup: row.setup === null ? null : { ...NEW_SETUP, ...(JSON.parse(row.setup) as Partial<typeof NEW_SETUP>) },
    minutes: {
      used: usedSeconds / 60,
      limit: limitSeconds === null ? null : limitSeconds / 60,
      resetsAt: isoTime(resetsAtMs),
    },
    createdAt: isoTime(row.createdAt),
  };
}

export async function readAccount(context: ApiContext, accountId: string): Promise<Account> {
  const row = await findAccount(context.read, accountId);
  if (!row) throw notFound('Account');
  return accountRecord(context, row);
}

/** @throws {ApiError} 422 for an invalid zone, or a missing or foreign campaign */
export async function changeAccount(context: ApiContext, accountId: string, patch: AccountPatch): Promise<Account> {
  const row = await context.db.transaction().execute(async (tx) => {
    const errors: FieldError[] = [];
    if (patch.timezone !== undefined && !isZone(patch.timezone)) {
      errors.push({ field: 'timezone', message: NOT_A_ZONE });
    }
    if (patch.defaultCampaignId != null && !(await hasCurrent(tx, 'campaigns', accountId, patch.defaultCampaignId))) {
      errors.push({ field: 'defaultCampaignId', message: 'names no campaign' });
    }
    if (errors.length > 0) throw invalid(errors);
    if (Object.keys(patch).length === 0) return findAccount(tx, accountId);
    // The first sweep is in the next night: until then a wrong number of days can be corrected.
    if (patch.retentionDays !== undefined) await postponeSweep(tx, accountId, context.now());
    const { setup, ...columns } = patch;
    const changes = setup === undefined ? columns : { ...columns, setup: setup && JSON.stringify(setup) };
    return updateAccount(tx, accountId, changes);
  });
  if (!row) throw notFound('Account');
  return accountRecord(context, row);
}

export async function everyAccount(context: ApiContext, query: PageQuery) {
  const { rows, total } = await listAccounts(context.read, { limit: query.limit, offset: offsetOf(query) });
  const data: Account[] = [];
  for (const row of rows) data.push(await accountRecord(context, row));
  return { data, pagination: pagination(query.page, query.limit, total) };
}

export async function administerAccount(
  context: ApiContext,
  accountId: string,
  { plan, overageEnabled, destinations, spendLimits }: AdminAccountPatch,
): Promise<Account> {
  const policy = destinationsColumn(destinations);
  const row = await context.db.transaction().execute(async (tx) => {
    const current = await findAccount(tx, accountId);
    if (current === undefined) return undefined;
    const limits = spendLimitsColumn(spendLimits, current.spendLimits);
    const changes = {
      ...(policy === undefined ? {} : { destinations: policy }),
      ...(limits === undefined ? {} : { spendLimits: limits }),
      ...(plan === undefined ? {} : { plan }),
      ...(overageEnabled === undefined ? {} : { overageEnabled: overageEnabled ? (1 as const) : (0 as const) }),
    };
    return Object.keys(changes).length === 0 ? current : updateAccount(tx, accountId, changes);
  });
  if (!row) throw notFound('Account');
  return accountRecord(context, row);
}
