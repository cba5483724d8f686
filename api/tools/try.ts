// One run of a tool on request, as a call would make it.
import { randomUUID } from 'node:crypto';
import type { ToolTable } from '../../db/schema/tools.ts';
import { unseal } from '../../db/shared/secrets/secret-box.ts';
import type { ToolRun } from '../../models/tools/http-tool.ts';
import type { McpTool } from '../../models/tools/mcp.ts';
import type { McpServerSession } from '../../models/tools/mcp-servers.ts';
import { openedTool } from '../../models/tools/open.ts';
import type { HttpTool, ToolAnswer } from '../../models/tools/tool.ts';
import type { ApiContext } from '../context.ts';
import { invalid } from '../frame/errors.ts';
import { withConnections, withServer } from './connections.ts';
import type { ToolTest } from './schema.ts';

/** @throws {ApiError} 422 where a server has no such tool */
export async function tryTool(
  context: ApiContext,
  row: ToolTable,
  { arguments: given = {}, variables = {}, tool: name }: ToolTest,
): Promise<ToolRun> {
  const { runHttpTool } = await import('../../models/tools/http-tool.ts');
  const tool = openedTool(row, (box) => unseal(context.secretKey, row.id, box));
  const key = `test-${randomUUID()}`;
  const offered = row.kind === 'mcp' ? offeredBy(row, name) : null;
  if (offered !== null) {
    return tryServer(tool, offered, { given, key }, (ask) => withServer(context, tool, ask));
  }
  return withConnections(context, (connections) =>
    runHttpTool(tool, { arguments: given, values: variables, headerValues: variables, key }, connections),
  );
}

function offeredBy(row: ToolTable, name: string | undefined): McpTool {
  const catalogue = JSON.parse(row.catalogue ?? '[]') as McpTool[];
  const offered = catalogue.find((each) => each.name === name);
  if (offered !== undefined) return offered;
  const names = catalogue.map((each) => each.name).join(', ');
  throw invalid([
    { field: 'tool', message: names === '' ? 'names no tool: the catalogue is empty' : `must be one of ${names}` },
  ]);
}

async function tryServer(
  { url, headers, timeoutMs }: HttpTool,
  { name, parameters }: McpTool,
  { given, key }: { given: Record<string, unknown>; key: string },
  withSession: (ask: (session: McpServerSession) => Promise<ToolAnswer>) => Promise<ToolAnswer>,
): Promise<ToolRun> {
  const { parametersFault } = await import('../../models/tools/parameters.ts');
  const startedAt = performance.now();
  const fault = parametersFault(parameters, given);
  if (fault !== null) {
    return { request: null, answer: null, result: { ok: false, error: 'bad_arguments', message: fault }, tookMs: 0 };
  }
  const result = await withSession((session) => session.call(name, given, { timeoutMs, key }));
  const body = JSON.stringify({ method: 'tools/call', params: { name, arguments: given } });
  const answer =
    'status' in result && result.status ? { status: result.status, body: result.data ?? null, isCut: false } : null;
  return {
    request: { method: 'POST', url, headers: { ...headers }, body },
    answer,
    result,
    tookMs: performance.now() - startedAt,
  };
}
