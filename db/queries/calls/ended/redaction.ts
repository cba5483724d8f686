// The row and the policy by which a call is redacted that has no conductor any more.
import type { TranscriptEntry } from '../../../records/resources.ts';
import type { AgentTable } from '../../../schema/agents.ts';
import type { BusinessTable } from '../../../schema/businesses.ts';
import type { CallTable } from '../../../schema/call-columns.ts';
import type { Db } from '../../../schema.ts';

interface RedactedCall {
  call: Pick<CallTable, 'fromNumber' | 'toNumber' | 'callerName' | 'direction'>;
  business: Pick<BusinessTable, 'redaction'>;
  agent: Pick<AgentTable, 'language' | 'additionalLanguages'>;
}

/** Null for a call that is not there. */
export async function redactedCall(db: Db, callId: string): Promise<RedactedCall | null> {
  const row = await db
    .selectFrom('calls')
    .innerJoin('businesses', 'businesses.id', 'calls.businessId')
    .innerJoin('agents', 'agents.id', 'calls.agentId')
    .select(['calls.fromNumber', 'calls.toNumber', 'calls.callerName', 'calls.direction'])
    .select(['businesses.redaction', 'agents.language', 'agents.additionalLanguages'])
    .where('calls.id', '=', callId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { redaction, language, additionalLanguages, ...call } = row;
  return { call, business: { redaction }, agent: { language, additionalLanguages } };
}

/** As it was stored; null while the call is open. */
export async function endedTranscript(db: Db, callId: string): Promise<TranscriptEntry[] | null> {
  const call = await db
    .selectFrom('calls')
    .select('transcript')
    .where('id', '=', callId)
    .where('endedAt', 'is not', null)
    .executeTakeFirst();
  return call ? (JSON.parse(call.transcript) as TranscriptEntry[]) : null;
}
