// Liveness and readiness. Ready means that a call would be answered. The engine writes a heartbeat row every second;
// the end of an engine process on this machine is noticed at once.
import { Type } from 'typebox';
import { isSilent } from '../db/domain/heartbeat.ts';
import { findEngineState } from '../db/queries/engine/engine-state.ts';
import type { EngineStateTable } from '../db/schema/processes.ts';
import type { App } from './app.ts';
import type { ApiContext } from './context.ts';
import { errorResponses, ok } from './envelope-schema.ts';
import { retryLater } from './errors.ts';
import { isGone } from './process-lives.ts';

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
      const reason = notReady(await findEngineState(context.read), context.now());
      if (reason !== null) throw retryLater('ENGINE_DOWN', reason, 1);
      return { success: true, data: { status: 'ready' } };
    },
  );
}

/** Why no call would be answered; null if one would. */
export function notReady(state: EngineStateTable | undefined, nowMs: number): string | null {
  if (state === undefined) return 'The engine has not started yet';
  if (state.state === 'stopped') return 'The engine has stopped';
  if (isGone(state)) return 'The engine is not running';
  if (isSilent(state.heartbeatAt, nowMs)) return 'The engine does not answer';
  if (state.state === 'starting') return 'The engine is starting';
  if (state.state === 'draining') return 'The engine is shutting down';
  return state.telephonyUp === 1 ? null : 'Telephony is down';
}
