// /account/audit-log and /admin/audit-log: who did what.
import { listAuditLog } from '../../db/queries/accounts/audit-log.ts';
import { isoTime } from '../../db/records/resources.ts';
import { dateRange } from '../calls/list/filters.ts';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, okList } from '../frame/envelope-schema.ts';
import { offsetOf, pagination } from '../frame/pagination.ts';
import { AuditEntry, AuditQuery } from './schema.ts';

const tags = ['Account'];
const description =
  'What changed agents, businesses, tools, campaigns, numbers, trunks, settings, tokens and people, sign-ins that succeeded and that were refused, and recordings that were heard. Entries are kept for 400 days.';

export function registerAuditLog(app: App, context: ApiContext): void {
  app.get(
    '/account/audit-log',
    {
      schema: {
        tags,
        summary: 'Who did what in the account, newest first',
        description,
        querystring: AuditQuery,
        response: { 200: okList(AuditEntry), ...errorResponses(401, 422, 429) },
      },
    },
    async (request) => auditPage(context, request.auth.accountId, request.query),
  );
  app.get(
    '/admin/audit-log',
    {
      config: { admin: true },
      schema: {
        tags,
        summary: 'Who did what in the installation, newest first',
        description,
        querystring: AuditQuery,
        response: { 200: okList(AuditEntry), ...errorResponses(401, 403, 422, 429) },
      },
    },
    async (request) => auditPage(context, null, request.query),
  );
}

async function auditPage({ read }: ApiContext, accountId: string | null, query: AuditQuery) {
  const { page, limit, startDate, endDate, ...filter } = query;
  const within = dateRange({ startDate, endDate });
  const { rows, total } = await listAuditLog(
    read,
    accountId,
    { ...filter, ...within },
    { limit, offset: offsetOf(query) },
  );
  const data = rows.map(
    (row): AuditEntry => ({ ...row, fields: JSON.parse(row.fields) as string[], createdAt: isoTime(row.createdAt) }),
  );
  return { data, pagination: pagination(page, limit, total) };
}
