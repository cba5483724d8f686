// The wanted results of an ended call, and the ones that were found.
import { type Criterion, filteredValues, joinedWishes, type OutputWish } from '../../domain/results.ts';
import { addEvent } from '../../outbox.ts';
import type { CallAnalysis, TranscriptEntry } from '../../records/resources.ts';
import type { Db } from '../../schema.ts';

interface AnalysisWork {
  accountId: string;
  outputs: OutputWish[];
  criteria: Criterion[];
  transcript: TranscriptEntry[];
  /** The finder of the call's results; null: there are none yet. */
  analysedBy: CallAnalysis['by'] | null;
  /** BCP 47; the agent's. */
  language: string;
  facts: {
    callerName: string | null;
    /** The other party's. */
    number: string;
    optedOut: boolean;
    appointment: { service: string | null; startsAt: number; name: string | null; phone: string | null } | null;
    timezone: string;
  };
}

/** Null for a call that nobody answered, or of which nothing is wanted. */
export async function analysisWork(db: Db, callId: string): Promise<AnalysisWork | null> {
  const row = await db
    .selectFrom('calls')
    .innerJoin('businesses', 'businesses.id', 'calls.businessId')
    .innerJoin('campaigns', 'campaigns.id', 'calls.campaignId')
    .leftJoin('agents', 'agents.id', 'calls.agentId')
    .select([
      'calls.accountId',
      'calls.transcript',
      'calls.callerName',
      'calls.direction',
      'calls.fromNumber',
      'calls.toNumber',
      'calls.tags',
      'calls.analysis',
      'businesses.outputs',
      'businesses.criteria',
      'businesses.timezone',
      'campaigns.outputs as campaignOutputs',
      'campaigns.criteria as campaignCriteria',
      'agents.language',
    ])
    .where('calls.id', '=', callId)
    .where('calls.answeredAt', 'is not', null)
    .where('calls.endedAt', 'is not', null)
    .where('calls.erasedAt', 'is', null)
    .executeTakeFirst();
  if (!row) return null;
  const outputs = joinedWishes<OutputWish>(JSON.parse(row.campaignOutputs), JSON.parse(row.outputs));
  const criteria = joinedWishes<Criterion>(JSON.parse(row.campaignCriteria), JSON.parse(row.criteria));
  if (outputs.length === 0 && criteria.length === 0) return null;
  const appointment = await db
    .selectFrom('appointments')
    .select(['service', 'startsAt', 'name', 'phone'])
    .where('accountId', '=', row.accountId)
    .where('callId', '=', callId)
    .orderBy('createdAt', 'desc')
    .executeTakeFirst();
  return {
    accountId: row.accountId,
    outputs,
    criteria,
    transcript: JSON.parse(row.transcript) as TranscriptEntry[],
    analysedBy: row.analysis === null ? null : (JSON.parse(row.analysis) as CallAnalysis).by,
    language: row.language ?? 'en-US',
    facts: {
      callerName: row.callerName,
      number: row.direction === 'inbound' ? row.fromNumber : row.toNumber,
      optedOut: (JSON.parse(row.tags) as string[]).includes('opted-out'),
      appointment: appointment ?? null,
      timezone: row.timezone,
    },
  };
}

/** Stores what was found (`call.analysed`). An erased call keeps nothing of it. */
export async function storeAnalysis(
  db: Db,
  args: {
    callId: string;
    accountId: string;
    analysis: CallAnalysis;
    score: number | null;
    disposition: string | null;
    /** Where it was read again, and whether its webhooks tell of it. */
    rerun?: { id: string; isTold: boolean };
    nowMs: number;
  },
): Promise<void> {
  const { callId, accountId, analysis, score, disposition, rerun, nowMs } = args;
  const { numUpdatedRows } = await db
    .updateTable('calls')
    .set({ analysis: JSON.stringify(analysis), score, disposition })
    .where('id', '=', callId)
    .where('accountId', '=', accountId)
    .where('erasedAt', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  await replaceOutputs(db, { accountId, callId, score, data: analysis.data });
  if (rerun?.isTold === false) return;
  const data = { callId, ...analysis, score, disposition, ...(rerun && { rerunId: rerun.id }) };
  await addEvent(db, { accountId, type: 'call.analysed', subjectId: callId, dedupe: String(nowMs), data, nowMs });
}

/** Replaces the values by which lists of calls are filtered. */
async function replaceOutputs(
  db: Db,
  args: { accountId: string; callId: string; score: number | null; data: CallAnalysis['data'] },
): Promise<void> {
  const { accountId, callId, score, data } = args;
  await db.deleteFrom('callOutputs').where('callId', '=', callId).execute();
  const values = filteredValues(data);
  if (values.length === 0) return;
  const { startedAt } = await db
    .selectFrom('calls')
    .select('startedAt')
    .where('id', '=', callId)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('callOutputs')
    .values(values.map(([name, value]) => ({ accountId, name, value, startedAt, callId, score })))
    .execute();
}
