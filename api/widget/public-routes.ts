// /widget/:key: what pages of web sites ask in the name of their visitors. There is no token: the key is public, and
// the browser says which page it is.
import { Type } from 'typebox';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, ok } from '../frame/envelope-schema.ts';
import { whenGone } from '../frame/files.ts';
import { beginWidgetCall } from './calls.ts';
import { WidgetDoor } from './door.ts';
import { widgetFacts } from './facts.ts';
import {
  WidgetCall,
  WidgetCallBegin,
  WidgetFacts,
  WidgetMessageRead,
  WidgetMessageWrite,
  WidgetOpen,
  WidgetThread,
  WidgetWritten,
} from './schema.ts';
import { WidgetReaders, writeWidgetMessage } from './texts.ts';

const shared = { tags: ['Widget'], security: [], params: Type.Object({ key: Type.String() }) };
const config = { public: true } as const;

export function registerWidget(app: App, context: ApiContext): void {
  app.register(async (plain) => {
    const scope = plain as App;
    const door = new WidgetDoor(scope, context);
    const readers = new WidgetReaders(context);
    scope.decorateRequest('knock', null);
    scope.addHook('onRequest', (request, reply) => door.meet(request as never, reply));
    scope.addHook('preClose', async () => readers.stop());
    for (const path of ['', '/calls', '/messages', '/messages/read'])
      scope.options(`/widget/:key${path}`, { config, schema: { hide: true } }, async (request, reply) =>
        door.answerPreflight(request, reply),
      );
    scope.post(
      '/widget/:key',
      {
        config,
        schema: {
          ...shared,
          summary: 'What a widget may do, and who answers',
          body: WidgetOpen,
          response: { 200: ok(WidgetFacts), ...errorResponses(400, 403, 404, 422, 429) },
        },
      },
      async (request) => ({ data: await widgetFacts(context, await door.admit(request, null)) }),
    );
    scope.post(
      '/widget/:key/calls',
      {
        config,
        schema: {
          ...shared,
          summary: "Begin a visitor's call",
          description: 'The socket is that of `POST /calls/web`.',
          body: WidgetCallBegin,
          response: { 201: ok(WidgetCall), ...errorResponses(400, 403, 404, 422, 429, 503) },
        },
      },
      async (request, reply) => {
        const visit = await door.admit(request, 'call');
        await door.askCaptcha(visit, 'call', request.body.captcha);
        return reply.code(201).send({ data: await beginWidgetCall(context, door, visit) });
      },
    );
    scope.post(
      '/widget/:key/messages',
      {
        config,
        schema: {
          ...shared,
          summary: "Write a visitor's message; the first one begins a conversation",
          body: WidgetMessageWrite,
          response: { 201: ok(WidgetWritten), ...errorResponses(400, 403, 404, 422, 429, 503) },
        },
      },
      async (request, reply) => {
        const visit = await door.admit(request, 'text');
        return reply.code(201).send({ data: await writeWidgetMessage(context, door, visit, request.body) });
      },
    );
    scope.post(
      '/widget/:key/messages/read',
      {
        config,
        schema: {
          ...shared,
          summary: "Read a visitor's conversation",
          body: WidgetMessageRead,
          response: { 200: ok(WidgetThread), ...errorResponses(400, 403, 404, 422, 429) },
        },
      },
      async (request, reply) => {
        const visit = await door.admit(request, null);
        return { data: await readers.read(visit, request.body, whenGone(reply)) };
      },
    );
  });
}
