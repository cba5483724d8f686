// Makes cases of a transcript: each turn of the caller is said to the agent of today, after all that was said before.
// The agent's words of then are a hint beside the new reply, and no check.
import type { EvalDefinition } from '../../db/domain/tests/definitions.ts';
import { getCall } from '../../db/queries/calls/calls.ts';
import type { ApiContext } from '../context.ts';
import { invalid } from '../frame/errors.ts';
import { addCases } from './cases.ts';
import type { CaseCreate, TestImport, TestImported } from './schema.ts';
import { callIdIn, readTranscript, type SpokenLine } from './transcripts.ts';

/** The newest lines: as many as a definition may have. */
const HISTORY_MAX = 200;
const NAME_MAX = 80;

/** @throws {ApiError} 404, 409, 422 */
export async function importTranscript(
  context: ApiContext,
  accountId: string,
  suiteId: string,
  body: TestImport,
): Promise<TestImported> {
  const lines = readTranscript(body.transcript);
  const callId = await callOf(context, accountId, body);
  const added = await addCases(context, accountId, suiteId, casesOf(lines, body), callId);
  return { count: added.length, caseIds: added.map(({ id }) => id) };
}

/** The account's call that the transcript is of; null: of none that is known. @throws {ApiError} 422 */
async function callOf(
  { read }: ApiContext,
  accountId: string,
  { callId, transcript }: TestImport,
): Promise<string | null> {
  const id = callId ?? callIdIn(transcript);
  if (id === undefined) return null;
  const call = await getCall(read, accountId, id);
  if (call !== undefined) return call.id;
  if (callId === undefined) return null;
  throw invalid([{ field: 'callId', message: 'names no call' }]);
}

function casesOf(
  lines: readonly SpokenLine[],
  { name = 'Turn', checks = [], language, context }: TestImport,
): CaseCreate[] {
  const cases: CaseCreate[] = [];
  for (const [index, { role, text }] of lines.entries()) {
    if (role !== 'caller') continue;
    const answer = lines[index + 1];
    const definition: EvalDefinition = {
      ...(language === undefined ? {} : { language }),
      ...(context === undefined ? {} : { context }),
      history: lines.slice(Math.max(0, index - HISTORY_MAX), index),
      turns: [{ say: text, ...(answer === undefined ? {} : { hint: answer.text }) }],
      checks,
    };
    cases.push({ name: `${name} ${cases.length + 1}: ${text}`.slice(0, NAME_MAX).trim(), definition });
  }
  return cases;
}
