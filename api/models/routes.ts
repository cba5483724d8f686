// Models of the installation, for an ADMIN: recognition, dialogue and speech engines, and downloads of weights, which
// the engine carries out.
import { join } from 'node:path';
import { Type } from 'typebox';
import { insertEngineRequest, latestModelDownload } from '../../db/queries/engine/engine-requests.ts';
import {
  type Download,
  listDownloads,
  listModels,
  type ModelKind,
  type ModelListing,
} from '../../models/install/catalogue.ts';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, nullable, ok, okList, oneOf } from '../frame/envelope-schema.ts';
import { engineDown, notFound, refused } from '../frame/errors.ts';
import { offsetOf, PageQuery, pagination } from '../frame/pagination.ts';
import { readEngines } from '../peers/engines.ts';
import { configuredEnvironment } from './settings.ts';

const tags = ['Models'];
const config = { admin: true };
const DOWNLOAD_TAKEN_WITHIN_MS = 60_000;

const Kind = oneOf(['vad', 'stt', 'tts', 'llm', 'speech-to-speech'] as const);

const ModelRecord = Type.Object(
  {
    name: Type.String(),
    kind: Kind,
    description: Type.String(),
    licence: Type.String(),
    state: oneOf(['installed', 'downloadable', 'package-missing', 'unconfigured'] as const),
    languages: nullable(Type.Array(Type.String(), { description: 'Base languages; null: many, as the server says' })),
    realTimeFactor: Type.Number({
      description: 'Seconds of one core per second of audio; 0 where a server does the work',
    }),
    concurrency: nullable(Type.Integer({ description: 'Calls or texts at a time; null: as many as the cores carry' })),
    memoryMb: Type.Integer({ description: 'Memory of one worker, MB' }),
    download: nullable(
      Type.Object({ name: Type.String(), bytes: Type.Integer(), installed: Type.Boolean(), licence: Type.String() }),
    ),
    progress: nullable(
      Type.Object({
        state: oneOf(['waiting', 'running', 'done', 'failed'] as const),
        error: nullable(Type.String()),
        bytes: nullable(Type.Integer({ description: 'Received so far; null before the first and after the last' })),
        totalBytes: nullable(Type.Integer({ description: 'About' })),
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
      const all = listModels(await configuredEnvironment(context), modelsDirOf(context));
      const shown = all.slice(offsetOf(request.query), offsetOf(request.query) + limit);
      return {
        data: await Promise.all(shown.map((model) => modelRecord(context, request.auth.accountId, model))),
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
        querystring: Type.Object({ kind: Type.Optional(Kind) }, { additionalProperties: false }),
        response: { 200: ok(ModelRecord), ...errorResponses(401, 403, 404, 422, 429) },
      },
    },
    async (request) => ({
      data: await modelRecord(
        context,
        request.auth.accountId,
        await namedModel(context, request.params.name, request.query.kind),
      ),
    }),
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

/** As its route shows it, with the progress of its download. @throws {ApiError} 404 */
export const readModel = async (context: ApiContext, accountId: string, name: string) =>
  modelRecord(context, accountId, await namedModel(context, name, undefined));

/** One name may be an engine of several kinds: without a kind the last of the catalogue, an LLM where there is one. */
async function namedModel(context: ApiContext, name: string, kind: ModelKind | undefined): Promise<ModelListing> {
  const named = listModels(await configuredEnvironment(context), modelsDirOf(context)).filter(
    (entry) => entry.name === name,
  );
  const model = kind === undefined ? named.at(-1) : named.find((entry) => entry.kind === kind);
  if (model === undefined) throw notFound('Model');
  return model;
}

function modelsDirOf(context: ApiContext): string {
  return join(context.config.dataDir, 'models');
}

async function modelRecord(context: ApiContext, accountId: string, model: ModelListing) {
  const weights =
    model.download === null
      ? undefined
      : listDownloads(modelsDirOf(context)).find((entry) => entry.name === model.download);
  const { name, kind, description, licence, state, languages, concurrency, realTimeFactor, memoryMb } = model;
  return {
    name,
    kind,
    description,
    licence,
    state,
    languages: languages === null ? null : [...languages],
    realTimeFactor,
    concurrency,
    memoryMb,
    download: weights
      ? { name: weights.name, bytes: weights.bytes, installed: weights.installed, licence: weights.licence }
      : null,
    progress: await downloadProgress(context, accountId, name, weights),
  };
}

async function downloadProgress(context: ApiContext, accountId: string, name: string, weights: Download | undefined) {
  const request = await latestModelDownload(context.read, accountId, name);
  if (request === undefined) return null;
  const bytes = { bytes: weights?.receivedBytes ?? null, totalBytes: weights?.bytes ?? null };
  const failed = (error: string) => ({ state: 'failed' as const, error, ...bytes });
  const { error } = JSON.parse(request.result ?? '{}') as { error?: string };
  if (request.doneAt !== null)
    return error === undefined ? { state: 'done' as const, error: null, ...bytes } : failed(error);
  if (request.claimedAt === null)
    return request.expiresAt < context.now()
      ? failed('The engine did not take the request')
      : { state: 'waiting' as const, error: null, ...bytes };
  const { up } = await readEngines(context, context.read);
  return up.length > 0 && !up.some(({ id }) => id === request.claimedBy)
    ? failed('The engine was restarted: ask again, and the download resumes')
    : { state: 'running' as const, error: null, ...bytes };
}

/** @throws {ApiError} 404, 409, 503 */
export async function beginDownload(context: ApiContext, accountId: string, name: string) {
  const record = await modelRecord(context, accountId, await namedModel(context, name, undefined));
  if (record.download === null) throw refused('MODEL_NOT_DOWNLOADABLE', `${name} has nothing to download`);
  if (record.download.installed) throw refused('MODEL_INSTALLED', `${name} is installed`);
  if (record.progress?.state === 'running' || record.progress?.state === 'waiting') return record;
  const nowMs = context.now();
  const { reason } = await readEngines(context, context.read);
  if (reason !== null) throw engineDown(reason);
  await insertEngineRequest(context.db, accountId, {
    kind: 'model-download',
    callId: null,
    payload: { name },
    nowMs,
    expiresAt: nowMs + DOWNLOAD_TAKEN_WITHIN_MS,
  });
  return modelRecord(context, accountId, await namedModel(context, name, undefined));
}
