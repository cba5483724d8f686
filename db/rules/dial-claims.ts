// Claims dialling attempts in one durable transaction that repeats every check, so that a change after the plan cannot
// lead to a forbidden call. A claimed attempt always counts as made.

import { compiledStatement } from '../compiled-statement.ts';
import { checkLease, type Lease } from '../lease.ts';
import { insertCall } from '../queries/calls/life.ts';
import { insertEngineRequest } from '../queries/engine/engine-requests.ts';
import { mayPlaceCalls } from '../queries/numbers/calling-numbers.ts';
import type { CallTable } from '../schema/call-columns.ts';
import type { CampaignTable, ContactTable } from '../schema/campaigns.ts';
import type { Db } from '../schema.ts';
import { newId } from '../shared/id.ts';
import { callShare, isOwnCall } from './call-share.ts';
import { destinationObstacle } from './destinations.ts';
import { minutesAreUsedUp } from './minutes.ts';
import { spendStop } from './spend.ts';

/** A claimed call that its engine does not begin within this time is never dialled. */
const CLAIM_EXPIRES_MS = 10_000;
/** Delay before a number that is on another call is tried again. */
const NUMBER_BUSY_RETRY_MS = 60_000;

export interface PlannedClaim {
  /** The engine that is to dial. */
  engineId: string;
  /** It is the one that claims. */
  isOwn: boolean;
  /** Id of the call, chosen in advance so that a claim whose answer was lost can be looked up. */
  callId: string;
  contactId: string;
  campaignId: string;
  accountId: string;
  phoneNumberId: string;
  trunkId: string;
  trunkMaxCalls: number;
  /** The plan's calling window, as stored. */
  callingWindow: string | null;
}

export type ClaimRefusal =
  | 'not_running'
  | 'not_due'
  | 'attempts_used'
  | 'do_not_call'
  | 'destination'
  | 'number_busy'
  | 'minutes'
  | 'spend'
  | 'campaign_full'
  | 'trunk_full'
  | 'account_full'
  | 'number_gone';

export interface ClaimAnswer {
  callId: string;
  /** Null: claimed. The attempt counts as made from now on. */
  refusal: ClaimRefusal | null;
}

/**
 * Claims attempts: for each allowed one, the contact becomes CALLING, and its call and attempt are written. One
 * transaction, so that a claim is either complete and durable or absent.
 */
export async function claimAttempts(
  db: Db,
  args: {
    nowMs: number;
    maxCalls: number;
    attempts: readonly PlannedClaim[];
    /** The lease of the engine that places calls, where there are several. */
    lease?: Pick<Lease, 'name' | 'epoch'> | null;
  },
): Promise<ClaimAnswer[]> {
  if (args.lease) await checkLease(db, args.lease);
  const answers: ClaimAnswer[] = [];
  // Read once by the index of open calls: the index of a campaign's calls contains all calls that it ever placed.
  const open = await readOpenCalls(db, {});
  const shares = new Map<string, number | null>();
  for (const attempt of args.attempts) {
    answers.push({ callId: attempt.callId, refusal: await claimOne(db, attempt, { open, shares }, args) });
  }
  return answers;
}

type OpenCall = Pick<
  CallTable,
  'accountId' | 'campaignId' | 'contactId' | 'trunkId' | 'direction' | 'medium' | 'fromNumber' | 'toNumber'
>;

const readOpenCalls = compiledStatement((db) =>
  db
    .selectFrom('calls')
    .select(['accountId', 'campaignId', 'contactId', 'trunkId', 'direction', 'medium', 'fromNumber', 'toNumber'])
    .where('endedAt', 'is', null),
);

const findCampaign = compiledStatement((db, { id }: { id: string }) =>
  db
    .selectFrom('campaigns')
    .selectAll()
    .where('id', '=', id)
    .where('status', '=', 'RUNNING')
    .where('deletedAt', 'is', null),
);

const findContact = compiledStatement((db, { id, campaignId }: { id: string; campaignId: string }) =>
  db
    .selectFrom('contacts')
    .selectAll()
    .where('id', '=', id)
    .where('campaignId', '=', campaignId)
    .where('status', '=', 'PENDING'),
);

const findNumber = compiledStatement((db, { id, campaignId }: { id: string; campaignId: string }) =>
  db
    .selectFrom('phoneNumbers')
    .select(['id', 'phoneNumber'])
    .where('id', '=', id)
    .where('campaignId', '=', campaignId)
    .where(mayPlaceCalls),
);

