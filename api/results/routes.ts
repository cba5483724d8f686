// /businesses/:id/reruns: calls of the past that are read again for what is wanted of calls now.

import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, ok, okList } from '../frame/envelope-schema.ts';
import { PageQuery } from '../frame/pagination.ts';
import { cancelRerun, createRerun, readRerun, rerunsOf } from './reruns.ts';
import { BusinessParams, RerunCreate, RerunParams, RerunRecord } from './schema.ts';

const tags = ['Results'];

export function registerReruns(app: App, context: ApiContext): void {
  app.get(
    '/businesses/:id/reruns',
    {
      schema: {
        tags,
        summary: 'Reruns of a business, newest first',
        params: BusinessParams,
        querystring: PageQuery,
        response: { 200: okList(RerunRecord), ...errorResponses(401, 404, 422, 429) },
      },
    },
    (request) => rerunsOf(context, request.auth.accountId, request.params.id, request.query),
  );
  app.post(
    '/businesses/:id/reruns',
    {
      schema: {
        tags,
        summary: 'Read calls of the past again, the newest first, for the outputs and criteria of now',
        description:
          'One rerun of a business at a time. Results are replaced by those that are found; a call that fails keeps what it has.',
        params: BusinessParams,
        body: RerunCreate,
        response: { 201: ok(RerunRecord), ...errorResponses(400, 401, 404, 409, 422, 429) },
      },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send({ data: await createRerun(context, request.auth.accountId, request.params.id, request.body) }),
  );
  app.get(
    '/businesses/:id/reruns/:rerunId',
    {
      schema: {
        tags,
        summary: 'How far a rerun is, and which calls failed',
        params: RerunParams,
        response: { 200: ok(RerunRecord), ...errorResponses(401, 404, 429) },
      },
    },
    async (request) => ({ data: await readRerun(context, request.auth.accountId, request.params) }),
  );
  app.post(
    '/businesses/:id/reruns/:rerunId/cancel',
    {
      schema: {
        tags,
        summary: 'End a rerun; what was read stays',
        params: RerunParams,
        response: { 200: ok(RerunRecord), ...errorResponses(401, 404, 429) },
      },
    },
    async (request) => ({ data: await cancelRerun(context, request.auth.accountId, request.params) }),
  );
}
