import { Type } from 'typebox';
import type { App } from '../app.ts';
import type { ApiContext } from '../context.ts';
import { Binary, errorResponses, ok, oneOf } from '../envelope-schema.ts';
import { voicePreview } from './preview.ts';
import { offeredVoices } from './voices.ts';

const tags = ['Voices'];

const VoiceRecord = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    language: Type.String(),
    gender: oneOf(['female', 'male', 'neutral'] as const),
    engine: Type.String(),
    sampleRate: Type.Integer({ description: 'Hz' }),
    isDefault: Type.Boolean(),
  },
  { title: 'Voice' },
);

export function registerVoices(app: App, context: ApiContext): void {
  app.get(
    '/voices',
    {
      schema: {
        tags,
        summary: 'Voices that agents may be given; the default one first, then by name',
        response: { 200: ok(Type.Array(VoiceRecord)), ...errorResponses(401, 429) },
      },
    },
    async () => ({ data: await offeredVoices(context) }),
  );
  app.get(
    '/voices/:id/preview',
    {
      schema: {
        tags,
        summary: 'A sentence in the voice, audio/wav',
        params: Type.Object({ id: Type.String() }),
        response: {
          200: { description: 'The sentence', content: { 'audio/wav': { schema: Binary } } },
          ...errorResponses(401, 404, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const wav = await voicePreview(context, request.auth.accountId, request.params.id);
      return reply.type('audio/wav').header('cache-control', 'private, max-age=86400').send(wav);
    },
  );
}