const findListed = compiledStatement((db, { accountId, phoneNumber }: { accountId: string; phoneNumber: string }) =>
  db.selectFrom('doNotCall').select('id').where('accountId', '=', accountId).where('phoneNumber', '=', phoneNumber),
);

async function claimOne(
  db: Db,
  attempt: PlannedClaim,
  { open, shares }: { open: OpenCall[]; shares: Map<string, number | null> },
  { nowMs, maxCalls }: { nowMs: number; maxCalls: number },
): Promise<ClaimRefusal | null> {
  const [campaign] = await findCampaign(db, { id: attempt.campaignId });
  // A window that changed since the plan needs a new plan.
  if (!campaign || campaign.callingWindow !== attempt.callingWindow) return 'not_running';
  const [contact] = await findContact(db, { id: attempt.contactId, campaignId: campaign.id });
  if (!contact || (contact.nextAttemptAt !== null && contact.nextAttemptAt > nowMs)) return 'not_due';
  const refusal = await contactRefusal(db, { campaign, contact, open, nowMs });
  if (refusal !== null) return refusal;
  const [number] = await findNumber(db, { id: attempt.phoneNumberId, campaignId: campaign.id });
  if (!number) return 'number_gone';
  const { phoneNumber: toNumber } = contact;
  if ((await destinationObstacle(db, { accountId: campaign.accountId, trunkId: attempt.trunkId, toNumber })) !== null) {
    await failContact(db, { id: contact.id });
    return 'destination';
  }
  const full = limitRefusal(campaign, attempt, open);
  if (full !== null) return full;
  const { accountId } = campaign;
  if (!shares.has(accountId)) shares.set(accountId, (await callShare(db, accountId, maxCalls, nowMs))?.places ?? null);
  const places = shares.get(accountId) ?? null;
  if (places !== null && open.filter((call) => call.accountId === accountId && isOwnCall(call)).length >= places)
    return 'account_full';
  open.push(await writeClaim(db, { campaign, contact, number, attempt, nowMs }));
  return null;
}

/** Why this contact must not be called now; also writes the contact's new state. */
async function contactRefusal(
  db: Db,
  claim: { campaign: CampaignTable; contact: ContactTable; open: readonly OpenCall[]; nowMs: number },
): Promise<ClaimRefusal | null> {
  const { campaign, contact, open, nowMs } = claim;
  const { accountId, phoneNumber } = contact;
  const change = (changes: Partial<Pick<ContactTable, 'status' | 'nextAttemptAt'>>) =>
    db.updateTable('contacts').set(changes).where('id', '=', contact.id).execute();
  if ((await findListed(db, { accountId, phoneNumber })).length > 0) {
    await change({ status: 'DO_NOT_CALL', nextAttemptAt: null });
    return 'do_not_call';
  }
  // The campaign's limit was lowered below the attempts made.
  if (contact.attempts >= campaign.maxAttempts) {
    await change({ status: 'FAILED', nextAttemptAt: null });
    return 'attempts_used';
  }
  if (await minutesAreUsedUp(db, accountId, nowMs)) return 'minutes';
  if ((await spendStop(db, accountId, nowMs)) !== null) return 'spend';
  const isBusy = (call: OpenCall): boolean =>
    call.accountId === accountId && (call.toNumber === phoneNumber || call.fromNumber === phoneNumber);
  if (open.some(isBusy)) {
    await change({ nextAttemptAt: nowMs + NUMBER_BUSY_RETRY_MS });
    return 'number_busy';
  }
  return null;
}

function limitRefusal(campaign: CampaignTable, attempt: PlannedClaim, open: readonly OpenCall[]): ClaimRefusal | null {
  const ofCampaign = open.filter(({ campaignId, contactId }) => campaignId === campaign.id && contactId !== null);
  if (ofCampaign.length >= campaign.maxConcurrentCalls) return 'campaign_full';
  const ofTrunk = open.filter(({ trunkId }) => trunkId === attempt.trunkId);
  return ofTrunk.length >= attempt.trunkMaxCalls ? 'trunk_full' : null;
}

const markCalling = compiledStatement((db, call: { id: string; attempts: number; callId: string }) =>
  db
    .updateTable('contacts')
    .set({ status: 'CALLING', attempts: call.attempts, lastCallId: call.callId, nextAttemptAt: null })
    .where('id', '=', call.id),
);

