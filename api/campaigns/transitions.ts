// Start, pause and resume. Each is one transaction around one conditional update, so only one of several concurrent
// requests wins.
//
//   DRAFT, SCHEDULED, FAILED ──start──► RUNNING ◄──resume── PAUSED ──resume, scheduledAt ahead──► SCHEDULED
//                                       RUNNING, SCHEDULED ──pause──► PAUSED
import { moveCampaign } from '../../db/queries/campaigns/campaigns.ts';
import { dialForecastByDestination } from '../../db/queries/dialling/due.ts';
import type { CampaignResource } from '../../db/records/resources.ts';
import type { CampaignStatus, CampaignTable } from '../../db/schema/campaigns.ts';
import type { Db } from '../../db/schema.ts';
import type { ApiContext } from '../context.ts';
import { refused } from '../frame/errors.ts';
import { checkMayCall } from '../spend/may-call.ts';
import type { Preflight } from './schema.ts';
import { campaignRecord, liveCampaign } from './service.ts';

const STARTABLE: readonly CampaignStatus[] = ['DRAFT', 'SCHEDULED', 'FAILED'];
const PAUSABLE: readonly CampaignStatus[] = ['RUNNING', 'SCHEDULED'];
const RESUMABLE: readonly CampaignStatus[] = ['PAUSED'];

type Started = CampaignResource & { preflight: Preflight };

export async function startCampaign(context: ApiContext, accountId: string, id: string): Promise<Started> {
  const nowMs = context.now();
  return context.db.transaction().execute(async (trx) => {
    const current = await allow(trx, accountId, id, STARTABLE, 'started');
    await checkMayCall(trx, current, 'campaign', { nowMs });
    const row = await moveCampaign(trx, accountId, id, STARTABLE, {
      status: 'RUNNING',
      startedAt: current.startedAt ?? nowMs,
      completedAt: null,
    });
    if (row === undefined) throw refused('CHANGED_MEANWHILE', 'Campaign was changed meanwhile');
    return { ...(await campaignRecord(trx, row)), preflight: await dialForecastByDestination(trx, row, nowMs) };
  });
}

export async function pauseCampaign(context: ApiContext, accountId: string, id: string): Promise<CampaignResource> {
  return context.db.transaction().execute(async (trx) => {
    await allow(trx, accountId, id, PAUSABLE, 'paused');
    const row = await moveCampaign(trx, accountId, id, PAUSABLE, { status: 'PAUSED' });
    if (row === undefined) throw refused('CHANGED_MEANWHILE', 'Campaign was changed meanwhile');
    return campaignRecord(trx, row);
  });
}

export async function resumeCampaign(context: ApiContext, accountId: string, id: string): Promise<Started> {
  const nowMs = context.now();
  return context.db.transaction().execute(async (trx) => {
    const current = await allow(trx, accountId, id, RESUMABLE, 'resumed');
    await checkMayCall(trx, current, 'campaign', { nowMs });
    // A campaign started before its scheduled time resumes at once.
    const waits = current.startedAt === null && current.scheduledAt !== null && current.scheduledAt > nowMs;
    const row = await moveCampaign(
      trx,
      accountId,
      id,
      RESUMABLE,
      waits ? { status: 'SCHEDULED' } : { status: 'RUNNING', startedAt: current.startedAt ?? nowMs },
    );
    if (row === undefined) throw refused('CHANGED_MEANWHILE', 'Campaign was changed meanwhile');
    return { ...(await campaignRecord(trx, row)), preflight: await dialForecastByDestination(trx, row, nowMs) };
  });
}

async function allow(
  db: Db,
  accountId: string,
  id: string,
  from: readonly CampaignStatus[],
  what: string,
): Promise<CampaignTable> {
  const row = await liveCampaign(db, accountId, id);
  if (!from.includes(row.status))
    throw refused('CAMPAIGN_STATUS_CONFLICT', `Campaign is ${row.status} and cannot be ${what}`);
  return row;
}
