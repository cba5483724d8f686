// Reading calls: lists, one call, its transcript.

import { appointmentsOfCalls, getCall } from '../../db/queries/calls/calls.ts';
import type { CallFilter } from '../../db/queries/calls/list/counts.ts';
import type { CallOrder } from '../../db/queries/calls/list/judged-pages.ts';
import { feedTranscript } from '../../db/queries/calls/running/feed.ts';
import { type CallResource, callResource } from '../../db/records/call-record.ts';
import type { TranscriptEntry } from '../../db/records/resources.ts';
import type { CallTable } from '../../db/schema/call-columns.ts';
import type { Db } from '../../db/schema.ts';
import type { ApiContext } from '../context.ts';
import { notFound } from '../frame/errors.ts';
import { offsetOf, pagination } from '../frame/pagination.ts';
import type { CallReader } from './list/reader.ts';

/** The whole answer of a list, as JSON. `isExact`: nothing in it is older than its question. */
export async function listCallsJson(
  reader: CallReader,
  accountId: string,
  filter: CallFilter,
  query: { page: number; limit: number; sort?: CallOrder },
): Promise<{ json: Buffer; isExact: boolean }> {
  const { page, limit, sort } = query;
  const place = { limit, offset: offsetOf(query) };
  const { records, total, isExact = false } = await reader.read(accountId, filter, place, sort);
  const json = `{"success":true,"data":[${records}],"pagination":${JSON.stringify(pagination(page, limit, total))}}`;
  return { json: Buffer.from(json), isExact };
}

/** The row, or 404. */
export async function callRow(db: Db, accountId: string, id: string): Promise<CallTable> {
  const row = await getCall(db, accountId, id);
  if (row === undefined) throw notFound('Call');
  return row;
}

export async function readCall(db: Db, accountId: string, id: string): Promise<CallResource> {
  const row = await callRow(db, accountId, id);
  return callResource(row, await appointmentsOfCalls(db, accountId, [id]));
}

/** The transcript; for a running call, up to now. */
export async function readTranscript(context: ApiContext, accountId: string, id: string): Promise<TranscriptEntry[]> {
  const row = await callRow(context.read, accountId, id);
  const kept = JSON.parse(row.transcript) as TranscriptEntry[];
  if (row.endedAt !== null || kept.length > 0) return kept;
  return (await feedTranscript(context.read, id)).map(publicEntry);
}

/** Without what the feed keeps of it besides. */
export function publicEntry({ speaker, text, timestamp, line }: TranscriptEntry): TranscriptEntry {
  return { speaker, text, timestamp, ...(line === undefined ? {} : { line }) };
}
