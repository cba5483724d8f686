// /businesses/:id/documents: what a business's agents may look up.

import { Type } from 'typebox';
import { DOCUMENT_BYTES_MAX } from '../../db/domain/field-limits.ts';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, ok, okList } from '../frame/envelope-schema.ts';
import { withForms } from '../frame/form-parts.ts';
import { PageQuery } from '../frame/pagination.ts';
import { rememberCreated, replay } from '../plugins/idempotency.ts';
import {
  BusinessParams,
  DocumentCreate,
  DocumentForm,
  DocumentParams,
  DocumentRecord,
  DocumentSearch,
  PassageRecord,
} from './schema.ts';
import {
  addDocument,
  documentsOf,
  findPassages,
  type Remember,
  readDocument,
  refreshDocument,
  removeDocument,
  uploadDocument,
} from './service.ts';

const tags = ['Knowledge'];
/** The longest text, of characters that take three bytes each, and more for their escapes. */
const TEXT_BODY_BYTES_MAX = 4 * 1024 * 1024;

export function registerDocuments(app: App, context: ApiContext): void {
  registerRecords(app, context);
  registerUpload(app, context);
}

function registerRecords(app: App, context: ApiContext): void {
  app.get(
    '/businesses/:id/documents',
    {
      schema: {
        tags,
        summary: 'Documents of a business, newest first',
        params: BusinessParams,
        querystring: PageQuery,
        response: { 200: okList(DocumentRecord), ...errorResponses(401, 404, 422, 429) },
      },
    },
    (request) => documentsOf(context, request.auth.accountId, request.params.id, request.query),
  );
  app.post(
    '/businesses/:id/documents',
    {
      config: { idempotent: true },
      bodyLimit: TEXT_BODY_BYTES_MAX,
      schema: {
        tags,
        summary: 'Add a document; calls are answered from it at once',
        params: BusinessParams,
        body: DocumentCreate,
        response: { 201: ok(DocumentRecord), ...errorResponses(400, 401, 404, 409, 413, 422, 429) },
      },
    },
    async (request, reply) => {
      // The key's answer is stored with the document: after a crash before the answer, a retry adds no second one.
      const remember: Remember = (trx, added) => rememberCreated(trx, request, added);
      const { accountId, userId } = request.auth;
      const into = { accountId, userId, businessId: request.params.id, remember };
      return reply.code(201).send({ data: await addDocument(context, into, request.body) });
    },
  );
  app.get(
    '/businesses/:id/documents/:documentId',
    {
      schema: {
        tags,
        summary: 'One document',
        params: DocumentParams,
        response: { 200: ok(DocumentRecord), ...errorResponses(401, 404, 429) },
      },
    },
    async (request) => ({ data: await readDocument(context, request.auth.accountId, request.params) }),
  );
  app.post(
    '/businesses/:id/documents/:documentId/refresh',
    {
      schema: {
        tags,
        summary: 'Read a document from its address now; where that fails, `error` says why and the document stays',
        params: DocumentParams,
        response: { 200: ok(DocumentRecord), ...errorResponses(401, 404, 409, 429) },
      },
    },
    async (request) => ({ data: await refreshDocument(context, request.auth, request.params) }),
  );
  app.delete(
    '/businesses/:id/documents/:documentId',
    {
      schema: {
        tags,
        summary: 'Delete a document with every word of it',
        params: DocumentParams,
        response: { 200: ok(DocumentRecord), ...errorResponses(401, 404, 429) },
      },
    },
    async (request) => ({ data: await removeDocument(context, request.auth, request.params) }),
  );
  app.post(
    '/businesses/:id/documents/search',
    {
      config: { idempotent: false, scope: 'read' },
      schema: {
        tags,
        summary: 'What an agent would find for a question, the best first',
        params: BusinessParams,
        body: DocumentSearch,
        response: { 200: ok(Type.Array(PassageRecord)), ...errorResponses(400, 401, 404, 422, 429) },
      },
    },
    async (request) => ({
      data: await findPassages(context, request.auth.accountId, request.params.id, request.body.question),
    }),
  );
}

function registerUpload(app: App, context: ApiContext): void {
  withForms(app, DOCUMENT_BYTES_MAX, (scope, options) => {
    scope.post(
      '/businesses/:id/documents/upload',
      {
        ...options,
        schema: {
          tags,
          summary: 'Add a document as a file',
          consumes: ['multipart/form-data'],
          params: BusinessParams,
          body: DocumentForm,
          response: { 201: ok(DocumentRecord), ...errorResponses(400, 401, 404, 409, 413, 415, 422, 429) },
        },
      },
      async (request, reply) => {
        const remember: Remember = (trx, added) => rememberCreated(trx, request, added);
        const { accountId, userId } = request.auth;
        const into = { accountId, userId, businessId: request.params.id, remember };
        const claim = (content: unknown) => request.claimIdempotency(content);
        const taken = await uploadDocument(context, into, request.parts(), claim);
        return 'earlier' in taken ? replay(reply, taken.earlier) : reply.code(201).send({ data: taken.added });
      },
    );
  });
}
