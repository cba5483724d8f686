// Claims dialling attempts in one durable transaction that repeats every check, so that a change after the plan cannot
// lead to a forbidden call. A claimed attempt always counts as made.

import { checkLease, type Lease } from '../lease.ts';
import { insertCall } from '../queries/calls/life.ts';
import { insertEngineRequest } from '../queries/engine/engine-requests.ts';
import { mayPlaceCalls } from '../queries/numbers/calling-numbers.ts';
import type { CallTable } from '../schema/call-columns.ts';
import type { CampaignTable, ContactTable } from '../schema/campaigns.ts';
import type { Db } from '../schema.ts';
import { newId } from '../shared/id.ts';
import { allOf } from '../statements/all-of.ts';
import { compiledStatement } from '../statements/compiled-statement.ts';
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
  /** The contact's number when the plan was made. */
  toNumber: string;
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

interface ClaimAnswer {
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
  const lease = args.lease ? checkLease(db, args.lease) : null;
  // Read once by the index of open calls: the index of a campaign's calls contains all calls that it ever placed.
  const reading = readOpenCalls(db, {});
  const shares = new Map<string, Promise<number | null>>();
  const askNext = (i: number): ClaimFacts | null => {
    const attempt = args.attempts[i];
    return attempt === undefined ? null : askFacts(db, attempt, shares, args);
  };
  let facts = askNext(0);
  await allOf([lease, reading]);
  const open = await reading;
  const answers: ClaimAnswer[] = [];
  for (const [i, attempt] of args.attempts.entries()) {
    // The facts that decide over an attempt are read after the one before has been written.
    facts ??= askNext(i);
    if (facts === null) break;
    try {
      answers.push({ callId: attempt.callId, refusal: await claimOne(db, attempt, { open, facts }, args) });
    } finally {
      await Promise.allSettled(Object.values(facts));
      facts = null;
    }
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

/** By its id alone: beside a campaign and a status PostgreSQL may take their index, and read all that wait. */
const findContact = compiledStatement((db, { id }: { id: string }) =>
  db.selectFrom('contacts').selectAll().where('id', '=', id),
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

/** The facts that decide over an attempt. All of them are asked at once, and looked at in the order of the rules. */
interface ClaimFacts {
  campaign: Promise<CampaignTable | undefined>;
  contact: Promise<ContactTable | undefined>;
  number: Promise<{ id: string; phoneNumber: string } | undefined>;
  isListed: Promise<boolean>;
  minutesAreUsedUp: Promise<boolean>;
  spendStop: Promise<unknown>;
  destination: Promise<string | null>;
  /** Places that the account may have; null: as many as it likes. */
  places: Promise<number | null>;
}

function askFacts(
  db: Db,
  { accountId, campaignId, contactId, phoneNumberId, toNumber, trunkId }: PlannedClaim,
  shares: Map<string, Promise<number | null>>,
  { nowMs, maxCalls }: { nowMs: number; maxCalls: number },
): ClaimFacts {
  const first = <R>(rows: Promise<R[]>): Promise<R | undefined> => rows.then(([row]) => row);
  const shareOf = async (): Promise<number | null> => (await callShare(db, accountId, maxCalls, nowMs))?.places ?? null;
  const places = shares.get(accountId) ?? shareOf();
  shares.set(accountId, places);
  const facts: ClaimFacts = {
    campaign: first(findCampaign(db, { id: campaignId }) as Promise<CampaignTable[]>),
    contact: first(findContact(db, { id: contactId }) as Promise<ContactTable[]>),
    number: first(findNumber(db, { id: phoneNumberId, campaignId })),
    isListed: findListed(db, { accountId, phoneNumber: toNumber }).then((rows) => rows.length > 0),
    minutesAreUsedUp: minutesAreUsedUp(db, accountId, nowMs),
    spendStop: spendStop(db, accountId, nowMs),
    destination: destinationObstacle(db, { accountId, trunkId, toNumber }),
    places,
  };
  // An earlier rule may refuse first: then nobody looks at the others.
  for (const fact of Object.values(facts)) fact.catch(() => undefined);
  return facts;
}

async function claimOne(
  db: Db,
  attempt: PlannedClaim,
  { open, facts }: { open: OpenCall[]; facts: ClaimFacts },
  { nowMs }: { nowMs: number },
): Promise<ClaimRefusal | null> {
  const campaign = await facts.campaign;
  // A window that changed since the plan needs a new plan.
  if (campaign?.callingWindow !== attempt.callingWindow || campaign.accountId !== attempt.accountId)
    return 'not_running';
  const contact = await facts.contact;
  // So does a number.
  if (contact?.phoneNumber !== attempt.toNumber || contact.campaignId !== campaign.id) return 'not_due';
  if (contact.status !== 'PENDING') return 'not_due';
  if (contact.nextAttemptAt !== null && contact.nextAttemptAt > nowMs) return 'not_due';
  const refusal = await contactRefusal(db, { campaign, contact, facts, open, nowMs });
  if (refusal !== null) return refusal;
  const number = await facts.number;
  if (!number) return 'number_gone';
  if ((await facts.destination) !== null) {
    await failContact(db, { id: contact.id });
    return 'destination';
  }
  const full = limitRefusal(campaign, attempt, open);
  if (full !== null) return full;
  const { accountId } = campaign;
  const places = await facts.places;
  if (places !== null && open.filter((call) => call.accountId === accountId && isOwnCall(call)).length >= places)
    return 'account_full';
  open.push(await writeClaim(db, { campaign, contact, number, attempt, nowMs }));
  return null;
}

/** Why this contact must not be called now; also writes the contact's new state. */
async function contactRefusal(
  db: Db,
  claim: {
    campaign: CampaignTable;
    contact: ContactTable;
    facts: ClaimFacts;
    open: readonly OpenCall[];
    nowMs: number;
  },
): Promise<ClaimRefusal | null> {
  const { campaign, contact, facts, open, nowMs } = claim;
  const { accountId, phoneNumber } = contact;
  const change = (changes: Partial<Pick<ContactTable, 'status' | 'nextAttemptAt'>>) =>
    db.updateTable('contacts').set(changes).where('id', '=', contact.id).execute();
  if (await facts.isListed) {
    await change({ status: 'DO_NOT_CALL', nextAttemptAt: null });
    return 'do_not_call';
  }
  // The campaign's limit was lowered below the attempts made.
  if (contact.attempts >= campaign.maxAttempts) {
    await change({ status: 'FAILED', nextAttemptAt: null });
    return 'attempts_used';
  }
  if (await facts.minutesAreUsedUp) return 'minutes';
  if ((await facts.spendStop) !== null) return 'spend';
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

/** Writes an allowed attempt. */
export async function writeClaim(
  db: Db,
  claim: {
    campaign: Pick<CampaignTable, 'id' | 'accountId' | 'businessId' | 'agentId'>;
    contact: Pick<ContactTable, 'id' | 'attempts' | 'phoneNumber' | 'name' | 'variables' | 'metadata'>;
    number: { id: string; phoneNumber: string };
    attempt: PlannedClaim;
    nowMs: number;
  },
): Promise<OpenCall> {
  const { campaign, contact, number, attempt, nowMs } = claim;
  const { engineId } = attempt;
  const calling = markCalling(db, { id: contact.id, attempts: contact.attempts + 1, callId: attempt.callId });
  const call = insertCall(db, campaign.accountId, {
    id: attempt.callId,
    businessId: campaign.businessId,
    campaignId: campaign.id,
    agentId: campaign.agentId,
    phoneNumberId: number.id,
    contactId: contact.id,
    direction: 'outbound',
    medium: 'sip',
    forwardedFrom: null,
    fromNumber: number.phoneNumber,
    toNumber: contact.phoneNumber,
    callerName: contact.name,
    variables: contact.variables,
    metadata: contact.metadata,
    trunkId: attempt.trunkId,
    engineId,
    nowMs,
  });
  const attempted = insertAttempt(db, {
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
  const given = attempt.isOwn
    ? null
    : insertEngineRequest(db, campaign.accountId, {
        kind: 'dial',
        callId: attempt.callId,
        target: engineId,
        payload: { callId: attempt.callId },
        nowMs,
        expiresAt: nowMs + CLAIM_EXPIRES_MS,
      });
  await allOf([calling, call, attempted, given]);
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
