// Refuses documents beyond what an account's plan allows a business: their number and their characters.
import { documentTotals } from '../../db/queries/knowledge/documents.ts';
import { documentLimits } from '../../db/rules/quotas.ts';
import type { Db } from '../../db/schema.ts';
import { refused } from '../frame/errors.ts';

/** Of one more document. @throws {ApiError} 409 */
export async function checkLimits(db: Db, accountId: string, businessId: string, more: number): Promise<void> {
  const limits = await documentLimits(db, accountId);
  const { documents } = await documentTotals(db, accountId, businessId);
  if (documents >= limits.documents)
    throw refused('QUOTA_EXCEEDED', `The account's plan allows ${limits.documents} documents a business`);
  await checkCharacters(db, accountId, businessId, more);
}

/** @throws {ApiError} 409 */
export async function checkCharacters(db: Db, accountId: string, businessId: string, more: number): Promise<void> {
  const limits = await documentLimits(db, accountId);
  const { characters } = await documentTotals(db, accountId, businessId);
  if (characters + more > limits.characters)
    throw refused('QUOTA_EXCEEDED', `The account's plan allows ${limits.characters} characters a business`);
}
