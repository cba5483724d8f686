// Routes that fill in a business: its services, its questions with answers, and fields from its web page.
import { type TSchema, Type } from 'typebox';
import type { ApiContext } from '../../context.ts';
import type { App } from '../../frame/app.ts';
import { errorResponses, ok } from '../../frame/envelope-schema.ts';
import { BusinessRecord, ExtractBody, HelperBody } from '../schema.ts';
import { extractFromUrl, generateFaqs, generateServices } from './fill-in.ts';
import { Extracted, Sources } from './schema.ts';

const tags = ['Businesses'];
const Params = Type.Object({ id: Type.String() });

const { services: Services, faqs: Faqs } = BusinessRecord.properties;

const errors = errorResponses(400, 401, 404, 409, 422, 429, 503);
const response = <T extends TSchema>(name: string, schema: T) => ({
  200: ok(Type.Object({ [name]: schema, business: BusinessRecord })),
  ...errors,
});

export function registerBusinessHelpers(app: App, context: ApiContext): void {
  app.post(
    '/businesses/:id/generate-services',
    {
      schema: {
        tags,
        summary: 'Fill in services, by the dialogue model or from what is usual in the industry',
        params: Params,
        body: HelperBody,
        response: response('services', Services),
      },
    },
    async (request) => ({
      data: await generateServices(context, request.auth, request.params.id, request.body.apply),
    }),
  );
  app.post(
    '/businesses/:id/generate-faqs',
    {
      schema: {
        tags,
        summary: 'Fill in questions and answers',
        params: Params,
        body: HelperBody,
        response: response('faqs', Faqs),
      },
    },
    async (request) => ({
      data: await generateFaqs(context, request.auth, request.params.id, request.body.apply),
    }),
  );
  app.post(
    '/businesses/:id/extract-from-url',
    {
      schema: {
        tags,
        summary: 'Fill in empty fields from a web page',
        params: Params,
        body: ExtractBody,
        response: {
          200: ok(Type.Object({ extracted: Extracted, sources: Sources, business: BusinessRecord })),
          ...errors,
        },
      },
    },
    async (request) => ({
      data: await extractFromUrl(
        context,
        request.auth,
        request.params.id,
        request.body.url,
        request.body.apply ?? true,
      ),
    }),
  );
}
