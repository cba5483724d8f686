// A number of an account by which texts can be sent, with the campaign whose agent answers what comes back.
import type { Db } from '../../schema.ts';
import type { TextingNumber } from './conversations.ts';

interface Wanted {
  accountId: string;
  /** Of this campaign alone; absent: of any of the business's. */
  campaignId?: string;
  businessId?: string;
  /** Rather this one. */
  phoneNumberId?: string | null;
}

export async function textingNumber(
  tx: Db,
  { accountId, campaignId, businessId, phoneNumberId = null }: Wanted,
): Promise<TextingNumber | null> {
  let query = tx
    .selectFrom('phoneNumbers')
    .innerJoin('inventory', 'inventory.phoneNumber', 'phoneNumbers.phoneNumber')
    .innerJoin('campaigns', 'campaigns.id', 'phoneNumbers.campaignId')
    .select(['phoneNumbers.id', 'phoneNumbers.phoneNumber', 'campaigns.id as campaignId', 'campaigns.agentId'])
    .where('phoneNumbers.accountId', '=', accountId)
    .where('phoneNumbers.status', '=', 'active')
    .where('phoneNumbers.isActive', '=', 1)
    .where('inventory.carrierId', 'is not', null);
  if (campaignId !== undefined) query = query.where('campaigns.id', '=', campaignId);
  if (businessId !== undefined) query = query.where('campaigns.businessId', '=', businessId);
  const rows = await query.orderBy('phoneNumbers.id').execute();
  return rows.find(({ id }) => id === phoneNumberId) ?? rows[0] ?? null;
}