async function writeClaim(
  db: Db,
  claim: {
    campaign: CampaignTable;
    contact: ContactTable;
    number: { id: string; phoneNumber: string };
    attempt: PlannedClaim;
    nowMs: number;
  },
): Promise<OpenCall> {
  const { campaign, contact, number, attempt, nowMs } = claim;
  const { engineId } = attempt;
  await markCalling(db, { id: contact.id, attempts: contact.attempts + 1, callId: attempt.callId });
  const call = await insertCall(db, campaign.accountId, {
    id: attempt.callId,
    businessId: campaign.businessId,
    campaignId: campaign.id,
    agentId: campaign.agentId,
    phoneNumberId: number.id,
    contactId: contact.id,
    direction: 'outbound',
    medium: 'sip',
    fromNumber: number.phoneNumber,
    toNumber: contact.phoneNumber,
    callerName: contact.name,
    variables: contact.variables,
    metadata: contact.metadata,
    trunkId: attempt.trunkId,
    engineId,
    nowMs,
  });
  await insertAttempt(db, {
    id: newId('att'),
    accountId: campaign.accountId,
    callId: attempt.callId,
    campaignId: campaign.id,
    contactId: contact.id,
    toNumber: contact.phoneNumber,
    trunkId: attempt.trunkId,
    claimedAt: nowMs,
  });
  // Another engine finds it as a request of its own.
  if (!attempt.isOwn) {
    await insertEngineRequest(db, campaign.accountId, {
      kind: 'dial',
      callId: attempt.callId,
      target: engineId,
      payload: { callId: attempt.callId },
      nowMs,
      expiresAt: nowMs + CLAIM_EXPIRES_MS,
    });
  }
  return call;
}

const insertAttempt = compiledStatement(
  (
    db,
    attempt: Record<'id' | 'accountId' | 'callId' | 'campaignId' | 'contactId' | 'toNumber' | 'trunkId', string> & {
      claimedAt: number;
    },
  ) =>
    db.insertInto('dialAttempts').values({
      id: attempt.id,
      accountId: attempt.accountId,
      callId: attempt.callId,
      campaignId: attempt.campaignId,
      contactId: attempt.contactId,
      toNumber: attempt.toNumber,
      trunkId: attempt.trunkId,
      claimedAt: attempt.claimedAt,
      endedAt: null,
      outcome: null,
    }),
);

/** Open calls whose claim was written although its answer was lost. */
export async function claimedCalls(
  db: Db,
  callIds: readonly string[],
): Promise<Array<{ id: string; contactId: string }>> {
  if (callIds.length === 0) return [];
  const rows = await db
    .selectFrom('calls')
    .select(['id', 'contactId'])
    .where('id', 'in', callIds)
    .where('endedAt', 'is', null)
    .execute();
  return rows.flatMap(({ id, contactId }) => (contactId === null ? [] : [{ id, contactId }]));
}

/** Contacts outside their calling window wait for its opening; contacts without any possible window end FAILED. */
export async function deferContacts(
  db: Db,
  args: { contacts: ReadonlyArray<{ id: string; nextAttemptAt: number | null }> },
): Promise<void> {
  for (const { id, nextAttemptAt } of args.contacts) {
    if (nextAttemptAt === null) await failContact(db, { id });
    else await deferContact(db, { id, nextAttemptAt });
  }
}

const deferContact = compiledStatement((db, { id, nextAttemptAt }: { id: string; nextAttemptAt: number }) =>
  db.updateTable('contacts').set({ nextAttemptAt }).where('id', '=', id).where('status', '=', 'PENDING'),
);
const failContact = compiledStatement((db, { id }: { id: string }) =>
  db
    .updateTable('contacts')
    .set({ status: 'FAILED', nextAttemptAt: null })
    .where('id', '=', id)
    .where('status', '=', 'PENDING'),
);

/** Makes a campaign's untried contacts due again after a change of its window. */
export async function forgetDeferrals(db: Db, args: { campaignId: string }): Promise<void> {
  await db
    .updateTable('contacts')
    .set({ nextAttemptAt: null })
    .where('campaignId', '=', args.campaignId)
    .where('status', '=', 'PENDING')
    .where('nextAttemptAt', 'is not', null)
    .where('attempts', '=', 0)
    .execute();
}

/** Listed contacts become DO_NOT_CALL without an attempt. */
export async function excludeContacts(db: Db, args: { contactIds: readonly string[] }): Promise<void> {
  if (args.contactIds.length === 0) return;
  await db
    .updateTable('contacts')
    .set({ status: 'DO_NOT_CALL', nextAttemptAt: null })
    .where('id', 'in', args.contactIds)
    .where('status', '=', 'PENDING')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('doNotCall')
          .select('doNotCall.id')
          .whereRef('doNotCall.accountId', '=', 'contacts.accountId')
          .whereRef('doNotCall.phoneNumber', '=', 'contacts.phoneNumber'),
      ),
    )
    .execute();
}
