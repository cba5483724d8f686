// The data for the dialler's plan and for a campaign's preflight: due contacts, and the obstacles to calls. A plan uses
// a snapshot; dial-claims.ts repeats every check.

import { callShares, isOwnCall } from '../../rules/call-share.ts';
import { campaignDestinationRules, contactFault } from '../../rules/destinations.ts';
import { allowanceIsUsedUp, minutesAreUsedUp } from '../../rules/minutes.ts';
import { accountStop, installationStop, spendStop } from '../../rules/spend.ts';
import type { AccountTable } from '../../schema/accounts.ts';
import type { CampaignTable } from '../../schema/campaigns.ts';
import type { Db } from '../../schema.ts';
import { compiledStatement, runText } from '../../statements/compiled-statement.ts';
import { contactCounts, countListedContacts } from '../campaigns/contacts.ts';
import { hasCallingNumber } from '../numbers/calling-numbers.ts';
import { hasTrunkUp } from '../trunks/trunk-states.ts';

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
  /** Running calls to its contacts. */
  running: number;
  /** Calls so far; they rotate its numbers. */
  placed: number;
  /** Why its contacts wait for their account. */
  held: 'minutes' | 'spend' | null;
  /** Contacts that wait, due or not. */
  pending: number;
  /** The first due contacts: scheduled retries before untried contacts. Null: not read (`readDue`). */
  due: DueContact[] | null;
  /** More contacts may be due than `due` contains. */
  hasMoreDue: boolean;
  /** When the next of the other contacts becomes due. */
  nextDueAt: number | null;
}

export interface DiallingSnapshot {
  /** RUNNING campaigns with contacts to call. */
  campaigns: DiallingCampaign[];
  /** Calls that an account may still begin, of those that share; absent: as many as it likes. */
  accountRooms: Map<string, number>;
  /** Calls under way by trunk, either direction. */
  trunkCalls: Map<string, number>;
  /** When the next SCHEDULED campaign is to start. */
  nextStartAt: number | null;
  /** Some RUNNING campaign has only finished contacts. */
  hasFinished: boolean;
  hasTrunk: boolean;
}

/**
 * The data for the dialler's plan but for the due contacts. A few statements, however many campaigns there are.
 * `maxCalls`: the engine's places.
 */
export async function readDialling(db: Db, nowMs: number, maxCalls: number): Promise<DiallingSnapshot> {
  const [open, active, ofCampaigns, [next], hasAnyTrunk] = await Promise.all([
    readOpenCalls(db, {}),
    runningCampaigns(db),
    campaignNumbers(db),
    readNextStart(db, {}),
    hasTrunk(db),
  ]);
  const trunkCalls = new Map<string, number>();
  const running = new Map<string, number>();
  const own = new Map<string, number>();
  for (const call of open) {
    const { trunkId, campaignId, contactId, accountId } = call;
    if (isOwnCall(call)) own.set(accountId, (own.get(accountId) ?? 0) + 1);
    if (trunkId !== null) trunkCalls.set(trunkId, (trunkCalls.get(trunkId) ?? 0) + 1);
    if (contactId !== null) running.set(campaignId, (running.get(campaignId) ?? 0) + 1);
  }
  const numbers = Map.groupBy(ofCampaigns, ({ campaignId }) => campaignId);
  const waiting = active.filter(({ pending }) => pending > 0);
  const accounts = new Map(waiting.map((row) => [row.accountId, row]));
  const [held, sharing] = await Promise.all([
    heldBack(db, accounts, nowMs),
    callShares(db, [...accounts.keys()], maxCalls, nowMs),
  ]);
  const accountRooms = new Map<string, number>();
  for (const accountId of sharing?.accountIds ?? [])
    accountRooms.set(accountId, Math.max(0, (sharing?.share.places ?? 0) - (own.get(accountId) ?? 0)));
  const campaigns = waiting.map(
    (row): DiallingCampaign => ({
      id: row.id,
      accountId: row.accountId,
      maxConcurrentCalls: row.maxConcurrentCalls,
      callingWindow: row.callingWindow,
      timezone: row.timezone ?? 'UTC',
      numbers: numbers.get(row.id) ?? [],
      running: running.get(row.id) ?? 0,
      placed: row.placed,
      held: held.get(row.accountId) ?? null,
      pending: row.pending,
      due: null,
      hasMoreDue: false,
      nextDueAt: null,
    }),
  );
  return {
    campaigns,
    accountRooms,
    trunkCalls,
    nextStartAt: next?.at ?? null,
    hasFinished: active.some((row) => row.total > 0 && row.pending + row.calling + (running.get(row.id) ?? 0) === 0),
    hasTrunk: hasAnyTrunk,
  };
}

