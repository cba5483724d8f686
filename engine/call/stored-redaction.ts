// The redaction of a call that has no conductor any more, by its rows: the policy is that of now, since nobody
// remembers the one with which the call began.
import type { RedactionRules } from '../../db/domain/redaction/find.ts';
import type { RedactedCopy } from '../../db/domain/redaction/policy.ts';
import { redactedCall } from '../../db/queries/calls/ended/redaction.ts';
import type { Db } from '../../db/schema.ts';
import { redactionOf } from './setup.ts';

/** As `redactionOf`; null also for a call that is not there. */
export async function storedRedaction(read: Db, callId: string, copy: RedactedCopy): Promise<RedactionRules | null> {
  const stored = await redactedCall(read, callId);
  if (stored === null) return null;
  const { call, ...setup } = stored;
  return redactionOf({ call, setup, medium: { kind: call.direction } }, copy);
}
