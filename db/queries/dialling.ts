// The data for the dialler's plan and for a campaign's preflight: due contacts, and what prevents calls. A plan uses a
// snapshot; dial-claims.ts repeats every check.
import type { CampaignTable } from '../schema/campaigns.ts';
import type { Db } from '../sqlite.ts';
import { contactCounts, countListedContacts } from './contacts.ts';
import { minutesAreUsedUp } from './minutes.ts';

/** Due contacts read per campaign; the rest are read next time. */
const DUE_MAX = 200;
const DUE_MIN = 50;

export interface DueContact {
  id: string;
  phoneNumber: string;
  /** On the account's do-not-call list. */
  isListed: boolean;
}

export interface CallingNumber {
  id: string;
  phoneNumber: string;
  trunkId: string | null;
}

export interface DiallingCampaign {
  id: string;
  accountId: string;
  maxConcurrentCalls: number;
  /** As stored, null for the default. */
  callingWindow: string | null;
  /** The business's zone, for numbers that imply none. */
  timezone: string;
  numbers: CallingNumber[];
  /** Calls to its contacts that are under way. */
  running: number;
  /** Calls so far, which rotate its numbers. */
  placed: number;
  hasMinutes: boolean;
  /** The first that are due: scheduled retries before contacts never tried. */
  due: DueContact[];
  /** There may be more due than `due` holds. */
  hasMoreDue: boolean;
  /** When the next of the others becomes due. */
  nextDueAt: number | null;
}

export interface DiallingSnapshot {
  /** RUNNING campaigns with contacts to call. */
  campaigns: DiallingCampaign[];
  /** Calls under way by trunk, either direction. */
  trunkCalls: Map<string, number>;
  /** When the next SCHEDULED campaign is to start. */
  nextStartAt: number | null;
  /** There are RUNNING campaigns whose contacts are all finished. */
  hasFinished: boolean;
  hasTrunk: boolean;
}

/** The data for the dialler's plan. Costs a few indexed reads for each campaign that has contacts to call. */
export async function readDialling(db: Db, nowMs: number): Promise<DiallingSnapshot> {
  const open = await db
    .selectFrom('calls')
    .select(['trunkId', 'campaignId', 'contactId'])
    .where('endedAt', 'is', null)
    .execute();
  const trunkCalls = new Map<string, number>();
  const running = new Map<string, number>();
  for (const { trunkId, campaignId, contactId } of open) {
    if (trunkId !== null) trunkCalls.set(trunkId, (trunkCalls.get(trunkId) ?? 0) + 1);
    if (contactId !== null) running.set(campaignId, (running.get(campaignId) ?? 0) + 1);
  }
  const active = await runningCampaigns(db);
  const minutes = new Map<string, boolean>();
  const campaigns: DiallingCampaign[] = [];
  for (const row of active) {
    if (row.pending === 0) continue;
    if (!minutes.has(row.accountId)) minutes.set(row.accountId, !(await minutesAreUsedUp(db, row.accountId, nowMs)));
    campaigns.push(
      await readCampaign(db, row, { nowMs, running: running.get(row.id) ?? 0, hasMinutes: minutes.get(row.accountId) }),
    );
  }
  const next = await db
    .selectFrom('campaigns')
    .select((eb) => eb.fn.min('scheduledAt').as('at'))
    .where('status', '=', 'SCHEDULED')
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  return {
    campaigns,
    trunkCalls,
    nextStartAt: next?.at ?? null,
    hasFinished: active.some((row) => row.total > 0 && row.pending + row.calling + (running.get(row.id) ?? 0) === 0),
    hasTrunk: await hasTrunk(db),
  };
}

export type RunningCampaign = Pick<CampaignTable, 'id' | 'accountId' | 'maxConcurrentCalls' | 'callingWindow'> & {
  timezone: string | null;
  pending: number;
  calling: number;
  total: number;
};

/** RUNNING campaigns with their numbers of waiting contacts, contacts on a call, and all contacts. */
export async function runningCampaigns(db: Db): Promise<RunningCampaign[]> {
  const rows = await db
    .selectFrom('campaigns')
    .leftJoin('businesses', 'businesses.id', 'campaigns.businessId')
    .leftJoin('contactCounts', 'contactCounts.campaignId', 'campaigns.id')
    .select([
      'campaigns.id',
      'campaigns.accountId',
      'campaigns.maxConcurrentCalls',
      'campaigns.callingWindow',
      'businesses.timezone',
      'contactCounts.status as contactStatus',
      'contactCounts.total as contactTotal',
    ])
    .where('campaigns.status', '=', 'RUNNING')
    .where('campaigns.deletedAt', 'is', null)
    .orderBy('campaigns.id')
    .execute();
  const byId = new Map<string, RunningCampaign>();
  for (const { contactStatus, contactTotal, ...row } of rows) {
    const campaign = byId.get(row.id) ?? { ...row, pending: 0, calling: 0, total: 0 };
    byId.set(row.id, campaign);
    const count = contactTotal ?? 0;
    campaign.total += count;
    if (contactStatus === 'PENDING') campaign.pending += count;
    if (contactStatus === 'CALLING') campaign.calling += count;
  }
  return [...byId.values()];
}

