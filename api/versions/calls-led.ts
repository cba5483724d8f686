// The calls that a version has led: what a change did to them, and how sure that is.

import { median, wilson } from '../../db/domain/statistics.ts';
import { hasFailed, hasLeftEarly } from '../../db/queries/businesses/version-measures.ts';
import { callsOfVersion } from '../../db/queries/businesses/versions.ts';
import type { CallLatency } from '../../db/records/resources.ts';
import type { VersionSubject } from '../../db/schema/versions.ts';
import type { Db } from '../../db/schema.ts';
import type { VersionCalls } from './schema.ts';

/** Of each version of a page, which is read on the main thread. */
const CALLS_READ = 200;
/** The engine and the API may have another time. */
const CLOCKS_DIFFER_MS = 5_000;

interface Led {
  number: number;
  liveFrom: number | null;
  liveUntil: number | null;
}

/** Null for tools. `campaignId`: of its calls alone. */
export async function callsLedBy(
  db: Db,
  { accountId, subject, subjectId }: { accountId: string; subject: VersionSubject; subjectId: string },
  { number, liveFrom, liveUntil }: Led,
  campaignId: string | null,
): Promise<VersionCalls | null> {
  if (subject === 'tool') return null;
  const span = {
    number,
    fromMs: (liveFrom ?? Number.MAX_SAFE_INTEGER) - CLOCKS_DIFFER_MS,
    beforeMs: liveUntil === null ? Number.MAX_SAFE_INTEGER : liveUntil + CLOCKS_DIFFER_MS,
    campaignId,
  };
  // A draft has led none.
  const calls = liveFrom === null ? [] : await callsOfVersion(db, { accountId, subject, subjectId }, span, CALLS_READ);
  const share = (hits: number) => ({
    share: calls.length === 0 ? 0 : hits / calls.length,
    ...wilson(hits, calls.length),
  });
  const gaps = calls.flatMap(({ latency }) => {
    const gap = latency === null ? null : (JSON.parse(latency) as CallLatency).p50Ms;
    return gap === null ? [] : [gap];
  });
  return {
    answered: calls.length,
    transferred: share(calls.filter(({ outcome }) => outcome === 'transferred').length),
    failed: share(calls.filter(hasFailed).length),
    leftEarly: share(calls.filter(hasLeftEarly).length),
    responseGapMs: median(gaps),
  };
}
