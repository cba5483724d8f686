// Canaries of agents and businesses: begun by publishing to a share of the calls, judged by the job that leads, ended
// by it or by hand.
import type { CanaryVerdict } from '../../db/domain/versions/canary-test.ts';
import { judgeCanary } from '../../db/domain/versions/canary-test.ts';
import { addEvent } from '../../db/outbox.ts';
import {
  allRunningCanaries,
  callsBefore,
  callsSince,
  insertCanary,
  listCanaries,
  runningCanaries,
  updateCanary,
} from '../../db/queries/businesses/canaries.ts';
import { deleteDraft, getDraft } from '../../db/queries/businesses/drafts.ts';
import { makeLive, markLeading } from '../../db/queries/businesses/versions.ts';
import { isoOrNull, isoTime } from '../../db/records/resources.ts';
import type { CanaryTable, DraftTable } from '../../db/schema/versions.ts';
import type { Db } from '../../db/schema.ts';
import { newId } from '../../db/shared/id.ts';
import { noteAudit } from '../audit/note.ts';
import type { ApiContext } from '../context.ts';
import type { Actor } from '../frame/app.ts';
import { ApiError, refused } from '../frame/errors.ts';
import { offsetOf, type PageQuery, pagination } from '../frame/pagination.ts';
import type { CanaryRecord } from './schema.ts';
import { type Subject, subjectNamed } from './subjects.ts';

export interface CanaryWish {
  share?: number;
  calls?: number;
}

const SHARE = 10;
const CALLS = 100;
const NONE: CanaryVerdict = { state: 'running', canaryCalls: 0, publishedCalls: 0, evidence: [] };

function canaryRecord(row: CanaryTable): CanaryRecord {
  const { canaryCalls, publishedCalls, evidence } = JSON.parse(row.verdict) as CanaryVerdict;
  const { id, subject, subjectId, version, publishedVersion, share, calls, actor, result } = row;
  return {
    id,
    subject,
    subjectId,
    version,
    publishedVersion,
    share,
    calls,
    actor,
    canaryCalls,
    publishedCalls,
    result,
    evidence,
    createdAt: isoTime(row.createdAt),
    endedAt: isoOrNull(row.endedAt),
  };
}

/** The draft leads a share of the calls. @throws {ApiError} 409 while another canary runs */
export async function beginCanary(
  context: ApiContext,
  trx: Db,
  actor: Actor,
  draft: DraftTable & { publishedVersion: number },
  { share = SHARE, calls = CALLS }: CanaryWish,
): Promise<CanaryRecord> {
  const { accountId, subject, subjectId, number, changes, publishedVersion } = draft;
  if (subject === 'tool') throw new Error('a call names no version of a tool');
  if ((await runningCanaries(trx, accountId, [subjectId])).length > 0)
    throw refused('CANARY_RUNNING', 'A canary runs already: publish, discard or stop it first');
  const nowMs = context.now();
  const verdict = JSON.stringify(NONE);
  const of = { id: newId('can'), accountId, subject, subjectId, version: number, publishedVersion };
  const row = {
    ...of,
    changes,
    share,
    calls,
    actor: actor.userId,
    createdAt: nowMs,
    endedAt: null,
    result: null,
    verdict,
  };
  await insertCanary(trx, row);
  await markLeading(trx, row, nowMs);
  return canaryRecord(row);
}

/** By hand, or because its draft was published or discarded. @returns null where none runs */
export async function stopCanary(
  context: ApiContext,
  trx: Db,
  accountId: string,
  subjectId: string,
): Promise<CanaryRecord | null> {
  const [running] = await runningCanaries(trx, accountId, [subjectId]);
  return running === undefined ? null : end(context, trx, running, 'stopped');
}

/** @throws {ApiError} 404, 409 where none runs */
export async function stopCanaryOf(
  context: ApiContext,
  subject: Subject,
  accountId: string,
  id: string,
): Promise<CanaryRecord> {
  return context.db.transaction().execute(async (trx) => {
    await subject.read({ ...context, read: trx }, accountId, id);
    const stopped = await stopCanary(context, trx, accountId, id);
    if (stopped === null) throw refused('NO_CANARY', 'No canary runs');
    return stopped;
  });
}

