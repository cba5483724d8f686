// The timeline of one call, for `GET /calls/:id` and as a picture.

import type { CallTimeline } from '../../../db/domain/calls/timeline.ts';
import { findTimeline } from '../../../db/queries/calls/ended/timelines.ts';
import type { CallLatency, TranscriptEntry } from '../../../db/records/resources.ts';
import type { Db } from '../../../db/schema.ts';
import { notFound } from '../../frame/errors.ts';
import { problemRecords } from '../problems.ts';
import { callRow } from '../service.ts';
import { timelineSvg } from './timeline-svg.ts';

const NOTHING_TIMED: CallTimeline = { turns: [], bargeIns: [], speech: null };

/**
 * The details of one call that lists do not have: its latency with each turn and interruption, its tool calls, its
 * tries to reach a person, its changes of language, where another engine went on with it,
 * and what somebody found wrong.
 */
export async function callDetails(
  db: Db,
  accountId: string,
  { id, latency }: { id: string; latency: CallLatency | null },
) {
  const timeline = await findTimeline(db, accountId, id);
  const { turns = [], bargeIns = [], toolCalls = [], sources = [], resumptions = [], transfers = [] } = timeline ?? {};
  const { languageChanges = [] } = timeline ?? {};
  const problems = await problemRecords(db, accountId, id);
  return {
    latency: latency && timeline ? { ...latency, timeline: turns, bargeIns } : latency,
    // A call without any is the same as in a list.
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...(sources.length === 0 ? {} : { sources }),
    ...(transfers.length === 0 ? {} : { transfers }),
    ...(languageChanges.length === 0 ? {} : { languageChanges }),
    ...(resumptions.length === 0 ? {} : { resumptions }),
    ...(problems.length === 0 ? {} : { problems }),
  };
}

/** @throws {ApiError} 404 until the call has ended */
export async function timelinePicture(db: Db, accountId: string, id: string): Promise<string> {
  const row = await callRow(db, accountId, id);
  if (row.endedAt === null) throw notFound('Timeline');
  const timeline = (await findTimeline(db, accountId, id)) ?? NOTHING_TIMED;
  return timelineSvg({
    durationMs: row.answeredAt === null ? 0 : row.endedAt - row.answeredAt,
    latency: row.latency === null ? null : (JSON.parse(row.latency) as CallLatency),
    transcript: JSON.parse(row.transcript) as TranscriptEntry[],
    timeline,
  });
}
