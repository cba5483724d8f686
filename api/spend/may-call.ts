// Answers where a campaign may place no call now. Checked inside the transaction that inserts the call or starts the
// campaign.
import { spendLimitName } from '../../db/domain/spend.ts';
import { unreachable } from '../../db/domain/unexpected.ts';
import { type CallObstacle, callObstacle, type Placing } from '../../db/rules/may-call.ts';
import { monthlyMinutes } from '../../db/rules/minutes.ts';
import { type SpendStop, spendStop } from '../../db/rules/spend.ts';
import type { CampaignTable } from '../../db/schema/campaigns.ts';
import type { Db } from '../../db/schema.ts';
import { type ApiError, refused, retryLater } from '../frame/errors.ts';

const PAUSED_RETRY_SECONDS = 60;
/** Clients should retry within a day, because plan and overage can change. */
const MINUTES_RETRY_MAX_SECONDS = 86_400;

/**
 * Whether a call may be placed, by the rules of db/rules/may-call.ts.
 * @throws {ApiError} 429 if waiting helps, else 409
 */
export async function checkMayCall(
  db: Db,
  campaign: CampaignTable,
  placing: Placing,
  asked: { nowMs: number; toNumber?: string },
): Promise<void> {
  const obstacle = await callObstacle(db, campaign, placing, asked);
  if (obstacle !== null) throw await refusal(db, campaign, obstacle, asked);
}

async function refusal(
  db: Db,
  { accountId, status }: CampaignTable,
  obstacle: CallObstacle,
  { nowMs, toNumber }: { nowMs: number; toNumber?: string },
): Promise<ApiError> {
  switch (obstacle) {
    case 'do_not_call':
      return refused('ON_DO_NOT_CALL_LIST', `${toNumber} is on the do-not-call list`);
    case 'campaign_paused':
      return retryLater('CAMPAIGN_PAUSED', 'Campaign is paused', PAUSED_RETRY_SECONDS);
    case 'campaign_ended':
      return refused('CAMPAIGN_ENDED', `Campaign is ${status}`);
    case 'agent_deleted':
      return refused('AGENT_DELETED', "The campaign's agent is deleted");
    case 'agent_inactive':
      return refused('AGENT_INACTIVE', "The campaign's agent is not active");
    case 'business_deleted':
      return refused('BUSINESS_DELETED', "The campaign's business is deleted");
    case 'no_number':
      return refused('CAMPAIGN_NEEDS_NUMBER', 'Campaign has no phone number');
    case 'no_active_number':
      return refused(
        'CAMPAIGN_NEEDS_NUMBER',
        'No phone number of the campaign is active: activate one of them, or give the campaign another',
      );
    case 'minutes': {
      const { resetsAtMs } = await monthlyMinutes(db, accountId, nowMs);
      const waitSeconds = Math.min(MINUTES_RETRY_MAX_SECONDS, Math.ceil((resetsAtMs - nowMs) / 1000));
      return retryLater('MINUTES_EXHAUSTED', 'Monthly minute limit reached', waitSeconds);
    }
    case 'spend': {
      const stop = await spendStop(db, accountId, nowMs);
      return stop === null ? retryLater('SPEND_LIMIT_REACHED', 'The spend limit is reached', 1) : spent(stop, nowMs);
    }
    default:
      return unreachable(obstacle);
  }
}

function spent({ by, window, limitMinutes, endsAtMs }: SpendStop, nowMs: number): ApiError {
  const where = by === 'account' ? 'PATCH /admin/accounts/:id' : 'PATCH /admin/settings';
  const message = `The ${by}'s ${limitMinutes} outbound minutes of this ${window} are spent: an ADMIN changes ${spendLimitName('stop', window)} by ${where}`;
  return retryLater('SPEND_LIMIT_REACHED', message, Math.ceil((endsAtMs - nowMs) / 1_000));
}
