// /agents: the account's agents, each with its name, voice and manner of conversation.
import { Type } from 'typebox';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, ok, okList } from '../frame/envelope-schema.ts';
import { VERSION_NUMBERS } from '../versions/version-fields.ts';
import { AgentCreate, AgentPatch, AgentQuery, AgentRecord } from './schema.ts';
import { createAgent, deleteAgent, listAgentRecords, patchAgent, readAgent } from './service.ts';

const tags = ['Agents'];
const Params = Type.Object({ id: Type.String() });
/** primaryLanguage follows from the language; a client may send back the record that it read. */
const config = { readOnlyFields: ['id', 'primaryLanguage', 'createdAt', 'deletedAt', '_count', ...VERSION_NUMBERS] };

export function registerAgents(app: App, context: ApiContext): void {
  app.get(
    '/agents',
    {
      schema: {
        tags,
        summary: 'List agents',
        querystring: AgentQuery,
        response: { 200: okList(AgentRecord), ...errorResponses(401, 422, 429) },
      },
    },
    async (request) => listAgentRecords(context, request.auth.accountId, request.query),
  );
  app.get(
    '/agents/:id',
    {
      schema: {
        tags,
        summary: 'One agent',
        params: Params,
        response: { 200: ok(AgentRecord), ...errorResponses(401, 404, 429) },
      },
    },
    async (request) => ({ data: await readAgent(context, request.auth.accountId, request.params.id) }),
  );
  app.post(
    '/agents',
    {
      config,
      schema: {
        tags,
        summary: 'Create an agent',
        body: AgentCreate,
        response: { 201: ok(AgentRecord), ...errorResponses(400, 401, 409, 422, 429) },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return createAgent(context, request.auth, request.body);
    },
  );
  app.patch(
    '/agents/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Change an agent',
        params: Params,
        body: AgentPatch,
        response: { 200: ok(AgentRecord), ...errorResponses(400, 401, 404, 409, 422, 429) },
      },
    },
    (request) => patchAgent(context, request.auth, request.params.id, request.body),
  );
  app.delete(
    '/agents/:id',
    {
      schema: {
        tags,
        summary: 'Delete an agent (soft)',
        params: Params,
        response: { 200: ok(AgentRecord), ...errorResponses(401, 404, 409, 429) },
      },
    },
    async (request) => ({ data: await deleteAgent(context, request.auth.accountId, request.params.id) }),
  );
}
