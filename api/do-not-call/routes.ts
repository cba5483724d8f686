// /do-not-call: the numbers that must not be called.
import { Type } from 'typebox';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, nullable, ok, okList, oneOf, Timestamp } from '../frame/envelope-schema.ts';
import { pageQuery } from '../frame/pagination.ts';
import { addDoNotCall, listDoNotCallRecords, removeDoNotCall } from './service.ts';

const tags = ['Do not call'];

const DoNotCallRecord = Type.Object(
  {
    id: Type.String(),
    phoneNumber: Type.String(),
    reason: nullable(Type.String()),
    source: oneOf(['api', 'call', 'digits'] as const, { description: 'Who listed it' }),
    createdAt: Timestamp,
  },
  { title: 'DoNotCallEntry' },
);

const DoNotCallQuery = Type.Object({
  ...pageQuery,
  phoneNumber: Type.Optional(Type.String({ minLength: 1, maxLength: 40, description: 'This number alone, E.164' })),
});

const DoNotCallCreate = Type.Object(
  {
    phoneNumber: Type.String({ description: 'E.164' }),
    reason: Type.Optional(nullable(Type.String({ maxLength: 1_000 }))),
  },
  { additionalProperties: false },
);

export function registerDoNotCall(app: App, context: ApiContext): void {
  app.get(
    '/do-not-call',
    {
      schema: {
        tags,
        summary: 'Numbers that must not be called',
        querystring: DoNotCallQuery,
        response: { 200: okList(DoNotCallRecord), ...errorResponses(401, 422, 429) },
      },
    },
    async (request) => listDoNotCallRecords(context, request.auth.accountId, request.query),
  );
  app.post(
    '/do-not-call',
    {
      config: { idempotent: false, scope: 'work', readOnlyFields: ['id', 'source', 'createdAt'] },
      schema: {
        tags,
        summary: 'List a number; 200 where it is listed already',
        body: DoNotCallCreate,
        response: { 200: ok(DoNotCallRecord), 201: ok(DoNotCallRecord), ...errorResponses(400, 401, 422, 429) },
      },
    },
    async (request, reply) => {
      const { added, record } = await addDoNotCall(context, request.auth.accountId, request.body);
      reply.code(added ? 201 : 200);
      return { data: record };
    },
  );
  app.delete(
    '/do-not-call/:phoneNumber',
    {
      schema: {
        tags,
        summary: 'Take a number off the list',
        params: Type.Object({ phoneNumber: Type.String() }),
        response: { 200: ok(DoNotCallRecord), ...errorResponses(401, 404, 429) },
      },
    },
    async (request) => ({
      data: await removeDoNotCall(context, request.auth.accountId, request.params.phoneNumber),
    }),
  );
}
