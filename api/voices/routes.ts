// /voices: the voices that agents may be given, each with a sentence to hear it by.
import { Type } from 'typebox';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { Binary, errorResponses, okList, oneOf } from '../frame/envelope-schema.ts';
import { offsetOf, optionalPageQuery, pagination } from '../frame/pagination.ts';
import { voicePreview } from './preview.ts';
import { type OfferedVoice, offeredVoices } from './voices.ts';

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

/** On one page, where no page was asked for. */
const ALL_MAX = 1_000;

function pageOfVoices(voices: readonly OfferedVoice[], query: { page?: number; limit?: number }) {
  const isPaged = query.page !== undefined || query.limit !== undefined;
  const { page = 1, limit = isPaged ? 20 : ALL_MAX } = query;
  const offset = offsetOf({ page, limit });
  return { data: voices.slice(offset, offset + limit), pagination: pagination(page, limit, voices.length) };
}

export function registerVoices(app: App, context: ApiContext): void {
  app.get(
    '/voices',
    {
      schema: {
        tags,
        summary: 'Voices that agents may be given; the default one first, then by name',
        description: 'Without `page` and `limit` all of them, up to 1,000, are on one page.',
        querystring: optionalPageQuery,
        response: { 200: okList(VoiceRecord), ...errorResponses(401, 422, 429) },
      },
    },
    async ({ query }) => pageOfVoices(await offeredVoices(context), query),
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
