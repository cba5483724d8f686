// The campaign that a request names.
import { getCampaign } from '../../db/queries/campaigns/campaigns.ts';
import type { CampaignTable } from '../../db/schema/campaigns.ts';
import type { Db } from '../../db/schema.ts';
import { invalid } from '../frame/errors.ts';

/** @throws {ApiError} 422 on `campaignId` */
export async function namedCampaign(db: Db, accountId: string, id: string): Promise<CampaignTable> {
  const campaign = await getCampaign(db, accountId, id);
  if (campaign === undefined || campaign.deletedAt !== null) {
    throw invalid([{ field: 'campaignId', message: 'names no campaign' }]);
  }
  return campaign;
}
