// /alert-rules: what a tenant wants to be told of its calls' figures, and by whom.
import { Type } from 'typebox';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, ok, okList } from '../frame/envelope-schema.ts';
import { PageQuery } from '../frame/pagination.ts';
import { NoticeMessageRecord, NoticeQuery, NoticeTest } from '../notices/schema.ts';
import { ALERT_READ_ONLY, AlertFiringRecord, AlertRuleCreate, AlertRulePatch, AlertRuleRecord } from './schema.ts';
import {
  createRule,
  listRuleFirings,
  listRuleNotices,
  listRules,
  patchRule,
  readRule,
  removeRule,
  testRule,
} from './service.ts';

const tags = ['Alerts'];
const params = Type.Object({ id: Type.String() });

export function registerAlerts(app: App, context: ApiContext): void {
  registerRules(app, context);
  registerHistory(app, context);
}

function registerRules(app: App, context: ApiContext): void {
  const config = { readOnlyFields: ALERT_READ_ONLY };
  app.get(
    '/alert-rules',
    {
      schema: {
        tags,
        summary: 'Alert rules with their figures, newest first',
        querystring: PageQuery,
        response: { 200: okList(AlertRuleRecord), ...errorResponses(401, 422, 429) },
      },
    },
    ({ auth, query }) => listRules(context, auth.accountId, query),
  );
  app.post(
    '/alert-rules',
    {
      config,
      schema: {
        tags,
        summary: 'Be told when a figure of the calls is above or below a value; at most 50 rules',
        body: AlertRuleCreate,
        response: { 201: ok(AlertRuleRecord), ...errorResponses(400, 401, 409, 422, 429) },
      },
    },
    async ({ auth, body }, reply) => reply.code(201).send({ data: await createRule(context, auth, body) }),
  );
  app.get(
    '/alert-rules/:id',
    {
      schema: {
        tags,
        summary: 'One alert rule',
        params,
        response: { 200: ok(AlertRuleRecord), ...errorResponses(401, 404, 429) },
      },
    },
    async ({ auth, params: { id } }) => ({ data: await readRule(context, auth.accountId, id) }),
  );
  app.patch(
    '/alert-rules/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Change an alert rule',
        params,
        body: AlertRulePatch,
        response: { 200: ok(AlertRuleRecord), ...errorResponses(400, 401, 404, 422, 429) },
      },
    },
    async ({ auth, params: { id }, body }) => ({ data: await patchRule(context, auth, id, body) }),
  );
  app.delete(
    '/alert-rules/:id',
    {
      schema: {
        tags,
        summary: 'Delete an alert rule, with what it fired',
        params,
        response: { 200: ok(AlertRuleRecord), ...errorResponses(401, 404, 429) },
      },
    },
    async ({ auth, params: { id } }) => ({ data: await removeRule(context, auth.accountId, id) }),
  );
}

function registerHistory(app: App, context: ApiContext): void {
  app.get(
    '/alert-rules/:id/firings',
    {
      schema: {
        tags,
        summary: 'Each time that the rule fired, newest first; kept for 90 days',
        params,
        querystring: PageQuery,
        response: { 200: okList(AlertFiringRecord), ...errorResponses(401, 404, 422, 429) },
      },
    },
    ({ auth, params: { id }, query }) => listRuleFirings(context, auth.accountId, id, query),
  );
  app.get(
    '/alert-rules/:id/notices',
    {
      schema: {
        tags,
        summary: 'Messages of the rule, and how each went; kept for 30 days',
        params,
        querystring: NoticeQuery,
        response: { 200: okList(NoticeMessageRecord), ...errorResponses(401, 404, 422, 429) },
      },
    },
    ({ auth, params: { id }, query }) => listRuleNotices(context, auth.accountId, id, query),
  );
  app.post(
    '/alert-rules/:id/test',
    {
      config: { idempotent: false },
      schema: {
        tags,
        summary: 'Send an example to a recipient of the rule now',
        params,
        body: NoticeTest,
        response: { 200: ok(NoticeMessageRecord), ...errorResponses(400, 401, 404, 422, 429) },
      },
    },
    async ({ auth, params: { id }, body }) => ({ data: await testRule(context, auth, id, body.index) }),
  );
}
