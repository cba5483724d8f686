// The redaction of a call that has no conductor any more, by its rows: the policy is that of now, since nobody
// remembers the one with which the call began.
import type { RedactionRules } from '../../db/domain/redaction/find.ts';
import type { RedactedCopy } from '../../db/domain/redaction/policy.ts';
import type { Db } from '../../db/schema.ts';
import { redactionOf } from './setup.ts';

/** As `redactionOf`; null for a call that is not there. */
export async function storedRedaction(read: Db, callId: string, copy: RedactedCopy): Promise<RedactionRules | null> {
  const row = await read
    .selectFrom('calls')
    .innerJoin('businesses', 'businesses.id', 'calls.businessId')
    .innerJoin('agents', 'agents.id', 'calls.agentId')
    .select(['calls.fromNumber', 'calls.toNumber', 'calls.callerName', 'calls.direction'])
    .select(['businesses.redaction', 'agents.language', 'agents.additionalLanguages'])
    .where('calls.id', '=', callId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { redaction, language, additionalLanguages, direction, ...call } = row;
  const setup = { business: { redaction }, agent: { language, additionalLanguages } };
  return redactionOf({ call, setup, medium: { kind: direction } }, copy);
}
