// /businesses: the account's businesses, for which its agents speak.
import { Type } from 'typebox';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, ok, okList } from '../frame/envelope-schema.ts';
import { PageQuery } from '../frame/pagination.ts';
import { checkMayReach } from './reach.ts';
import { BUSINESS_DEFAULTS, businessRecord } from './record.ts';
import { contextWarnings } from './rules.ts';
import { AuditRecord, BusinessCreate, BusinessPatch, BusinessRecord } from './schema.ts';
import {
  businessWithDraft,
  createBusiness,
  deleteBusiness,
  listAudit,
  listBusinessRecords,
  patchBusiness,
  restoreBusiness,
} from './service.ts';

const tags = ['Businesses'];
const Params = Type.Object({ id: Type.String() });

export function registerBusinesses(app: App, context: ApiContext): void {
  app.get(
    '/businesses',
    {
      schema: {
        tags,
        summary: 'List businesses',
        querystring: PageQuery,
        response: { 200: okList(BusinessRecord), ...errorResponses(401, 422, 429) },
      },
    },
    async (request) => listBusinessRecords(context, request.auth.accountId, request.query),
  );
  app.get(
    '/businesses/:id',
    {
      schema: {
        tags,
        summary: 'One business',
        params: Params,
        response: { 200: ok(BusinessRecord), ...errorResponses(401, 404, 429) },
      },
    },
    async (request) => {
      const { row, draft } = await businessWithDraft(context.read, request.auth.accountId, request.params.id);
      return { data: businessRecord(row, draft) };
    },
  );
  app.post(
    '/businesses',
    {
      schema: {
        tags,
        summary: 'Create a business',
        body: BusinessCreate,
        response: { 201: ok(BusinessRecord), ...errorResponses(400, 401, 409, 422, 429) },
      },
    },
    async ({ auth, body }, reply) => {
      checkMayReach(auth, body, BUSINESS_DEFAULTS);
      reply.code(201);
      return withWarnings(await createBusiness(context, auth, body));
    },
  );
  app.patch(
    '/businesses/:id',
    {
      schema: {
        tags,
        summary: 'Change a business; arrays are replaced whole',
        params: Params,
        body: BusinessPatch,
        response: { 200: ok(BusinessRecord), ...errorResponses(400, 401, 404, 409, 422, 429) },
      },
    },
    async ({ auth, params: { id }, body }) => {
      const { row } = await businessWithDraft(context.read, auth.accountId, id);
      checkMayReach(auth, body, row);
      return withWarnings(await patchBusiness(context, auth, id, body));
    },
  );
  app.delete(
    '/businesses/:id',
    {
      schema: {
        tags,
        summary: 'Delete a business (soft); its active campaigns are paused',
        params: Params,
        response: { 200: ok(BusinessRecord), ...errorResponses(401, 404, 409, 429) },
      },
    },
    async (request) => ({ data: await deleteBusiness(context, request.auth, request.params.id) }),
  );
  app.post(
    '/businesses/:id/restore',
    {
      schema: {
        tags,
        summary: 'Restore a deleted business, within 90 days',
        params: Params,
        response: { 200: ok(BusinessRecord), ...errorResponses(401, 404, 409, 429) },
      },
    },
    async (request) => ({ data: await restoreBusiness(context, request.auth, request.params.id) }),
  );
  app.get(
    '/businesses/:id/audit-log',
    {
      schema: {
        tags,
        summary: 'Who changed what',
        params: Params,
        querystring: PageQuery,
        response: { 200: okList(AuditRecord), ...errorResponses(401, 404, 422, 429) },
      },
    },
    async (request) => listAudit(context, request.auth.accountId, request.params.id, request.query),
  );
}

function withWarnings(data: BusinessRecord): { data: BusinessRecord; warnings?: string[] } {
  const warnings = contextWarnings(data.businessContext);
  return warnings === undefined ? { data } : { data, warnings };
}
