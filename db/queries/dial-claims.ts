// The claim of dialling attempts: one durable transaction that repeats every check, so that nothing that changed since
// the plan can place a call that must not be placed. A claimed attempt counts as made in any case.

import type { CampaignTable, ContactTable } from '../schema/campaigns.ts';
import { newId } from '../shared/id.ts';
import type { Db } from '../sqlite.ts';
import { insertCall } from './call-life.ts';
import { doNotCallEntry } from './do-not-call.ts';
import { minutesAreUsedUp } from './minutes.ts';

/** How much later a number that is on another call is tried again. */
const NUMBER_BUSY_RETRY_MS = 60_000;

export interface PlannedClaim {
  /** Of the call that is to be placed: chosen before, so that a claim whose answer was lost can be looked up. */
  callId: string;
  contactId: string;
  campaignId: string;
  phoneNumberId: string;
  trunkId: string;
  trunkMaxCalls: number;
  /** The window that the plan was made with, as stored. */
  callingWindow: string | null;
}

export type ClaimRefusal =
  | 'not_running'
  | 'not_due'
  | 'attempts_used'
  | 'do_not_call'
  | 'number_busy'
  | 'minutes'
  | 'campaign_full'
  | 'trunk_full'
  | 'number_gone';

export interface ClaimAnswer {
  callId: string;
  /** Null: claimed. The attempt counts as made from here on, whatever happens. */
  refusal: ClaimRefusal | null;
}

/**
 * Claims attempts: for each that still may be made, the contact is CALLING, and its call and attempt are written. One
 * transaction, so that a claim is either there as a whole and durable, or not at all.
 */
export async function claimAttempts(
  db: Db,
  args: { engineId: string; nowMs: number; attempts: readonly PlannedClaim[] },
): Promise<ClaimAnswer[]> {
  const answers: ClaimAnswer[] = [];
  for (const attempt of args.attempts) {
    answers.push({ callId: attempt.callId, refusal: await claimOne(db, attempt, args) });
  }
  return answers;
}

async function claimOne(
  db: Db,
  attempt: PlannedClaim,
  { engineId, nowMs }: { engineId: string; nowMs: number },
): Promise<ClaimRefusal | null> {
  const campaign = await db
    .selectFrom('campaigns')
    .selectAll()
    .where('id', '=', attempt.campaignId)
    .where('status', '=', 'RUNNING')
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  // A window that changed since the plan needs a new plan.
  if (!campaign || campaign.callingWindow !== attempt.callingWindow) return 'not_running';
  const contact = await db
    .selectFrom('contacts')
    .selectAll()
    .where('id', '=', attempt.contactId)
    .where('campaignId', '=', campaign.id)
    .where('status', '=', 'PENDING')
    .executeTakeFirst();
  if (!contact || (contact.nextAttemptAt !== null && contact.nextAttemptAt > nowMs)) return 'not_due';
  const refusal = await contactRefusal(db, campaign, contact, nowMs);
  if (refusal !== null) return refusal;
  const number = await db
    .selectFrom('phoneNumbers')
    .select(['id', 'phoneNumber'])
    .where('id', '=', attempt.phoneNumberId)
    .where('campaignId', '=', campaign.id)
    .where('status', '=', 'active')
    .where('isActive', '=', 1)
    .executeTakeFirst();
  if (!number) return 'number_gone';
  const full = await limitRefusal(db, campaign, attempt);
  if (full !== null) return full;
  await writeClaim(db, { campaign, contact, number, attempt, engineId, nowMs });
  return null;
}

/** Why this contact must not be called now; the consequence is written at once. */
async function contactRefusal(
  db: Db,
  campaign: CampaignTable,
  contact: ContactTable,
  nowMs: number,
): Promise<ClaimRefusal | null> {
  const change = (changes: Partial<Pick<ContactTable, 'status' | 'nextAttemptAt'>>) =>
    db.updateTable('contacts').set(changes).where('id', '=', contact.id).execute();
  if ((await doNotCallEntry(db, contact.accountId, contact.phoneNumber)) !== undefined) {
    await change({ status: 'DO_NOT_CALL', nextAttemptAt: null });
    return 'do_not_call';
  }
  // The campaign's limit was lowered below what has been tried.
  if (contact.attempts >= campaign.maxAttempts) {
    await change({ status: 'FAILED', nextAttemptAt: null });
    return 'attempts_used';
  }
  if (await minutesAreUsedUp(db, contact.accountId, nowMs)) return 'minutes';
  const busy = await db
    .selectFrom('calls')
    .select('id')
    .where('accountId', '=', contact.accountId)
    .where('endedAt', 'is', null)
    .where((eb) => eb.or([eb('toNumber', '=', contact.phoneNumber), eb('fromNumber', '=', contact.phoneNumber)]))
    .limit(1)
    .executeTakeFirst();
  if (busy) {
    await change({ nextAttemptAt: nowMs + NUMBER_BUSY_RETRY_MS });
    return 'number_busy';
  }
  return null;
}

async function limitRefusal(db: Db, campaign: CampaignTable, attempt: PlannedClaim): Promise<ClaimRefusal | null> {
  const open = db
    .selectFrom('calls')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('endedAt', 'is', null);
  const ofCampaign = await open
    .where('accountId', '=', campaign.accountId)
    .where('campaignId', '=', campaign.id)
    .where('contactId', 'is not', null)
    .executeTakeFirstOrThrow();
  if (Number(ofCampaign.total) >= campaign.maxConcurrentCalls) return 'campaign_full';
  const ofTrunk = await open.where('trunkId', '=', attempt.trunkId).executeTakeFirstOrThrow();
  return Number(ofTrunk.total) >= attempt.trunkMaxCalls ? 'trunk_full' : null;
}

async function writeClaim(
  db: Db,
  claim: {
    campaign: CampaignTable;
    contact: ContactTable;
    number: { id: string; phoneNumber: string };
    attempt: PlannedClaim;
    engineId: string;
    nowMs: number;
  },
): Promise<void> {
  const { campaign, contact, number, attempt, engineId, nowMs } = claim;
  await db
    .updateTable('contacts')
    .set({ status: 'CALLING', attempts: contact.attempts + 1, lastCallId: attempt.callId, nextAttemptAt: null })
    .where('id', '=', contact.id)
    .execute();
  await insertCall(db, campaign.accountId, {
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
  await db
    .insertInto('dialAttempts')
    .values({
      id: newId('att'),
      accountId: campaign.accountId,
      callId: attempt.callId,
      campaignId: campaign.id,
      contactId: contact.id,
      toNumber: contact.phoneNumber,
      trunkId: attempt.trunkId,
      claimedAt: nowMs,
      endedAt: null,
      outcome: null,
    })
    .execute();
}

/** Calls whose claim got no answer but was written: they are open. */
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

/** Contacts outside their calling window wait for its opening; those that no window fits end FAILED. */
export async function deferContacts(
  db: Db,
  args: { contacts: ReadonlyArray<{ id: string; nextAttemptAt: number | null }> },
): Promise<void> {
  for (const { id, nextAttemptAt } of args.contacts) {
    await db
      .updateTable('contacts')
      .set(nextAttemptAt === null ? { status: 'FAILED', nextAttemptAt: null } : { nextAttemptAt })
      .where('id', '=', id)
      .where('status', '=', 'PENDING')
      .execute();
  }
}

/** A campaign's window was changed: contacts that were never tried are considered again now. */
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
