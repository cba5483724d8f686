// /webhooks: the account's subscriptions to events, their secrets, tests and deliveries.
import { Type } from 'typebox';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, ok, okList } from '../frame/envelope-schema.ts';
import { PageQuery } from '../frame/pagination.ts';
import { refuseFixedFields } from '../plugins/fixed-fields.ts';
import {
  DeliveryParams,
  DeliveryQuery,
  DeliveryRecord,
  WebhookCreate,
  WebhookParams,
  WebhookRecord,
  WebhookTest,
  WebhookUpdate,
} from './schema.ts';
import * as webhooks from './service.ts';

/** Fields of the record that a client may send back unchanged. */
const READ_ONLY = ['id', 'createdAt', 'lastTriggeredAt', 'failureCount', 'disabledReason'];
const tags = ['Webhooks'];

export function registerWebhooks(app: App, context: ApiContext): void {
  app.get(
    '/webhooks',
    {
      schema: {
        tags,
        summary: 'List webhooks',
        querystring: PageQuery,
        response: { 200: okList(WebhookRecord), ...errorResponses(401, 422, 429) },
      },
    },
    (request) => webhooks.list(context, request.auth.accountId, request.query),
  );

  app.post(
    '/webhooks',
    {
      config: { idempotent: false, readOnlyFields: READ_ONLY },
      schema: {
        tags,
        summary: 'Create a webhook; the secret is shown this one time',
        body: WebhookCreate,
        response: { 201: ok(WebhookRecord), ...errorResponses(400, 401, 409, 422, 429) },
      },
    },
    async (request, reply) => {
      const data = await webhooks.create(context, request.auth.accountId, request.body);
      reply.code(201);
      return { data };
    },
  );

  app.get(
    '/webhooks/:id',
    {
      schema: {
        tags,
        summary: 'Get a webhook',
        params: WebhookParams,
        response: { 200: ok(WebhookRecord), ...errorResponses(401, 404, 429) },
      },
    },
    async (request) => ({ data: await webhooks.get(context, request.auth.accountId, request.params.id) }),
  );

  app.patch(
    '/webhooks/:id',
    {
      config: {
        readOnlyFields: READ_ONLY,
        fixedFields: ['secret'],
        changedElsewhere: { secret: 'POST /webhooks/{id}/rotate-secret makes a new one' },
      },
      schema: {
        tags,
        summary: 'Change a webhook; a changed URL is probed again',
        params: WebhookParams,
        body: WebhookUpdate,
        response: { 200: ok(WebhookRecord), ...errorResponses(400, 401, 404, 422, 429) },
      },
    },
    async (request) => {
      const { accountId } = request.auth;
      const { id } = request.params;
      await refuseFixedFields(request, () => webhooks.get(context, accountId, id, request.fixedFields?.secret));
      return { data: await webhooks.update(context, accountId, id, request.body) };
    },
  );

  app.delete(
    '/webhooks/:id',
    {
      schema: {
        tags,
        summary: 'Delete a webhook; deliveries stop at once, its log stays readable for 30 days',
        params: WebhookParams,
        response: { 200: ok(Type.Object({ id: Type.String() })), ...errorResponses(401, 404, 429) },
      },
    },
    async (request) => ({ data: await webhooks.remove(context, request.auth.accountId, request.params.id) }),
  );

  app.post(
    '/webhooks/:id/rotate-secret',
    {
      config: { idempotent: false },
      schema: {
        tags,
        summary: 'Replace the secret; the old one is invalid at once',
        params: WebhookParams,
        response: { 200: ok(WebhookRecord), ...errorResponses(401, 404, 429) },
      },
    },
    async (request) => ({ data: await webhooks.rotateSecret(context, request.auth.accountId, request.params.id) }),
  );

  app.post(
    '/webhooks/:id/test',
    {
      config: { idempotent: false },
      schema: {
        tags,
        summary: 'Deliver a synthetic event now',
        params: WebhookParams,
        body: WebhookTest,
        response: { 200: ok(DeliveryRecord), ...errorResponses(401, 404, 422, 429) },
      },
    },
    async (request) => ({
      data: await webhooks.test(context, request.auth.accountId, request.params.id, request.body.event),
    }),
  );

  registerDeliveries(app, context);
}

function registerDeliveries(app: App, context: ApiContext): void {
  app.get(
    '/webhooks/:id/deliveries',
    {
      schema: {
        tags,
        summary: 'The delivery log, newest first',
        params: WebhookParams,
        querystring: DeliveryQuery,
        response: { 200: okList(DeliveryRecord), ...errorResponses(401, 404, 422, 429) },
      },
    },
    (request) => webhooks.deliveries(context, request.auth.accountId, request.params.id, request.query),
  );

  app.post(
    '/webhooks/:id/deliveries/:deliveryId/replay',
    {
      // Its answer has the event: kept for a day, it would outlive the erasure of a call.
      config: { idempotent: false },
      schema: {
        tags,
        summary: 'Send the original payload to the current URL, now',
        params: DeliveryParams,
        response: { 201: ok(DeliveryRecord), ...errorResponses(401, 404, 429) },
      },
    },
    async (request, reply) => {
      const { id, deliveryId } = request.params;
      const data = await webhooks.replay(context, request.auth.accountId, id, deliveryId);
      reply.code(201);
      return { data };
    },
  );
}
