// Models of the installation, for an ADMIN: recognition, dialogue and speech engines, and downloads of weights, which
// the engine carries out.
import { join } from 'node:path';
import { Type } from 'typebox';
import { insertEngineRequest, latestModelDownload } from '../../db/queries/engine-requests.ts';
import { findEngineState } from '../../db/queries/engine-state.ts';
import { listDownloads, listModels } from '../../models/catalogue.ts';
import type { App } from '../app.ts';
import type { ApiContext } from '../context.ts';
import { errorResponses, nullable, ok, okList, oneOf } from '../envelope-schema.ts';
import { notFound, refused, retryLater } from '../errors.ts';
import { notReady } from '../health.ts';
import { offsetOf, PageQuery, pagination } from '../pagination.ts';

const tags = ['Models'];
const config = { admin: true };
const DOWNLOAD_TAKEN_WITHIN_MS = 60_000;

export const ModelRecord = Type.Object(
  {
    name: Type.String(),
    kind: oneOf(['vad', 'stt', 'tts', 'llm'] as const),
    description: Type.String(),
    licence: Type.String(),
    state: oneOf(['installed', 'downloadable', 'package-missing', 'unconfigured'] as const),
    download: nullable(
      Type.Object({ name: Type.String(), bytes: Type.Integer(), installed: Type.Boolean(), licence: Type.String() }),
    ),
    progress: nullable(
      Type.Object({
        state: oneOf(['waiting', 'running', 'done', 'failed'] as const),
        error: nullable(Type.String()),
      }),
    ),
  },
  { title: 'Model' },
);

export function registerModels(app: App, context: ApiContext): void {
  app.get(
    '/admin/models',
    {
      config,
      schema: {
        tags,
        summary: 'What can listen, think and speak here',
        querystring: PageQuery,
        response: { 200: okList(ModelRecord), ...errorResponses(401, 403, 422, 429) },
      },
    },
    async (request) => {
      const { page, limit } = request.query;
      const all = listModels(process.env);
      const shown = all.slice(offsetOf(request.query), offsetOf(request.query) + limit);
      return {
        data: await Promise.all(shown.map(({ name }) => modelRecord(context, request.auth.accountId, name))),
        pagination: pagination(page, limit, all.length),
      };
    },
  );
  const params = Type.Object({ name: Type.String() });
  app.get(
    '/admin/models/:name',
    {
      config,
      schema: {
        tags,
        summary: 'One model, with the progress of its download',
        params,
        response: { 200: ok(ModelRecord), ...errorResponses(401, 403, 404, 429) },
      },
    },
    async (request) => ({ data: await modelRecord(context, request.auth.accountId, request.params.name) }),
  );
  app.post(
    '/admin/models/:name/download',
    {
      config,
      schema: {
        tags,
        summary: 'Download the weights of a model',
        params,
        response: { 200: ok(ModelRecord), ...errorResponses(401, 403, 404, 409, 429, 503) },
      },
    },
    async (request) => ({ data: await beginDownload(context, request.auth.accountId, request.params.name) }),
  );
}

async function modelRecord(context: ApiContext, accountId: string, name: string) {
  const model = listModels(process.env).find((entry) => entry.name === name);
  if (model === undefined) throw notFound('Model');
  const weights =
    model.download === null
      ? undefined
      : listDownloads(join(context.config.dataDir, 'models')).find((entry) => entry.name === model.download);
  const { kind, description, licence, state } = model;
  return {
    name,
    kind,
    description,
    licence,
    state,
    download: weights
      ? { name: weights.name, bytes: weights.bytes, installed: weights.installed, licence: weights.licence }
      : null,
    progress: await downloadProgress(context, accountId, name),
  };
}

async function downloadProgress(context: ApiContext, accountId: string, name: string) {
  const request = await latestModelDownload(context.read, accountId, name);
  if (request === undefined) return null;
  const { error } = JSON.parse(request.result ?? '{}') as { error?: string };
  if (request.doneAt !== null) {
    return error === undefined ? { state: 'done' as const, error: null } : { state: 'failed' as const, error };
  }
  if (request.claimedAt !== null) return { state: 'running' as const, error: null };
  const expired = request.expiresAt < context.now();
  return expired
    ? { state: 'failed' as const, error: 'The engine did not take the request' }
    : { state: 'waiting' as const, error: null };
}

async function beginDownload(context: ApiContext, accountId: string, name: string) {
  const record = await modelRecord(context, accountId, name);
  if (record.download === null) throw refused('MODEL_NOT_DOWNLOADABLE', `${name} has nothing to download`);
  if (record.download.installed) throw refused('MODEL_INSTALLED', `${name} is installed`);
  if (record.progress?.state === 'running' || record.progress?.state === 'waiting') return record;
  const nowMs = context.now();
  const reason = notReady(await findEngineState(context.read), nowMs);
  if (reason !== null) throw retryLater('ENGINE_DOWN', reason, 5);
  await insertEngineRequest(context.db, accountId, {
    kind: 'model-download',
    callId: null,
    payload: { name },
    nowMs,
    expiresAt: nowMs + DOWNLOAD_TAKEN_WITHIN_MS,
  });
  return modelRecord(context, accountId, name);
}
