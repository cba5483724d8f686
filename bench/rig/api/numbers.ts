// Shortcuts for tests about numbers: stocked, reserved and bought numbers, campaigns to assign them to, calls on them.

import type { CampaignStatus } from '../../../db/schema/campaigns.ts';
import type { Db } from '../../../db/schema.ts';
import { newId } from '../../../db/shared/id.ts';
import { callRow } from '../rows/call-row.ts';
import { campaignRow } from '../rows/table-rows.ts';
import type { Tenant, TestApi } from './api.ts';

/** Valid US numbers +1212555xxxx; the last four digits from `start`. */
export const usNumber = (start: number): string => `+1212555${String(start).padStart(4, '0')}`;

export async function stock(
  api: TestApi,
  numbers: ReadonlyArray<{ phoneNumber: string; monthlyCost?: number; type?: string; capabilities?: string[] }>,
): Promise<void> {
  const answer = await api.admin.ask('POST', '/admin/inventory', { numbers });
  if (answer.status !== 201) throw new Error(`stock: ${answer.status} ${answer.text}`);
}

/** Searches, which reserves the number, and buys it. */
export async function buy(
  tenant: Tenant,
  phoneNumber: string,
  body: Record<string, unknown> = {},
  headers: Record<string, string> = {},
) {
  await tenant.ask('GET', '/phone-numbers/search');
  return tenant.ask('POST', '/phone-numbers/purchase', { phoneNumber, ...body }, headers);
}

export async function addCampaign(db: Db, accountId: string, status: CampaignStatus): Promise<string> {
  const id = newId('cmp');
  await db
    .insertInto('campaigns')
    .values(campaignRow({ id, accountId, status, recordingEnabled: 1 }))
    .execute();
  return id;
}

/** A call in progress over the number. */
export async function addLiveCall(db: Db, accountId: string, phoneNumberId: string, nowMs: number): Promise<string> {
  const id = newId('call');
  await db
    .insertInto('calls')
    .values(
      callRow({
        id,
        accountId,
        phoneNumberId,
        fromNumber: '+12125550199',
        toNumber: '+12125550100',
        status: 'IN_PROGRESS',
        answeredAt: nowMs,
        createdAt: nowMs,
      }),
    )
    .execute();
  return id;
}
