// /tools: what agents may ask other systems in a call.

import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, ok, okList } from '../frame/envelope-schema.ts';
import { PageQuery } from '../frame/pagination.ts';
import { TOOL_READ_ONLY, ToolCreate, ToolParams, ToolPatch, ToolRecord, ToolTest, ToolTested } from './schema.ts';
import { createTool, deleteTool, listToolRecords, patchTool, readTool, refreshTool, testTool } from './service.ts';

const tags = ['Tools'];
const config = { readOnlyFields: TOOL_READ_ONLY };

export function registerTools(app: App, context: ApiContext): void {
  app.get(
    '/tools',
    {
      schema: {
        tags,
        summary: 'List tools',
        querystring: PageQuery,
        response: { 200: okList(ToolRecord), ...errorResponses(401, 422, 429) },
      },
    },
    (request) => listToolRecords(context, request.auth.accountId, request.query),
  );
  app.get(
    '/tools/:id',
    {
      schema: {
        tags,
        summary: 'One tool',
        params: ToolParams,
        response: { 200: ok(ToolRecord), ...errorResponses(401, 404, 429) },
      },
    },
    async (request) => ({ data: await readTool(context.read, request.auth.accountId, request.params.id) }),
  );
  app.post(
    '/tools',
    {
      config,
      schema: {
        tags,
        summary: 'Create a tool; agents, businesses and campaigns name it in `toolIds`',
        body: ToolCreate,
        response: { 201: ok(ToolRecord), ...errorResponses(400, 401, 409, 422, 429) },
      },
    },
    async (request, reply) => reply.code(201).send(await createTool(context, request.auth, request.body)),
  );
  app.patch(
    '/tools/:id',
    {
      config,
      schema: {
        tags,
        summary:
          'Change a tool, for the calls that begin afterwards; `headers` replace all that there were, `setHeaders` one by one',
        params: ToolParams,
        body: ToolPatch,
        response: { 200: ok(ToolRecord), ...errorResponses(400, 401, 404, 409, 422, 429) },
      },
    },
    (request) => patchTool(context, request.auth, request.params.id, request.body),
  );
  app.delete(
    '/tools/:id',
    {
      schema: {
        tags,
        summary: 'Delete a tool that nobody uses',
        params: ToolParams,
        response: { 200: ok(ToolRecord), ...errorResponses(401, 404, 409, 429) },
      },
    },
    async (request) => ({ data: await deleteTool(context, request.auth.accountId, request.params.id) }),
  );
  app.post(
    '/tools/:id/refresh',
    {
      schema: {
        tags,
        summary: 'Read the catalogue of an MCP server now',
        params: ToolParams,
        response: { 200: ok(ToolRecord), ...errorResponses(401, 404, 429) },
      },
    },
    (request) => refreshTool(context, request.auth.accountId, request.params.id),
  );
  app.post(
    '/tools/:id/test',
    {
      config: { idempotent: false },
      schema: {
        tags,
        summary:
          'Run a tool now, as a call would: the request as it left, the answer, and what the model would be told',
        params: ToolParams,
        body: ToolTest,
        response: { 200: ok(ToolTested), ...errorResponses(400, 401, 404, 422, 429) },
      },
    },
    async (request) => ({ data: await testTool(context, request.auth.accountId, request.params.id, request.body) }),
  );
}
