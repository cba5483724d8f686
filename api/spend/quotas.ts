// Refuses a record beyond the limits of an account's plan.
import { type QuotaKind, quotaExceeded } from '../../db/rules/quotas.ts';
import type { Db } from '../../db/schema.ts';
import { type ApiError, refused } from '../frame/errors.ts';

export const overQuota = (kind: string, max: number): ApiError =>
  refused('QUOTA_EXCEEDED', `The account's plan allows ${max} ${kind}, deleted ones included`);

/** @throws {ApiError} 409 if the account has reached its plan's limit */
export async function checkQuota(db: Db, accountId: string, kind: QuotaKind): Promise<void> {
  const max = await quotaExceeded(db, accountId, kind);
  if (max !== null) throw overQuota(kind, max);
}
