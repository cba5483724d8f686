// /businesses/:id/notices: what the owners of a business were told of its calls, and an example for them.
import { Type } from 'typebox';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, ok, okList } from '../frame/envelope-schema.ts';
import { NoticeMessageRecord, NoticeQuery, NoticeTest } from './schema.ts';
import { listNotices, testNotice } from './service.ts';

const tags = ['Businesses'];
const Params = Type.Object({ id: Type.String() });

export function registerNotices(app: App, context: ApiContext): void {
  app.get(
    '/businesses/:id/notices',
    {
      schema: {
        tags,
        summary: 'Who was told of what happened on calls, and how it went; kept for 30 days',
        params: Params,
        querystring: NoticeQuery,
        response: { 200: okList(NoticeMessageRecord), ...errorResponses(401, 404, 422, 429) },
      },
    },
    async (request) => listNotices(context, request.auth.accountId, request.params.id, request.query),
  );
  app.post(
    '/businesses/:id/notices/test',
    {
      config: { idempotent: false },
      schema: {
        tags,
        summary: 'Send an example by a rule of notify now',
        params: Params,
        body: NoticeTest,
        response: { 200: ok(NoticeMessageRecord), ...errorResponses(400, 401, 404, 409, 422, 429) },
      },
    },
    async (request) => ({
      data: await testNotice(context, request.auth, request.params.id, request.body.index),
    }),
  );
}
