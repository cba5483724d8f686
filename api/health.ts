// Liveness and readiness. Ready means that a call would be answered. The engine writes a heartbeat row every second;
// the end of an engine process on this machine is noticed at once.
import { Type } from 'typebox';
import type { ApiContext } from './context.ts';
import type { App } from './frame/app.ts';
import { errorResponses, ok } from './frame/envelope-schema.ts';
import { retryLater } from './frame/errors.ts';
import { readEngines } from './peers/engines.ts';

const Health = Type.Object({ status: Type.String() });

export function registerHealth(app: App, context: ApiContext): void {
  const route = { config: { public: true, bare: true, probe: true } };
  app.get(
    '/healthz',
    {
      ...route,
      schema: { tags: ['Health'], summary: 'The API is alive', security: [], response: { 200: ok(Health) } },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store');
      return { success: true, data: { status: 'ok' } };
    },
  );
  app.get(
    '/readyz',
    {
      ...route,
      schema: {
        tags: ['Health'],
        summary: 'A call would be answered: database migrated, engine alive, telephony up',
        security: [],
        response: { 200: ok(Health), ...errorResponses(503) },
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store');
      const { reason } = await readEngines(context, context.read);
      if (reason !== null) throw retryLater('ENGINE_DOWN', reason, 1);
      return { success: true, data: { status: 'ready' } };
    },
  );
}