async function readCampaign(
  db: Db,
  row: RunningCampaign,
  state: { nowMs: number; running: number; hasMinutes: boolean | undefined },
): Promise<DiallingCampaign> {
  const { nowMs, running } = state;
  const numbers = await db
    .selectFrom('phoneNumbers')
    .select(['id', 'phoneNumber', 'trunkId'])
    .where('campaignId', '=', row.id)
    .where('status', '=', 'active')
    .where('isActive', '=', 1)
    .orderBy('id')
    .execute();
  const totals = await db
    .selectFrom('campaignTotals')
    .select('calls')
    .where('campaignId', '=', row.id)
    .executeTakeFirst();
  const room = row.maxConcurrentCalls - running;
  // A full campaign is checked again when one of its calls ends.
  const limit = room > 0 ? Math.min(DUE_MAX, Math.max(DUE_MIN, 2 * room)) : 0;
  const due = limit > 0 ? await dueContacts(db, row, nowMs, limit) : [];
  const later =
    limit > 0
      ? await db
          .selectFrom('contacts')
          .select('nextAttemptAt')
          .where('campaignId', '=', row.id)
          .where('status', '=', 'PENDING')
          .where('nextAttemptAt', '>', nowMs)
          .orderBy('nextAttemptAt')
          .limit(1)
          .executeTakeFirst()
      : undefined;
  return {
    id: row.id,
    accountId: row.accountId,
    maxConcurrentCalls: row.maxConcurrentCalls,
    callingWindow: row.callingWindow,
    timezone: row.timezone ?? 'UTC',
    numbers,
    running,
    placed: totals?.calls ?? 0,
    hasMinutes: state.hasMinutes ?? false,
    due,
    hasMoreDue: limit > 0 && due.length >= limit,
    nextDueAt: later?.nextAttemptAt ?? null,
  };
}

/** Two reads, each in index order: a single one would sort all due contacts. */
async function dueContacts(
  db: Db,
  campaign: { id: string; accountId: string },
  nowMs: number,
  limit: number,
): Promise<DueContact[]> {
  const pending = db
    .selectFrom('contacts')
    .leftJoin('doNotCall', (join) =>
      join
        .onRef('doNotCall.phoneNumber', '=', 'contacts.phoneNumber')
        .on('doNotCall.accountId', '=', campaign.accountId),
    )
    .select(['contacts.id', 'contacts.phoneNumber', 'doNotCall.id as listedId'])
    .where('contacts.campaignId', '=', campaign.id)
    .where('contacts.status', '=', 'PENDING');
  const promised = await pending
    .where('contacts.nextAttemptAt', '<=', nowMs)
    .orderBy('contacts.nextAttemptAt')
    .limit(limit)
    .execute();
  const rest = limit - promised.length;
  const fresh = rest > 0 ? await pending.where('contacts.nextAttemptAt', 'is', null).limit(rest).execute() : [];
  return [...promised, ...fresh].map(({ id, phoneNumber, listedId }) => ({
    id,
    phoneNumber,
    isListed: listedId !== null,
  }));
}

/** Whether any trunk is configured. */
export async function hasTrunk(db: Db): Promise<boolean> {
  const row = await db.selectFrom('trunks').select('id').where('deletedAt', 'is', null).limit(1).executeTakeFirst();
  return row !== undefined;
}

/** What would happen to the waiting contacts now: `preflight` of a start. */
export async function dialForecast(
  db: Db,
  campaign: Pick<CampaignTable, 'id' | 'accountId'>,
  nowMs: number,
): Promise<{ willCall: number; willSkip: Record<string, number> }> {
  const counts = await contactCounts(db, campaign.accountId, campaign.id);
  const listed = await countListedContacts(db, campaign.accountId, campaign.id);
  const willSkip: Record<string, number> = {};
  const doNotCall = (counts.get('DO_NOT_CALL') ?? 0) + listed;
  if (doNotCall > 0) willSkip.do_not_call = doNotCall;
  const waiting = (counts.get('PENDING') ?? 0) - listed;
  if (waiting === 0) return { willCall: 0, willSkip };
  if (!(await hasTrunk(db))) return { willCall: 0, willSkip: { ...willSkip, no_trunk: waiting } };
  if (await minutesAreUsedUp(db, campaign.accountId, nowMs)) {
    return { willCall: 0, willSkip: { ...willSkip, minutes: waiting } };
  }
  return { willCall: waiting, willSkip };
}
