// Checks a campaign's references: its agent, its business, its numbers, inside the transaction that writes the
// campaign.
import { getAgent } from '../../db/queries/businesses/agents.ts';
import { ACTIVE_STATUSES, assignableNumbers } from '../../db/queries/campaigns/campaigns.ts';
import { hasCurrent } from '../../db/queries/tenant-rows.ts';
import type { Db } from '../../db/schema.ts';
import { type FieldError, invalid, refused } from '../frame/errors.ts';

/**
 * Checks a body's references: missing, foreign, deleted and inactive ones are 422 on their field.
 * @throws {ApiError} 422; 409 for a number that serves another active campaign
 */
export async function checkReferences(
  db: Db,
  accountId: string,
  body: { agentId?: string; businessId?: string; phoneNumberIds?: readonly string[] },
  campaignId: string | null,
): Promise<void> {
  const faults: FieldError[] = [];
  if (body.agentId !== undefined) {
    const agent = await getAgent(db, accountId, body.agentId);
    if (agent === undefined || agent.deletedAt !== null) {
      faults.push({ field: 'agentId', message: 'names no agent' });
    } else if (agent.isActive === 0) {
      faults.push({ field: 'agentId', message: 'names an agent that is not active' });
    }
  }
  if (body.businessId !== undefined) {
    if (!(await hasCurrent(db, 'businesses', accountId, body.businessId)))
      faults.push({ field: 'businessId', message: 'names no business' });
  }
  const ids = body.phoneNumberIds ?? [];
  const numbers = new Map((await assignableNumbers(db, accountId, [...new Set(ids)])).map((row) => [row.id, row]));
  for (const [i, id] of ids.entries()) {
    if (!numbers.has(id)) faults.push({ field: `phoneNumberIds[${i}]`, message: 'names no phone number' });
  }
  if (faults.length > 0) throw invalid(faults);
  for (const { phoneNumber, campaignId: servedId, campaignStatus, campaignName } of numbers.values()) {
    if (servedId === campaignId || campaignStatus === null || !ACTIVE_STATUSES.includes(campaignStatus)) continue;
    throw refused('NUMBER_IN_USE', `${phoneNumber} serves the campaign "${campaignName}", which is ${campaignStatus}`);
  }
}