/** Why the contacts of each account wait. */
async function heldBack(
  db: Db,
  accounts: ReadonlyMap<string, RunningCampaign>,
  nowMs: number,
): Promise<Map<string, DiallingCampaign['held']>> {
  const stop = accounts.size === 0 ? null : await installationStop(db, nowMs);
  const held = async (accountId: string, { allowance }: RunningCampaign): Promise<DiallingCampaign['held']> => {
    if (stop !== null) return 'spend';
    if (await allowanceIsUsedUp(db, accountId, allowance, nowMs)) return 'minutes';
    return (await accountStop(db, { ...allowance, id: accountId }, nowMs)) === null ? null : 'spend';
  };
  return new Map(await Promise.all([...accounts].map(async ([id, row]) => [id, await held(id, row)] as const)));
}

const readOpenCalls = compiledStatement((db) =>
  db
    .selectFrom('calls')
    .select(['trunkId', 'campaignId', 'contactId', 'accountId', 'direction', 'medium'])
    .where('endedAt', 'is', null),
);
const readNextStart = compiledStatement((db) =>
  db
    .selectFrom('campaigns')
    .select((eb) => eb.fn.min('scheduledAt').as('at'))
    .where('status', '=', 'SCHEDULED')
    .where('deletedAt', 'is', null),
);

export type RunningCampaign = Pick<CampaignTable, 'id' | 'accountId' | 'maxConcurrentCalls' | 'callingWindow'> & {
  timezone: string | null;
  allowance: Pick<AccountTable, 'plan' | 'timezone' | 'overageEnabled' | 'spendLimits'>;
  pending: number;
  calling: number;
  total: number;
  /** Calls so far. */
  placed: number;
};

type RunningRow = Omit<RunningCampaign, 'allowance'> & {
  plan: AccountTable['plan'];
  accountTimezone: string;
  overageEnabled: AccountTable['overageEnabled'];
  spendLimits: AccountTable['spendLimits'];
};

const RUNNING_CAMPAIGNS = `
  select campaigns.id, campaigns.account_id as "accountId", max_concurrent_calls as "maxConcurrentCalls",
    calling_window as "callingWindow", businesses.timezone, accounts.plan, accounts.timezone as "accountTimezone",
    accounts.overage_enabled as "overageEnabled", accounts.spend_limits as "spendLimits", coalesce(totals.calls, 0) as placed,
    coalesce(kept.pending, 0) as pending, coalesce(kept.calling, 0) as calling, coalesce(kept.total, 0) as total
  from campaigns
  join accounts on accounts.id = campaigns.account_id
  left join businesses on businesses.id = campaigns.business_id
  left join campaign_totals_now totals on totals.campaign_id = campaigns.id
  left join (
    select campaign_id, sum(case when status = 'PENDING' then total else 0 end) as pending,
      sum(case when status = 'CALLING' then total else 0 end) as calling, sum(total) as total
    from contact_counts_now group by campaign_id
  ) kept on kept.campaign_id = campaigns.id
  where campaigns.status = 'RUNNING' and campaigns.deleted_at is null order by campaigns.id`;

/** RUNNING campaigns with their numbers of waiting contacts, contacts on a call, and all contacts. */
export async function runningCampaigns(db: Db): Promise<RunningCampaign[]> {
  const rows = await runText<RunningRow>(db, 'running-campaigns', () => RUNNING_CAMPAIGNS, []);
  return rows.map(({ plan, accountTimezone, overageEnabled, spendLimits, ...row }) => ({
    ...row,
    allowance: { plan, timezone: accountTimezone, overageEnabled, spendLimits },
  }));
}

/** Numbers of RUNNING campaigns that may place calls, in the order of rotation. */
function campaignNumbers(db: Db): Promise<Array<CallingNumber & { campaignId: string }>> {
  return runText(
    db,
    'campaign-numbers',
    () =>
      `select phone_numbers.id, phone_number as "phoneNumber", trunk_id as "trunkId", campaign_id as "campaignId"
       from campaigns join phone_numbers on phone_numbers.campaign_id = campaigns.id
       where campaigns.status = 'RUNNING' and campaigns.deleted_at is null
         and phone_numbers.status = 'active' and is_active = 1
       order by phone_numbers.id`,
    [],
  );
}

const readFresh = compiledStatement(
  (db, { campaignId, accountId, limit }: { campaignId: string; accountId: string; limit: number }) =>
    db
      .selectFrom('contacts')
      .leftJoin('doNotCall', (join) =>
        join.onRef('doNotCall.phoneNumber', '=', 'contacts.phoneNumber').on('doNotCall.accountId', '=', accountId),
      )
      .select(['contacts.id', 'contacts.phoneNumber', 'doNotCall.id as listedId'])
      .where('contacts.campaignId', '=', campaignId)
      .where('contacts.status', '=', 'PENDING')
      .where('contacts.nextAttemptAt', 'is', null)
      .limit(limit),
);

