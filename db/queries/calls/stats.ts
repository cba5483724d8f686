// A campaign's stats, from totals that triggers keep. docs/stats.md defines each figure.
import type { CampaignTotalTable } from '../../schema/campaigns.ts';
import type { Db } from '../../schema.ts';
import { contactCounts } from '../campaigns/contacts.ts';

export interface CampaignStats {
  totalContacts: number;
  completedCalls: number;
  successfulCalls: number;
  failedCalls: number;
  voicemails: number;
  /** Seconds, over answered calls that have ended. */
  averageCallDuration: number;
  totalMinutes: number;
}

const round2 = (value: number): number => Math.round(value * 100) / 100;

export async function campaignStats(db: Db, accountId: string, campaignId: string): Promise<CampaignStats> {
  const contacts = await contactCounts(db, accountId, campaignId);
  const totals: CampaignTotalTable | undefined = await db
    .selectFrom('campaignTotalsNow')
    .selectAll()
    .where('campaignId', '=', campaignId)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  const answered = totals?.answered ?? 0;
  const seconds = totals?.answeredSeconds ?? 0;
  return {
    totalContacts: [...contacts.values()].reduce((sum, count) => sum + count, 0),
    completedCalls: totals?.completed ?? 0,
    successfulCalls: totals?.successful ?? 0,
    failedCalls: totals?.failed ?? 0,
    voicemails: totals?.voicemails ?? 0,
    averageCallDuration: answered === 0 ? 0 : round2(seconds / answered),
    totalMinutes: round2(seconds / 60),
  };
}
