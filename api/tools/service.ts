// Tools: kept with their headers sealed, and tried as a call would run them.
import { deleteDraft, drafted, draftsOf, draftsWithTool, getDraft } from '../../db/queries/businesses/drafts.ts';
import {
  getTool,
  insertTool,
  listTools,
  softDeleteTool,
  toolNamed,
  updateTool,
  usersOfTool,
} from '../../db/queries/tools/tools.ts';
import { isoOrNull, isoTime } from '../../db/records/resources.ts';
import type { ToolTable } from '../../db/schema/tools.ts';
import type { Db } from '../../db/schema.ts';
import { newId } from '../../db/shared/id.ts';
import { seal, unseal } from '../../db/shared/secrets/secret-box.ts';
import { assignedValues } from '../../models/tools/open.ts';
import type { ApiContext } from '../context.ts';
import type { Actor } from '../frame/app.ts';
import { invalid, notFound, refused, retryLater } from '../frame/errors.ts';
import { offsetOf, type PageQuery, pagination } from '../frame/pagination.ts';
import { PlacesPerAccount } from '../threads/places-per-account.ts';
import { editing, keepDraft, keepVersion } from '../versions/keep.ts';
import { readCatalogue } from './catalogues.ts';
import { checkTool, isSameOrigin } from './rules.ts';
import type { ToolCreate, ToolPatch, ToolRecord, ToolTest, ToolTested } from './schema.ts';
import { tryTool } from './try.ts';

/** Of an account, deleted ones not counted. */
const TOOLS_MAX = 200;
const MASK = '********';

/** A run takes as long as the tool's time-out at most. */
const tests = new PlacesPerAccount({
  what: 'tests of tools',
  total: 20,
  perAccount: 3,
  full: () => retryLater('TOOL_TESTS_BUSY', 'Too many tools are being tried', 5),
});

export async function listToolRecords(context: ApiContext, accountId: string, query: PageQuery) {
  const { rows, total } = await listTools(context.read, accountId, { limit: query.limit, offset: offsetOf(query) });
  const drafts = await draftsOf(
    context.read,
    accountId,
    rows.map(({ id }) => id),
  );
  return {
    data: rows.map((row) => toolRecord(drafted(row, drafts.get(row.id)), drafts.get(row.id)?.number)),
    pagination: pagination(query.page, query.limit, total),
  };
}

/** @throws {ApiError} 404 */
async function toolRow(db: Db, accountId: string, id: string): Promise<ToolTable> {
  const row = await getTool(db, accountId, id);
  if (row === undefined) throw notFound('Tool');
  return row;
}

interface ToolAnswered {
  data: ToolRecord;
  warnings?: string[];
}

export async function createTool(context: ApiContext, actor: Actor, body: ToolCreate): Promise<ToolAnswered> {
  const { accountId } = actor;
  await checkTool(context, body);
  const id = newId('tol');
  const row: ToolTable = {
    kind: 'http',
    method: 'POST',
    headerNames: '[]',
    headersSealed: null,
    parameters: '{"type":"object","properties":{}}',
    timeoutMs: 5_000,
    mode: 'wait',
    sayWhile: null,
    assigns: '{}',
    phrases: '[]',
    whenInterrupted: 'finish',
    onlyNames: null,
    catalogue: null,
    catalogueAt: null,
    catalogueTriedAt: null,
    catalogueError: null,
    ...columns(context, id, body),
    name: body.name,
    description: body.description,
    url: body.url,
    id,
    accountId,
    createdAt: context.now(),
    deletedAt: null,
    version: 1,
  };
  await context.db.transaction().execute(async (trx) => {
    const { total } = await listTools(trx, accountId, { limit: 1, offset: 0 });
    if (total >= TOOLS_MAX) throw refused('QUOTA_EXCEEDED', `An account has at most ${TOOLS_MAX} tools`);
    await checkName(trx, accountId, id, body.name);
    await insertTool(trx, accountId, row);
    await keepVersion(trx, actor, { subject: 'tool', before: null, after: toolRecord(row), nowMs: row.createdAt });
  });
  return row.kind === 'mcp' ? refreshTool(context, accountId, id) : { data: toolRecord(row) };
}

