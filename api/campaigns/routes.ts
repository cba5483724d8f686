// /campaigns: the account's campaigns, each of them an agent that speaks for a business.
import { Type } from 'typebox';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, ok, okList } from '../frame/envelope-schema.ts';
import { requireScope } from '../plugins/auth.ts';
import { previewCampaign } from './preview.ts';
import {
  CampaignCreate,
  CampaignDetails,
  CampaignPatch,
  CampaignPreview,
  CampaignPreviewBody,
  CampaignQuery,
  CampaignRecord,
  StartedCampaign,
  StatsRecord,
} from './schema.ts';
import {
  campaignDetails,
  campaignRow,
  createCampaign,
  deleteCampaign,
  listCampaignRecords,
  patchCampaign,
  readStats,
} from './service.ts';
import { pauseCampaign, resumeCampaign, startCampaign } from './transitions.ts';

const tags = ['Campaigns'];
const Params = Type.Object({ id: Type.String() });
const calling = { scope: 'call' } as const;
/** A client may send back the record that it read. */
const config = { readOnlyFields: ['id', '_count', 'preflight', 'startedAt', 'completedAt', 'createdAt', 'deletedAt'] };

export function registerCampaigns(app: App, context: ApiContext): void {
  app.get(
    '/campaigns',
    {
      schema: {
        tags,
        summary: 'List campaigns',
        querystring: CampaignQuery,
        response: { 200: okList(CampaignRecord), ...errorResponses(401, 422, 429) },
      },
    },
    async (request) => listCampaignRecords(context, request.auth.accountId, request.query),
  );
  app.get(
    '/campaigns/:id',
    {
      schema: {
        tags,
        summary: 'One campaign',
        params: Params,
        response: { 200: ok(CampaignDetails), ...errorResponses(401, 404, 429) },
      },
    },
    async (request) => {
      const row = await campaignRow(context.read, request.auth.accountId, request.params.id);
      return { data: await campaignDetails(context, row) };
    },
  );
  app.post(
    '/campaigns',
    {
      config,
      schema: {
        tags,
        summary: 'Create a campaign',
        body: CampaignCreate,
        response: { 201: ok(CampaignRecord), ...errorResponses(400, 401, 409, 422, 429) },
      },
    },
    async (request, reply) => {
      // Its time starts it.
      if (request.body.status === 'SCHEDULED') requireScope(request.auth, 'call');
      reply.code(201);
      return { data: await createCampaign(context, request.auth.accountId, request.body) };
    },
  );
  app.patch(
    '/campaigns/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Change a campaign',
        params: Params,
        body: CampaignPatch,
        response: { 200: ok(CampaignRecord), ...errorResponses(400, 401, 404, 409, 422, 429) },
      },
    },
    async (request) => ({
      data: await patchCampaign(context, request.auth, request.params.id, request.body),
    }),
  );
  app.delete(
    '/campaigns/:id',
    {
      schema: {
        tags,
        summary: 'Delete a campaign (soft); not while it is active',
        params: Params,
        response: { 200: ok(CampaignRecord), ...errorResponses(401, 404, 409, 429) },
      },
    },
    async (request) => ({ data: await deleteCampaign(context, request.auth.accountId, request.params.id) }),
  );
  registerTransitions(app, context);
  app.post(
    '/campaigns/:id/preview',
    {
      config: { idempotent: false, scope: 'read' },
      schema: {
        tags,
        summary: 'What a call of the campaign would say; nothing is called or stored',
        params: Params,
        body: CampaignPreviewBody,
        response: { 200: ok(CampaignPreview), ...errorResponses(400, 401, 404, 409, 422, 429) },
      },
    },
    async (request) => ({
      data: await previewCampaign(context, request.auth.accountId, request.params.id, request.body),
    }),
  );
  app.get(
    '/campaigns/:id/stats',
    {
      schema: {
        tags,
        summary: 'Stats of a campaign',
        params: Params,
        response: { 200: ok(StatsRecord), ...errorResponses(401, 404, 429) },
      },
    },
    async (request) => ({ data: await readStats(context, request.auth.accountId, request.params.id) }),
  );
}

function registerTransitions(app: App, context: ApiContext): void {
  app.post(
    '/campaigns/:id/start',
    {
      config: calling,
      schema: {
        tags,
        summary: 'Start: DRAFT, SCHEDULED or FAILED become RUNNING',
        params: Params,
        response: { 200: ok(StartedCampaign), ...errorResponses(401, 404, 409, 429) },
      },
    },
    async (request) => ({ data: await startCampaign(context, request.auth.accountId, request.params.id) }),
  );
  app.post(
    '/campaigns/:id/pause',
    {
      config: { scope: 'work' },
      schema: {
        tags,
        summary: 'Pause: RUNNING or SCHEDULED become PAUSED',
        params: Params,
        response: { 200: ok(CampaignRecord), ...errorResponses(401, 404, 409, 429) },
      },
    },
    async (request) => ({ data: await pauseCampaign(context, request.auth.accountId, request.params.id) }),
  );
  app.post(
    '/campaigns/:id/resume',
    {
      config: calling,
      schema: {
        tags,
        summary: 'Resume: PAUSED becomes RUNNING, or SCHEDULED where scheduledAt lies ahead',
        params: Params,
        response: { 200: ok(StartedCampaign), ...errorResponses(401, 404, 409, 429) },
      },
    },
    async (request) => ({ data: await resumeCampaign(context, request.auth.accountId, request.params.id) }),
  );
}
