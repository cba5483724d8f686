// Problems that a person finds in a call that has ended: one word for a line of the transcript, and a note.
import { Type } from 'typebox';
import { problemsOf, removeProblem, saveProblem } from '../../db/queries/calls/ended/problems.ts';
import { isoTime, type TranscriptEntry } from '../../db/records/resources.ts';
import type { CallProblemTable } from '../../db/schema/calls.ts';
import type { Db } from '../../db/schema.ts';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, ok } from '../frame/envelope-schema.ts';
import { notFound, refused } from '../frame/errors.ts';
import { CallProblemBody, CallProblemRecord } from './schema.ts';
import { callRow } from './service.ts';

const tags = ['Calls'];
const config = { idempotent: false, scope: 'work' } as const;
const params = Type.Object({
  id: Type.String(),
  timestamp: Type.String({ description: 'That of the line, in ms' }),
});

/** Of no line, where the text is no number. */
const atMsOf = (text: string): number => (/^\d{1,12}$/.test(text) ? Number(text) : -1);

const recordOf = ({ atMs, kind, note, createdAt }: CallProblemTable): CallProblemRecord => ({
  timestamp: atMs,
  kind,
  note,
  createdAt: isoTime(createdAt),
});

export async function problemRecords(db: Db, accountId: string, callId: string): Promise<CallProblemRecord[]> {
  return (await problemsOf(db, accountId, callId)).map(recordOf);
}

export function registerCallProblems(app: App, context: ApiContext): void {
  app.put(
    '/calls/:id/problems/:timestamp',
    {
      config,
      schema: {
        tags,
        summary: 'Say what was wrong with a line of a call',
        description:
          'In place of what was said of the line before. `GET /calls?problem=KIND` lists such calls. It goes with the call when that is erased.',
        params,
        body: CallProblemBody,
        response: { 200: ok(CallProblemRecord), ...errorResponses(400, 401, 404, 409, 422, 429) },
      },
    },
    async ({ auth: { accountId }, params: { id, timestamp }, body }) => {
      const note = body.note?.trim() || null;
      const atMs = atMsOf(timestamp);
      const row = { callId: id, atMs, accountId, kind: body.kind, note, createdAt: context.now() };
      // In one transaction with the look at the call: an erasure in between would leave the note behind.
      await context.db.transaction().execute(async (trx) => {
        const call = await callRow(trx, accountId, id);
        if (call.endedAt === null) throw refused('CALL_RUNNING', 'Call has not ended');
        const lines = JSON.parse(call.transcript) as TranscriptEntry[];
        if (!lines.some((line) => line.timestamp === atMs)) throw notFound('Line');
        await saveProblem(trx, row);
      });
      return { data: recordOf(row) };
    },
  );
  app.delete(
    '/calls/:id/problems/:timestamp',
    {
      config,
      schema: {
        tags,
        summary: 'Take back what was said of a line of a call',
        params,
        response: { 200: ok(CallProblemRecord), ...errorResponses(401, 404, 422, 429) },
      },
    },
    async ({ auth: { accountId }, params: { id, timestamp } }) => {
      const row = await removeProblem(context.db, { accountId, callId: id, atMs: atMsOf(timestamp) });
      if (row === undefined) throw notFound('Problem');
      return { data: recordOf(row) };
    },
  );
}
