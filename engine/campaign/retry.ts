// Whether a contact is dialled again: busy, no answer, 480 and network failures are; declined, unknown numbers and answered
// calls are not.
import type { ContactStatus } from '../../db/schema.ts';
import type { Db } from '../../db/sqlite.ts';

export interface AttemptEnd {
  outcome: string;
  answered: boolean;
  /** Busy, no answer, 480 and network failures. */
  retryable: boolean;
  endedAtMs: number;
}

const MINUTE_MS = 60_000;

/** Pure rule: what an attempt's end means for its contact. `attempts` includes the one that ended. */
export function retryRule(
  end: AttemptEnd,
  { attempts, maxAttempts, retryDelayMinutes }: { attempts: number; maxAttempts: number; retryDelayMinutes: number },
): { status: ContactStatus; nextAttemptAt: number | null } {
  if (end.outcome === 'voicemail_left' || end.outcome === 'voicemail')
    return { status: 'VOICEMAIL', nextAttemptAt: null };
  if (end.answered) return { status: 'COMPLETED', nextAttemptAt: null };
  if (end.retryable && attempts < maxAttempts) {
    return { status: 'PENDING', nextAttemptAt: end.endedAtMs + retryDelayMinutes * MINUTE_MS };
  }
  return { status: 'FAILED', nextAttemptAt: null };
}

/** The rule for a stored contact; null when it is gone. */
export async function contactAfterAttempt(
  db: Db,
  contactId: string,
  end: AttemptEnd,
): Promise<{ status: ContactStatus; nextAttemptAt: number | null } | null> {
  const row = await db
    .selectFrom('contacts')
    .innerJoin('campaigns', 'campaigns.id', 'contacts.campaignId')
    .select(['contacts.attempts', 'campaigns.maxAttempts', 'campaigns.retryDelayMinutes'])
    .where('contacts.id', '=', contactId)
    .executeTakeFirst();
  return row ? retryRule(end, row) : null;
}