export async function listCanaryRecords(
  context: ApiContext,
  subject: Subject,
  accountId: string,
  id: string,
  query: PageQuery,
) {
  const { read } = context;
  await subject.read(context, accountId, id);
  const { rows, total } = await listCanaries(read, accountId, id, { limit: query.limit, offset: offsetOf(query) });
  return { data: rows.map(canaryRecord), pagination: pagination(query.page, query.limit, total) };
}

async function end(
  context: ApiContext,
  trx: Db,
  canary: CanaryTable,
  result: NonNullable<CanaryTable['result']>,
  verdict: string = canary.verdict,
): Promise<CanaryRecord> {
  const nowMs = context.now();
  const row = { ...canary, endedAt: nowMs, result, verdict };
  await updateCanary(trx, canary, { endedAt: nowMs, result, verdict });
  await markLeading(trx, canary, nowMs);
  const data = canaryRecord(row);
  await addEvent(trx, { accountId: canary.accountId, type: 'canary.ended', subjectId: canary.id, data, nowMs });
  return data;
}

const ACTIONS = { promoted: 'canaryPromoted', rolled_back: 'canaryRolledBack', stopped: 'canaryStopped' } as const;

/** Judges all that run by the calls that have ended. */
export async function judgeCanaries(context: ApiContext): Promise<void> {
  for (const canary of await allRunningCanaries(context.read)) {
    const [before, since] = [await callsBefore(context.read, canary), await callsSince(context.read, canary)];
    const verdict = judgeCanary(before, since, canary.calls);
    const text = JSON.stringify(verdict);
    if (verdict.state === 'running') {
      if (text !== canary.verdict) await updateCanary(context.db, canary, { verdict: text });
      continue;
    }
    const result = await decide(context, { ...canary, verdict: text }, verdict.state);
    if (result === null) continue;
    const { id, accountId, subject, subjectId, version } = canary;
    context.log.info({ canaryId: id, subjectId, version, result, evidence: verdict.evidence }, 'a canary has ended');
    const what = { action: ACTIONS[result], resource: subject, resourceId: subjectId, fields: '[]' };
    await noteAudit(context, { accountId, actor: canary.actor, tokenId: null, address: null, ...what });
  }
}

/** @returns null where it was ended meanwhile */
async function decide(
  context: ApiContext,
  canary: CanaryTable,
  state: 'good' | 'worse',
): Promise<CanaryTable['result']> {
  const { accountId, subjectId } = canary;
  const endAs = (result: NonNullable<CanaryTable['result']>) =>
    context.db.transaction().execute(async (trx) => {
      const isRunning = (await runningCanaries(trx, accountId, [subjectId])).some(({ id }) => id === canary.id);
      if (!isRunning) return null;
      if (result === 'promoted') await promote(context, trx, canary);
      await end(context, trx, canary, result, canary.verdict);
      return result;
    });
  if (state === 'worse') return endAs('rolled_back');
  try {
    return await endAs('promoted');
  } catch (error) {
    // Its subject is deleted by now, or a tool that it names.
    if (!(error instanceof ApiError)) throw error;
    context.log.warn({ canaryId: canary.id, code: error.code }, 'a good canary cannot be published');
    return endAs('stopped');
  }
}

/** A draft that was changed since stays one. */
async function promote(context: ApiContext, trx: Db, canary: CanaryTable): Promise<void> {
  const { accountId, subject, subjectId, version, changes, actor } = canary;
  const columns = JSON.parse(changes) as object;
  await subjectNamed(subject).publish(trx, context, { accountId, userId: actor }, { id: subjectId, columns });
  const draft = await getDraft(trx, accountId, subjectId);
  if (draft?.number === version) await deleteDraft(trx, accountId, subjectId);
  await makeLive(trx, canary, version, context.now());
}