export async function patchTool(
  context: ApiContext,
  actor: Actor,
  id: string,
  body: ToolPatch,
  restoredFrom: number | null = null,
): Promise<ToolAnswered> {
  const { accountId } = actor;
  await checkTool(context, body);
  let lost: string[] = [];
  const changed = await context.db.transaction().execute(async (trx) => {
    const of = await editing(trx, 'tool', await toolRow(trx, accountId, id));
    const current = of.row;
    if (body.name !== undefined) await checkName(trx, accountId, id, body.name);
    const { setHeaders, ...others } = body;
    // Sealed headers are shown to nobody: another origin gets none of them unless they come anew.
    const goesElsewhere = body.url !== undefined && !isSameOrigin(body.url, current.url);
    const kept = goesElsewhere ? { ...current, headersSealed: null } : current;
    const headers =
      setHeaders === undefined
        ? goesElsewhere && body.headers === undefined
          ? { headers: null }
          : {}
        : { headers: mergedHeaders(context, kept, setHeaders) };
    lost = goesElsewhere && body.headers === undefined ? lostNames(current, setHeaders) : [];
    const changes = columns(context, id, { ...others, ...headers });
    const number = of.draft?.number ?? null;
    if (Object.keys(changes).length === 0) return { row: current, draft: number };
    const change = {
      subject: 'tool',
      before: toolRecord(current, number),
      nowMs: context.now(),
      restoredFrom,
    } as const;
    if (of.isDraft) return keepDraft(trx, actor, { ...change, of, columns: changes, recordOf: toolRecord });
    const row = await updateTool(trx, accountId, id, changes);
    if (row === undefined) throw notFound('Tool');
    await keepVersion(trx, actor, { ...change, after: toolRecord(row) });
    return { row: await toolRow(trx, accountId, id), draft: null };
  });
  const { row, draft } = changed;
  const isElsewhere =
    body.kind !== undefined || body.url !== undefined || body.headers !== undefined || body.setHeaders !== undefined;
  const answer =
    row.kind === 'mcp' && isElsewhere && draft === null
      ? await refreshTool(context, accountId, id)
      : { data: toolRecord(row, draft) };
  if (lost.length === 0) return answer;
  const warning = `The address is another server's: it gets no headers of the former one. Bring them anew: ${lost.join(', ')}`;
  return { ...answer, warnings: [warning, ...(answer.warnings ?? [])] };
}

/** With its draft. @throws {ApiError} 404 */
export async function readTool(db: Db, accountId: string, id: string): Promise<ToolRecord> {
  const { row, draft } = await toolWithDraft(db, accountId, id);
  return toolRecord(row, draft?.number);
}

async function toolWithDraft(db: Db, accountId: string, id: string) {
  const live = await toolRow(db, accountId, id);
  const draft = await getDraft(db, accountId, id);
  return { row: drafted(live, draft), draft };
}

/**
 * Makes the columns of its draft what calls obey.
 * @returns whether a catalogue is to be read anew, once that is committed
 * @throws {ApiError} 409 for a name that another tool has by now
 */
export async function publishTool(
  trx: Db,
  accountId: string,
  id: string,
  columns: Partial<ToolTable>,
): Promise<{ isElsewhere: boolean }> {
  if (columns.name !== undefined) await checkName(trx, accountId, id, columns.name);
  const row = await updateTool(trx, accountId, id, columns);
  if (row === undefined) throw notFound('Tool');
  const { kind, url, headersSealed } = columns;
  const isElsewhere = kind !== undefined || url !== undefined || headersSealed !== undefined;
  return { isElsewhere: row.kind === 'mcp' && isElsewhere };
}

/** Names of headers that went with the former address. */
function lostNames({ headerNames }: ToolTable, brought: Readonly<Record<string, unknown>> = {}): string[] {
  const known = new Set(Object.keys(brought).map((name) => name.toLowerCase()));
  return (JSON.parse(headerNames) as string[]).filter((name) => !known.has(name.toLowerCase()));
}

/** Reads a server's catalogue now. A server that fails is kept, and said. @throws {ApiError} 404 */
export async function refreshTool(context: ApiContext, accountId: string, id: string): Promise<ToolAnswered> {
  const row = await toolRow(context.db, accountId, id);
  if (row.kind !== 'mcp') return { data: toolRecord(row) };
  const read = await tests.hold(accountId, () => readCatalogue(context, row));
  const changed = await updateTool(context.db, accountId, id, read);
  if (changed === undefined) throw notFound('Tool');
  const { catalogueError } = changed;
  return { data: toolRecord(changed), ...(catalogueError === null ? {} : { warnings: [catalogueError] }) };
}

/** @throws {ApiError} 404; 409 while somebody has it */
export async function deleteTool(context: ApiContext, accountId: string, id: string): Promise<ToolRecord> {
  return context.db.transaction().execute(async (trx) => {
    await toolRow(trx, accountId, id);
    const users = [...(await usersOfTool(trx, accountId, id)), ...(await draftsWithTool(trx, accountId, id))];
    const [user, ...more] = [...new Set(users)];
    if (user !== undefined) {
      const others = more.length === 0 ? '' : ` and ${more.length} more`;
      throw refused('TOOL_IN_USE', `The tool is used by ${user}${others}: take it from there first`);
    }
    const row = await softDeleteTool(trx, accountId, id, context.now());
    if (row === undefined) throw notFound('Tool');
    await deleteDraft(trx, accountId, id);
    return toolRecord(row);
  });
}

