// /widget-keys: the public keys of an account's web sites.
import { Type } from 'typebox';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, ok, okList } from '../frame/envelope-schema.ts';
import {
  changeWidgetKey,
  createWidgetKey,
  readWidgetKey,
  removeWidgetKey,
  rotateWidgetKey,
  widgetKeyRecords,
} from './keys.ts';
import { WidgetKeyCreate, WidgetKeyPatch, WidgetKeyQuery, WidgetKeyRecord, WidgetKeyRotate } from './schema.ts';

const tags = ['Widget'];
const params = Type.Object({ id: Type.String() });
const readOnlyFields = ['id', 'key', 'previousKeyUntil', 'today', 'createdAt'];

export function registerWidgetKeys(app: App, context: ApiContext): void {
  const one = { 200: ok(WidgetKeyRecord) };
  app.get(
    '/widget-keys',
    {
      schema: {
        tags,
        summary: 'List the public keys of web sites, with what was done by them today',
        querystring: WidgetKeyQuery,
        response: { 200: okList(WidgetKeyRecord), ...errorResponses(401, 422, 429) },
      },
    },
    (request) => widgetKeyRecords(context, request.auth.accountId, request.query),
  );
  app.post(
    '/widget-keys',
    {
      config: { idempotent: false, readOnlyFields },
      schema: {
        tags,
        summary: 'Make a public key for a web site',
        description: 'One that allows calls needs the scope `call` too.',
        body: WidgetKeyCreate,
        response: { 201: ok(WidgetKeyRecord), ...errorResponses(400, 401, 409, 422, 429) },
      },
    },
    async (request, reply) =>
      reply.code(201).send({ data: await createWidgetKey(context, request.auth, request.body) }),
  );
  app.get(
    '/widget-keys/:id',
    {
      schema: {
        tags,
        summary: 'One public key',
        params,
        response: { ...one, ...errorResponses(401, 404, 429) },
      },
    },
    async (request) => ({ data: await readWidgetKey(context, request.auth.accountId, request.params.id) }),
  );
  app.patch(
    '/widget-keys/:id',
    {
      config: { readOnlyFields: [...readOnlyFields, 'campaignId'] },
      schema: {
        tags,
        summary: 'Change origins, caps, captcha, expiry, or switch it off; it acts at once',
        params,
        body: WidgetKeyPatch,
        response: { ...one, ...errorResponses(400, 401, 404, 422, 429) },
      },
    },
    async (request) => ({ data: await changeWidgetKey(context, request.auth, request.params.id, request.body) }),
  );
  app.delete(
    '/widget-keys/:id',
    {
      schema: {
        tags,
        summary: 'Delete a public key; its conversations stay',
        params,
        response: { 200: ok(Type.Object({ id: Type.String() })), ...errorResponses(401, 404, 429) },
      },
    },
    async (request) => ({ data: await removeWidgetKey(context, request.auth.accountId, request.params.id) }),
  );
  app.post(
    '/widget-keys/:id/rotate',
    {
      config: { idempotent: false },
      schema: {
        tags,
        summary: 'Replace the public key; pages may use the old one for a while',
        params,
        body: WidgetKeyRotate,
        response: { ...one, ...errorResponses(400, 401, 404, 422, 429) },
      },
    },
    async (request) => ({
      data: await rotateWidgetKey(context, request.auth.accountId, request.params.id, request.body.keepHours),
    }),
  );
}
