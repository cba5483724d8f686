// Whether and when to dial a contact again: busy, no answer, network failures and faults of our own are retried inside
// the calling window; declined calls, unknown numbers and answered calls are not.

import { MINUTE_MS } from '../../db/domain/hours/durations.ts';
import { nextCallableAt } from '../../db/domain/hours/window-of-contact.ts';
import { retryTerms } from '../../db/queries/campaigns/contacts.ts';
import { callingWindow } from '../../db/records/resources.ts';
import type { ContactStatus } from '../../db/schema/campaigns.ts';
import type { Db } from '../../db/schema.ts';

export interface AttemptEnd {
  outcome: string;
  answered: boolean;
  /** Busy, no answer, a network failure, or a fault of our own. */
  retryable: boolean;
  endedAtMs: number;
}

export interface ContactNext {
  status: ContactStatus;
  nextAttemptAt: number | null;
}

/** The pure rule: an attempt's effect on its contact. `attempts` includes the one that ended. */
export function retryRule(
  end: AttemptEnd,
  { attempts, maxAttempts, retryDelayMinutes }: { attempts: number; maxAttempts: number; retryDelayMinutes: number },
): ContactNext {
  if (end.outcome === 'voicemail_left' || end.outcome === 'voicemail')
    return { status: 'VOICEMAIL', nextAttemptAt: null };
  if (end.answered) return { status: 'COMPLETED', nextAttemptAt: null };
  if (end.retryable && attempts < maxAttempts) {
    return { status: 'PENDING', nextAttemptAt: end.endedAtMs + retryDelayMinutes * MINUTE_MS };
  }
  return { status: 'FAILED', nextAttemptAt: null };
}

/** Of a contact that would be called again, were any of its attempts left. */
const ANY_LEFT = { attempts: 0, maxAttempts: 1, retryDelayMinutes: 0 };

/**
 * The rule for a stored contact, with its next attempt moved into the window; null if the contact no longer exists. The
 * database is asked only where the contact may be called again: a call that was answered ends without it.
 */
export async function contactAfterAttempt(db: Db, contactId: string, end: AttemptEnd): Promise<ContactNext | null> {
  const settled = retryRule(end, ANY_LEFT);
  if (settled.status !== 'PENDING') return settled;
  const row = await retryTerms(db, contactId);
  if (!row) return null;
  const next = retryRule(end, row);
  if (next.nextAttemptAt === null) return next;
  const at = nextCallableAt(callingWindow(row), row.phoneNumber, row.timezone ?? 'UTC', next.nextAttemptAt);
  return at === null ? { status: 'FAILED', nextAttemptAt: null } : { status: next.status, nextAttemptAt: at };
}
