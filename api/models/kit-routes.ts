// GET /admin/model-kits/:language: ears and a voice for a language, as this machine can carry them, for an ADMIN. They
// are fetched, tried and chosen by the routes of models and their settings.

import { join } from 'node:path';
import { Type } from 'typebox';
import { type Kit, kitFor } from '../../models/install/kit.ts';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, nullable, ok, oneOf } from '../frame/envelope-schema.ts';
import { patterned } from '../frame/patterns.ts';

const KitPart = Type.Object(
  {
    kind: oneOf(['stt', 'tts'] as const),
    engine: Type.String({ description: 'A name of GET /admin/models' }),
    description: Type.String(),
    licence: Type.String(),
    bytes: Type.Integer({ description: 'About' }),
    memoryMb: Type.Integer(),
    isInstalled: Type.Boolean(),
    url: Type.String({ description: 'Where it is fetched' }),
    checksumUrl: Type.String(),
    file: Type.String({ description: 'The name under which it is put into the machine by hand' }),
  },
  { title: 'ModelKitPart' },
);

const ModelKit = Type.Object(
  {
    language: Type.String(),
    machine: Type.Object({ cores: Type.Integer(), memoryMb: Type.Integer() }),
    ears: nullable(KitPart),
    voice: nullable(KitPart),
    carries: nullable(Type.Integer({ description: 'Calls at once, estimated; measured once they are in use' })),
    bytes: Type.Integer({ description: 'Still to be fetched' }),
  },
  { title: 'ModelKit' },
);

export function registerModelKits(app: App, context: ApiContext): void {
  app.get(
    '/admin/model-kits/:language',
    {
      config: { admin: true },
      schema: {
        tags: ['Models'],
        summary: 'Ears and a voice for a language, for this machine',
        params: Type.Object({
          language: Type.String({
            pattern: patterned('^[a-z]{2}$', 'must be a language of two letters (ISO 639-1), for example de'),
          }),
        }),
        response: { 200: ok(ModelKit), ...errorResponses(401, 403, 422, 429) },
      },
    },
    async (request) => ({ data: modelKit(context, request.params.language) }),
  );
}

export const modelKit = (context: ApiContext, language: string): Kit =>
  kitFor(language, join(context.config.dataDir, 'models'));
