// Decides whether a call may be placed, for campaigns, single calls and calls from a browser. Each check is stated
// once, in the order of the answers to a client. Call it in the transaction that acts on the result.

import { getAgent } from '../queries/businesses/agents.ts';
import { getBusiness } from '../queries/businesses/businesses.ts';
import { campaignNumberIds } from '../queries/campaigns/campaigns.ts';
import { doNotCallEntry } from '../queries/dialling/do-not-call.ts';
import { hasCallingNumber } from '../queries/numbers/calling-numbers.ts';
import type { CallTable } from '../schema/call-columns.ts';
import type { CampaignStatus, CampaignTable } from '../schema/campaigns.ts';
import type { Db } from '../schema.ts';
import { minutesAreUsedUp } from './minutes.ts';
import { spendStop } from './spend.ts';

export type CallObstacle =
  | 'do_not_call'
  | 'campaign_paused'
  | 'campaign_ended'
  | 'agent_deleted'
  | 'agent_inactive'
  | 'business_deleted'
  | 'minutes'
  | 'spend'
  | 'no_number'
  | 'no_active_number';

interface Asked {
  /** Statuses in which the campaign places no such call any more. */
  endedIn: readonly CampaignStatus[];
  isActiveAgent: boolean;
  hasMinutes: boolean;
  /** It goes out and costs money. */
  isOutbound: boolean;
  hasNumber: boolean;
}

const ASKED = {
  /**
   * A campaign that is started or resumed. The transition checks its status; used-up minutes only make its contacts
   * wait, and listed ones are left out (`dialForecast`).
   */
  campaign: { endedIn: [], isActiveAgent: true, hasMinutes: false, isOutbound: false, hasNumber: true },
  /**
   * POST /calls. An inactive agent prevents the start of a campaign, but not the calls of a running campaign or single
   * calls. The request names its number, which is checked with its field.
   */
  single: {
    endedIn: ['COMPLETED', 'FAILED'],
    isActiveAgent: false,
    hasMinutes: true,
    isOutbound: true,
    hasNumber: false,
  },
  /** POST /calls/web. It comes in, so a campaign whose contacts are finished still answers. */
  browser: { endedIn: ['FAILED'], isActiveAgent: false, hasMinutes: true, isOutbound: false, hasNumber: false },
} as const satisfies Record<string, Asked>;

export type Placing = keyof typeof ASKED;

/** The first obstacle to the call; null if there is none. `toNumber`: the callee, if there is one. */
export async function callObstacle(
  db: Db,
  campaign: CampaignTable,
  placing: Placing,
  { nowMs, toNumber = null }: { nowMs: number; toNumber?: string | null },
): Promise<CallObstacle | null> {
  const asked: Asked = ASKED[placing];
  const { id, accountId, status, agentId, businessId } = campaign;
  if (toNumber !== null && (await doNotCallEntry(db, accountId, toNumber)) !== undefined) return 'do_not_call';
  if (placing !== 'campaign' && status === 'PAUSED') return 'campaign_paused';
  if (asked.endedIn.includes(status)) return 'campaign_ended';
  const agent = await getAgent(db, accountId, agentId);
  if (agent === undefined || agent.deletedAt !== null) return 'agent_deleted';
  if (asked.isActiveAgent && agent.isActive === 0) return 'agent_inactive';
  const business = await getBusiness(db, accountId, businessId);
  if (business === undefined || business.deletedAt !== null) return 'business_deleted';
  if (asked.hasMinutes && (await minutesAreUsedUp(db, accountId, nowMs))) return 'minutes';
  if (asked.isOutbound && (await spendStop(db, accountId, nowMs)) !== null) return 'spend';
  if (!asked.hasNumber || (await hasCallingNumber(db, id))) return null;
  return (await campaignNumberIds(db, accountId, [id])).has(id) ? 'no_active_number' : 'no_number';
}

/** Why an accepted call may not be dialled any more. */
export type DialObstacle = Extract<CallObstacle, 'do_not_call' | 'campaign_paused'>;

/**
 * Repeats, right before the dial, the checks whose result may have changed since the call was accepted; null: allowed.
 */
export async function dialObstacle(
  db: Db,
  { id, accountId, toNumber }: Pick<CallTable, 'id' | 'accountId' | 'toNumber'>,
): Promise<DialObstacle | null> {
  if ((await doNotCallEntry(db, accountId, toNumber)) !== undefined) return 'do_not_call';
  const campaign = await db
    .selectFrom('calls')
    .innerJoin('campaigns', 'campaigns.id', 'calls.campaignId')
    .select('campaigns.status')
    .where('calls.accountId', '=', accountId)
    .where('calls.id', '=', id)
    .executeTakeFirst();
  return campaign?.status === 'PAUSED' ? 'campaign_paused' : null;
}
