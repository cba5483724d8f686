// The cases of test suites: made, changed and deleted.
import {
  countCases,
  definitionCharacters,
  deleteCase,
  getCase,
  insertCases,
  listCases,
  nextPosition,
  updateCase,
} from '../../db/queries/test-runs/cases.ts';
import { isoTime } from '../../db/records/resources.ts';
import type { TestCaseTable } from '../../db/schema/test-suites.ts';
import type { Db } from '../../db/schema.ts';
import { newId } from '../../db/shared/id.ts';
import { callRow } from '../calls/service.ts';
import type { ApiContext } from '../context.ts';
import { notFound, refused } from '../frame/errors.ts';
import { offsetOf, type PageQuery, pagination } from '../frame/pagination.ts';
import { checkedDefinition } from './rules.ts';
import type { CaseCreate, CasePatch, CaseRecord } from './schema.ts';
import { suiteRow } from './service.ts';

/** Of a suite. */
export const CASES_MAX = 200;
/** Definitions of a suite as JSON, together: each run has a copy of them. */
const SUITE_CHARACTERS_MAX = 2_000_000;

/** In their order. @throws {ApiError} 404 */
export async function listCaseRecords({ read }: ApiContext, accountId: string, suiteId: string, query: PageQuery) {
  await suiteRow(read, accountId, suiteId);
  const page = { limit: query.limit, offset: offsetOf(query) };
  const { rows, total } = await listCases(read, accountId, suiteId, page);
  return { data: rows.map(caseRecord), pagination: pagination(query.page, query.limit, total) };
}

/** @throws {ApiError} 404 */
async function caseRow(db: Db, accountId: string, id: string): Promise<TestCaseTable> {
  const row = await getCase(db, accountId, id);
  if (row === undefined) throw notFound('Test case');
  return row;
}

export async function readCase({ read }: ApiContext, accountId: string, id: string): Promise<CaseRecord> {
  return caseRecord(await caseRow(read, accountId, id));
}

/** @throws {ApiError} 404, 409, 422 */
export async function createCase(
  context: ApiContext,
  accountId: string,
  suiteId: string,
  body: CaseCreate,
): Promise<CaseRecord> {
  const [record] = await addCases(context, accountId, suiteId, [body]);
  if (record === undefined) throw new Error('one case was added, and none is there');
  return record;
}

/** All or none of them. `callId`: a call of this account that they are made of. @throws {ApiError} 404, 409, 422 */
export async function addCases(
  context: ApiContext,
  accountId: string,
  suiteId: string,
  bodies: readonly CaseCreate[],
  callId: string | null = null,
): Promise<CaseRecord[]> {
  const nowMs = context.now();
  return context.db.transaction().execute(async (trx) => {
    await suiteRow(trx, accountId, suiteId);
    // Erased meanwhile: then nothing would take its words out again.
    if (callId !== null && (await callRow(trx, accountId, callId)).erasedAt !== null) throw notFound('Call');
    const total = await countCases(trx, accountId, suiteId);
    if (total + bodies.length > CASES_MAX)
      throw refused('QUOTA_EXCEEDED', `A test suite has at most ${CASES_MAX} cases; it has ${total}`);
    const next = await nextPosition(trx, accountId, suiteId);
    const rows = bodies.map(({ name, kind = 'eval', position, definition }, index): TestCaseTable => {
      const checked = JSON.stringify(checkedDefinition(kind, definition));
      const of = { id: newId('tcs'), accountId, suiteId, kind, name, callId, createdAt: nowMs, updatedAt: nowMs };
      return { ...of, position: position ?? next + index, definition: checked };
    });
    const added = rows.reduce((sum, { definition }) => sum + definition.length, 0);
    checkCharacters((await definitionCharacters(trx, accountId, suiteId)) + added);
    await insertCases(trx, rows);
    return rows.map(caseRecord);
  });
}

/** @throws {ApiError} 409 */
function checkCharacters(together: number): void {
  if (together > SUITE_CHARACTERS_MAX)
    throw refused(
      'QUOTA_EXCEEDED',
      `The definitions of a test suite have at most ${SUITE_CHARACTERS_MAX} characters of JSON, together`,
    );
}

/** A definition is replaced whole. @throws {ApiError} 404, 409, 422 */
export async function patchCase(
  context: ApiContext,
  accountId: string,
  id: string,
  { definition, ...body }: CasePatch,
): Promise<CaseRecord> {
  return context.db.transaction().execute(async (trx) => {
    const current = await caseRow(trx, accountId, id);
    const kind = body.kind ?? current.kind;
    const checked = JSON.stringify(checkedDefinition(kind, definition ?? JSON.parse(current.definition)));
    const added = checked.length - current.definition.length;
    if (added > 0) checkCharacters((await definitionCharacters(trx, accountId, current.suiteId)) + added);
    const changes = { ...body, definition: checked, updatedAt: context.now() };
    const row = await updateCase(trx, accountId, id, changes);
    if (row === undefined) throw notFound('Test case');
    return caseRecord(row);
  });
}

/** Its results in runs stay. @throws {ApiError} 404 */
export async function removeCase({ db }: ApiContext, accountId: string, id: string): Promise<CaseRecord> {
  const row = await deleteCase(db, accountId, id);
  if (row === undefined) throw notFound('Test case');
  return caseRecord(row);
}

function caseRecord({
  id,
  suiteId,
  kind,
  name,
  position,
  definition,
  createdAt,
  updatedAt,
}: TestCaseTable): CaseRecord {
  const times = { createdAt: isoTime(createdAt), updatedAt: isoTime(updatedAt) };
  return { id, suiteId, kind, name, position, definition: JSON.parse(definition), ...times };
}