/** Runs a tool, or its draft, as a call would, under a key of its own. @throws {ApiError} 404, 422 */
export async function testTool(
  context: ApiContext,
  accountId: string,
  id: string,
  body: ToolTest,
): Promise<ToolTested> {
  const { row } = await toolWithDraft(context.read, accountId, id);
  const run = await tests.hold(accountId, () => tryTool(context, row, body));
  return {
    request: run.request && { ...run.request, headers: masked(run.request.headers, row) },
    answer: run.answer,
    tookMs: Math.round(run.tookMs),
    result: run.result,
    assigned: run.result.ok ? assignedValues(JSON.parse(row.assigns), run.result.data) : {},
  };
}

function masked(headers: Readonly<Record<string, string>>, row: ToolTable): Record<string, string> {
  const own = new Set((JSON.parse(row.headerNames) as string[]).map((name) => name.toLowerCase()));
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, own.has(name.toLowerCase()) ? MASK : value]),
  );
}

async function checkName(db: Db, accountId: string, id: string, name: string): Promise<void> {
  const holder = await toolNamed(db, accountId, name);
  if (holder !== undefined && holder.id !== id) throw refused('TOOL_NAME_TAKEN', 'Another tool has this name');
}

/** As many as one body may bring. */
const HEADERS_MAX = 20;

/** Case does not count in their names. @throws {ApiError} 422 */
function mergedHeaders(
  { secretKey }: ApiContext,
  { id, headersSealed }: ToolTable,
  changes: Readonly<Record<string, string | null>>,
): Record<string, string> {
  const kept =
    headersSealed === null ? {} : (JSON.parse(unseal(secretKey, id, headersSealed)) as Record<string, string>);
  const left = new Map(Object.entries(changes).map(([name, value]) => [name.toLowerCase(), { name, value }]));
  // One that is replaced keeps its place.
  const entries = Object.entries(kept).map(([name, value]) => {
    const change = left.get(name.toLowerCase()) ?? { name, value };
    left.delete(name.toLowerCase());
    return change;
  });
  const all = [...entries, ...left.values()];
  const merged = Object.fromEntries(all.flatMap(({ name, value }) => (value === null ? [] : [[name, value]])));
  if (Object.keys(merged).length > HEADERS_MAX)
    throw invalid([{ field: 'setHeaders', message: `would make more than ${HEADERS_MAX} headers` }]);
  return merged;
}

/** The columns of a body's fields. */
function columns({ secretKey }: ApiContext, id: string, body: Omit<ToolPatch, 'setHeaders'>): Partial<ToolTable> {
  const { headers, parameters, assign, when, onInterruption, only, ...plain } = body;
  const hasHeaders = headers !== null && headers !== undefined && Object.keys(headers).length > 0;
  return {
    ...plain,
    ...(headers === undefined
      ? {}
      : {
          headerNames: JSON.stringify(Object.keys(headers ?? {})),
          headersSealed: hasHeaders ? seal(secretKey, id, JSON.stringify(headers)) : null,
        }),
    ...(parameters === undefined ? {} : { parameters: JSON.stringify(parameters) }),
    ...(assign === undefined ? {} : { assigns: JSON.stringify(assign) }),
    ...(when === undefined ? {} : { phrases: JSON.stringify(when) }),
    ...(only === undefined ? {} : { onlyNames: only === null ? null : JSON.stringify(only) }),
    ...(onInterruption === undefined ? {} : { whenInterrupted: onInterruption }),
  };
}

/** `draft`: the number of the draft that the row shows. */
function toolRecord(row: ToolTable, draft: number | null = null): ToolRecord {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    kind: row.kind,
    url: row.url,
    method: row.method,
    headerNames: JSON.parse(row.headerNames) as string[],
    parameters: JSON.parse(row.parameters) as Record<string, unknown>,
    timeoutMs: row.timeoutMs,
    sayWhile: row.sayWhile,
    mode: row.mode,
    assign: JSON.parse(row.assigns) as Record<string, string>,
    when: JSON.parse(row.phrases) as string[],
    onInterruption: row.whenInterrupted,
    only: row.onlyNames === null ? null : (JSON.parse(row.onlyNames) as string[]),
    catalogue: row.catalogue === null ? null : JSON.parse(row.catalogue),
    catalogueAt: isoOrNull(row.catalogueAt),
    catalogueError: row.catalogueError,
    createdAt: isoTime(row.createdAt),
    publishedVersion: row.version,
    draftVersion: draft,
  };
}
