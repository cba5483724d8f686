// /phone-numbers/port-in for accounts, /admin/port-orders for the ADMIN who processes the orders.

import { PORT_DOCUMENT_BYTES_MAX } from '../../db/domain/field-limits.ts';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { Binary, errorResponses, ok, okList } from '../frame/envelope-schema.ts';
import { whenGone } from '../frame/files.ts';
import { withForms } from '../frame/form-parts.ts';
import { PageQuery } from '../frame/pagination.ts';
import { rememberCreated, replay } from '../plugins/idempotency.ts';
import { openDocument } from './document-files.ts';
import { addDocument, findDocument, receiveDocument } from './documents.ts';
import {
  AdminPortOrder,
  DocumentForm,
  DocumentParams,
  OrderParams,
  PortInBody,
  PortOrder,
  PortOrderPatch,
} from './schema.ts';
import { allPortOrders, cancelPortOrder, movePortOrderAsAdmin, portOrder, portOrders, startPortIn } from './service.ts';

const tags = ['Port-in'];

export function registerPortIn(app: App, context: ApiContext): void {
  registerOwner(app, context);
  registerDocuments(app, context);
  registerAdmin(app, context);
}

function registerOwner(app: App, context: ApiContext): void {
  app.post(
    '/phone-numbers/port-in',
    {
      config: { idempotent: true },
      schema: {
        tags,
        summary: 'Start to bring a number along from another carrier',
        body: PortInBody,
        response: { 201: ok(PortOrder), ...errorResponses(400, 401, 409, 422, 429) },
      },
    },
    async (request, reply) => {
      const order = await startPortIn(context, request.auth.accountId, request.body, (trx, created) =>
        rememberCreated(trx, request, created),
      );
      return reply.code(201).send({ data: order });
    },
  );

  app.get(
    '/phone-numbers/port-in',
    {
      schema: {
        tags,
        summary: 'Port orders of the account',
        querystring: PageQuery,
        response: { 200: okList(PortOrder), ...errorResponses(401, 422, 429) },
      },
    },
    (request) => portOrders(context, request.auth.accountId, request.query),
  );

  app.get(
    '/phone-numbers/port-in/:id',
    {
      schema: {
        tags,
        summary: 'One port order',
        params: OrderParams,
        response: { 200: ok(PortOrder), ...errorResponses(401, 404, 429) },
      },
    },
    async (request) => ({ data: await portOrder(context, request.auth.accountId, request.params.id) }),
  );

  app.post(
    '/phone-numbers/port-in/:id/cancel',
    {
      config: { idempotent: true },
      schema: {
        tags,
        summary: 'Cancel a port order that is not completed',
        params: OrderParams,
        response: { 200: ok(PortOrder), ...errorResponses(401, 404, 409, 422, 429) },
      },
    },
    async (request) => ({ data: await cancelPortOrder(context, request.auth.accountId, request.params.id) }),
  );
}

function registerDocuments(app: App, context: ApiContext): void {
  withForms(app, PORT_DOCUMENT_BYTES_MAX, (scope, options) => {
    scope.post(
      '/phone-numbers/port-in/:id/documents',
      {
        ...options,
        schema: {
          tags,
          summary: 'Upload the letter of authorization or the bill',
          consumes: ['multipart/form-data'],
          params: OrderParams,
          body: DocumentForm,
          response: { 201: ok(PortOrder), ...errorResponses(400, 401, 404, 409, 413, 415, 422, 429, 503) },
        },
      },
      async (request, reply) => {
        const { accountId } = request.auth;
        const mayBeReplay = request.headers['idempotency-key'] !== undefined;
        const wanted = { accountId, orderId: request.params.id, mayBeReplay };
        const upload = await receiveDocument(context, wanted, request.parts());
        const takeOnce = async () => {
          const earlier = await request.claimIdempotency(upload.content);
          if (earlier !== null) return { earlier };
          return { order: await addDocument(context, accountId, request.params.id, upload) };
        };
        // An upload that is not kept is deleted before the answer.
        const taken = await takeOnce().finally(() => upload.discard());
        return 'earlier' in taken ? replay(reply, taken.earlier) : reply.code(201).send({ data: taken.order });
      },
    );
  });
}

function registerAdmin(app: App, context: ApiContext): void {
  app.get(
    '/admin/port-orders',
    {
      config: { admin: true },
      schema: {
        tags,
        summary: 'Port orders of all accounts',
        querystring: PageQuery,
        response: { 200: okList(AdminPortOrder), ...errorResponses(401, 403, 422, 429) },
      },
    },
    (request) => allPortOrders(context, request.query),
  );

  app.patch(
    '/admin/port-orders/:id',
    {
      config: { admin: true },
      schema: {
        tags,
        summary: 'Move a port order along',
        params: OrderParams,
        body: PortOrderPatch,
        response: { 200: ok(AdminPortOrder), ...errorResponses(400, 401, 403, 404, 409, 422, 429) },
      },
    },
    async (request) => ({ data: await movePortOrderAsAdmin(context, request.params.id, request.body) }),
  );

  app.get(
    '/admin/port-orders/:id/documents/:documentId',
    {
      config: { admin: true },
      schema: {
        tags,
        summary: 'A document of a port order, as it was uploaded',
        params: DocumentParams,
        response: {
          200: {
            description: 'The file',
            content: {
              'application/octet-stream': { schema: Binary },
            },
          },
          ...errorResponses(401, 403, 404, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const document = await findDocument(context, request.params.id, request.params.documentId);
      const { body, bytes } = await openDocument(context, document, whenGone(reply));
      return reply
        .header('content-type', document.contentType)
        .header('content-length', bytes)
        .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(document.fileName)}`)
        .send(body);
    },
  );
}
