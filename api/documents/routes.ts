// /businesses/:id/documents: what a business's agents may look up.
import { Type } from 'typebox';
import type { App } from '../app.ts';
import type { ApiContext } from '../context.ts';
import { errorResponses, ok, okList } from '../envelope-schema.ts';
import { PageQuery } from '../pagination.ts';
import {
  BusinessParams,
  DocumentCreate,
  DocumentParams,
  DocumentRecord,
  DocumentSearch,
  PassageRecord,
} from './schema.ts';
import { addDocument, documentsOf, findPassages, readDocument, removeDocument } from './service.ts';

const tags = ['Knowledge'];

export function registerDocuments(app: App, context: ApiContext): void {
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
      schema: {
        tags,
        summary: 'Add a document; calls are answered from it at once',
        params: BusinessParams,
        body: DocumentCreate,
        response: { 201: ok(DocumentRecord), ...errorResponses(400, 401, 404, 409, 413, 422, 429) },
      },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send({ data: await addDocument(context, request.auth.accountId, request.params.id, request.body) }),
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
    async (request) => ({ data: await removeDocument(context, request.auth.accountId, request.params) }),
  );
  app.post(
    '/businesses/:id/documents/search',
    {
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