const PENDING = `contacts left join do_not_call
  on do_not_call.phone_number = contacts.phone_number and do_not_call.account_id = ?
  where contacts.campaign_id = ? and contacts.status = 'PENDING'`;
/** Each part in the order of the index: one without parts would sort all due contacts. */
const DUE = `
  select * from (select 0 as part, contacts.id, contacts.phone_number as "phoneNumber", do_not_call.id as "listedId",
    next_attempt_at as "nextAttemptAt" from ${PENDING} and next_attempt_at <= ? order by next_attempt_at limit ?) as promised
  union all
  select * from (select 1, contacts.id, contacts.phone_number, do_not_call.id, next_attempt_at
    from ${PENDING} and next_attempt_at is null limit ?) as fresh
  union all
  select * from (select 2, '', '', '', next_attempt_at from contacts
    where campaign_id = ? and status = 'PENDING' and next_attempt_at > ? order by next_attempt_at limit 1) as later`;

interface DueRow {
  /** Promised, fresh, or the next of the others. */
  part: number;
  id: string;
  phoneNumber: string;
  listedId: string | null;
  nextAttemptAt: number | null;
}

/**
 * Reads a campaign's due contacts into the snapshot. A full campaign has none: it is read when one of its calls ends.
 */
export async function readDue(db: Db, campaign: DiallingCampaign, nowMs: number): Promise<void> {
  const { id: campaignId, accountId } = campaign;
  campaign.due = [];
  const room = campaign.maxConcurrentCalls - campaign.running;
  if (room <= 0) return;
  const limit = Math.min(DUE_MAX, Math.max(DUE_MIN, 2 * room));
  const rows = await runText<DueRow>(db, 'due-contacts', () => DUE, [
    ...[accountId, campaignId, nowMs, limit],
    ...[accountId, campaignId, limit],
    ...[campaignId, nowMs],
  ]);
  const of = (part: number): DueRow[] => rows.filter((row) => row.part === part);
  campaign.due = [...of(0), ...of(1)].slice(0, limit).map(({ id, phoneNumber, listedId }) => ({
    id,
    phoneNumber,
    isListed: listedId !== null,
  }));
  campaign.hasMoreDue = campaign.due.length >= limit;
  campaign.nextDueAt = of(2)[0]?.nextAttemptAt ?? null;
}

/** Whether any trunk is configured. */
export async function hasTrunk(db: Db): Promise<boolean> {
  const row = await db.selectFrom('trunks').select('id').where('deletedAt', 'is', null).limit(1).executeTakeFirst();
  return row !== undefined;
}

/** A forecast for the waiting contacts: `preflight` of a start. */
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
  if (!(await hasCallingNumber(db, campaign.id))) return { willCall: 0, willSkip: { ...willSkip, numbers: waiting } };
  if (!(await hasTrunkUp(db, campaign.id))) return { willCall: 0, willSkip: { ...willSkip, trunk_down: waiting } };
  if (await minutesAreUsedUp(db, campaign.accountId, nowMs)) {
    return { willCall: 0, willSkip: { ...willSkip, minutes: waiting } };
  }
  if ((await spendStop(db, campaign.accountId, nowMs)) !== null) {
    return { willCall: 0, willSkip: { ...willSkip, spend: waiting } };
  }
  return { willCall: waiting, willSkip };
}

/** Contacts that a start checks: 10 us each, and an import has checked all of them before. */
const LOOKED_AT_MAX = 5_000;

/** The same without the contacts that changed rules of destinations now forbid. */
export async function dialForecastByDestination(
  db: Db,
  campaign: Pick<CampaignTable, 'id' | 'accountId'>,
  nowMs: number,
): ReturnType<typeof dialForecast> {
  const { willCall, willSkip } = await dialForecast(db, campaign, nowMs);
  if (willCall === 0) return { willCall, willSkip };
  const { id: campaignId, accountId } = campaign;
  const rules = await campaignDestinationRules(db, { accountId, campaignId });
  const waiting = await readFresh(db, { campaignId, accountId, limit: LOOKED_AT_MAX });
  const destination = waiting.filter(
    ({ phoneNumber, listedId }) => listedId === null && contactFault(phoneNumber, rules) !== null,
  ).length;
  return destination === 0
    ? { willCall, willSkip }
    : { willCall: willCall - destination, willSkip: { ...willSkip, destination } };
}
