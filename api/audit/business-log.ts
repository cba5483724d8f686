// The audit log of a business: its changes, its versions, and what was done to its calls.
import { insertBusinessAudit, keepNewestBusinessAudit } from '../../db/queries/businesses/businesses.ts';
import type { Db } from '../../db/schema.ts';
import { newId } from '../../db/shared/id.ts';
import type { Actor } from '../frame/app.ts';
import { valueShown } from './value-shown.ts';

export type AuditAction =
  | 'created'
  | 'updated'
  | 'draft-updated'
  | 'published'
  | 'draft-discarded'
  | 'deleted'
  | 'restored'
  | 'version-restored'
  | 'services-generated'
  | 'faqs-generated'
  | 'extracted-from-url'
  | 'call-controlled'
  | 'call-listened'
  | 'call-erased'
  | 'calls-erased';

/** Writes an entry of the business's audit log. */
export async function audit(
  db: Db,
  actor: Actor,
  businessId: string,
  action: AuditAction,
  changes: Record<string, { from: unknown; to: unknown }>,
  nowMs: number,
): Promise<void> {
  const shown = Object.fromEntries(
    Object.entries(changes).map(([name, { from, to }]) => [name, { from: valueShown(from), to: valueShown(to) }]),
  );
  await insertBusinessAudit(db, actor.accountId, {
    id: newId('aud'),
    businessId,
    actor: actor.userId,
    action,
    changes: JSON.stringify(shown),
    createdAt: nowMs,
  });
  await keepNewestBusinessAudit(db, actor.accountId, businessId);
}
