// Automatic changes of campaigns: they start on schedule, complete when every contact is finished, and fail when no
// trunk is configured.
import { addEvent } from '../outbox.ts';
import { campaignCounts, campaignNumberIds } from '../queries/campaigns/campaigns.ts';
import { hasTrunk, type RunningCampaign, runningCampaigns } from '../queries/dialling/due.ts';
import { campaignResource } from '../records/resources.ts';
import type { Db } from '../schema.ts';

interface SettledCampaigns {
  started: string[];
  completed: string[];
  failed: string[];
}

/**
 * Starts SCHEDULED campaigns at their time, completes RUNNING ones whose contacts (at least one) are all finished, with
 * their event, and fails those with a due contact but no configured trunk.
 */
export async function settleCampaigns(db: Db, args: { nowMs: number }): Promise<SettledCampaigns> {
  const { nowMs } = args;
  const started = await db
    .updateTable('campaigns')
    .set((eb) => ({ status: 'RUNNING', startedAt: eb.fn.coalesce('startedAt', eb.val(nowMs)), completedAt: null }))
    .where('status', '=', 'SCHEDULED')
    .where('scheduledAt', '<=', nowMs)
    .where('deletedAt', 'is', null)
    .returning('id')
    .execute();
  const completed: string[] = [];
  for (const campaign of await runningCampaigns(db)) {
    if (campaign.total > 0 && campaign.pending + campaign.calling === 0 && (await complete(db, campaign, nowMs))) {
      completed.push(campaign.id);
    }
  }
  return { started: started.map(({ id }) => id), completed, failed: await failWithoutTrunk(db, nowMs) };
}

/**
 * False while a call to one of its contacts runs (a contact who asked not to be called may still be on the line).
 */
async function complete(db: Db, { id, accountId }: RunningCampaign, nowMs: number): Promise<boolean> {
  const open = await db
    .selectFrom('calls')
    .select('id')
    .where('accountId', '=', accountId)
    .where('endedAt', 'is', null)
    .where('campaignId', '=', id)
    .where('contactId', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  if (open) return false;
  const row = await db
    .updateTable('campaigns')
    .set({ status: 'COMPLETED', completedAt: nowMs })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const numbers = await campaignNumberIds(db, accountId, [id]);
  const counts = await campaignCounts(db, accountId, [id]);
  await addEvent(db, {
    accountId,
    type: 'campaign.completed',
    subjectId: id,
    // A campaign that got new contacts and was started again completes again.
    dedupe: String(nowMs),
    data: campaignResource(row, numbers.get(id) ?? [], counts.get(id) ?? { contacts: 0, calls: 0 }),
    nowMs,
  });
  return true;
}

async function failWithoutTrunk(db: Db, nowMs: number): Promise<string[]> {
  if (await hasTrunk(db)) return [];
  const failed = await db
    .updateTable('campaigns')
    .set({ status: 'FAILED' })
    .where('status', '=', 'RUNNING')
    .where('deletedAt', 'is', null)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('contacts')
          .select('contacts.id')
          .whereRef('contacts.campaignId', '=', 'campaigns.id')
          .where('contacts.status', '=', 'PENDING')
          .where((or) => or.or([or('contacts.nextAttemptAt', 'is', null), or('contacts.nextAttemptAt', '<=', nowMs)])),
      ),
    )
    .returning('id')
    .execute();
  return failed.map(({ id }) => id);
}
