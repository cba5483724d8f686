// The engines of the installation as they are now: readiness, the room for calls, and the one that takes a request.
import { isPostgres } from '../../db/database.ts';
import { isSilent } from '../../db/domain/heartbeat.ts';
import { listEngines, lostEngines } from '../../db/queries/engine/engines.ts';
import type { EngineTable } from '../../db/schema/processes.ts';
import type { Db } from '../../db/schema.ts';
import { isGone } from '../../db/shared/process/process-lives.ts';
import type { ApiContext } from '../context.ts';

export interface Engines {
  /** Engines that would answer a call, the one with most room first. */
  up: readonly EngineTable[];
  /** Engines that have not stopped in order, up or not. */
  known: readonly EngineTable[];
  /** Started last; undefined until an engine has started on this database. */
  newest: EngineTable | undefined;
  /** Why no call would be answered; null if one would. */
  reason: string | null;
}

export async function readEngines({ now, skewMs }: Pick<ApiContext, 'now' | 'skewMs'>, db: Db): Promise<Engines> {
  const engines = await listEngines(db);
  const nowMs = now() + skewMs();
  const up = engines.filter((engine) => notReady(engine, nowMs) === null).sort((a, b) => roomOf(b) - roomOf(a));
  const [newest] = engines;
  const known = engines.filter(({ state }) => state !== 'stopped');
  return { up, known, newest, reason: up.length > 0 ? null : notReady(newest, nowMs) };
}

/**
 * Engines that were lost with their machines, which have not come back; a single engine's absence is told otherwise.
 */
export const readLostEngines = async ({ config, read }: Pick<ApiContext, 'config' | 'read'>): Promise<EngineTable[]> =>
  isPostgres(config.database) ? await lostEngines(read) : [];

const roomOf = ({ isLate, maxCalls, activeCalls }: EngineTable): number => (isLate === 1 ? 0 : maxCalls - activeCalls);

/** The room of all engines that would answer a call. */
export const roomOfAll = (up: readonly EngineTable[]): Pick<EngineTable, 'maxCalls' | 'activeCalls'> => ({
  maxCalls: up.reduce((sum, engine) => sum + engine.maxCalls, 0),
  activeCalls: up.reduce((sum, engine) => sum + engine.activeCalls, 0),
});

/** Why this engine would answer no call; null if it would. */
export function notReady(engine: EngineTable | undefined, nowMs: number): string | null {
  if (engine === undefined) return 'The engine has not started yet';
  const reason = notRunning(engine, nowMs);
  if (reason !== null) return reason;
  if (engine.state === 'starting') return 'The engine is starting';
  if (engine.state === 'draining') return 'The engine is shutting down';
  return engine.telephonyUp === 1 ? null : 'Telephony is down';
}

/** Why this engine has no calls; null if it may have some, also while it drains or telephony is down. */
export function notRunning(engine: EngineTable, nowMs: number): string | null {
  if (engine.state === 'stopped' || engine.state === 'dead') return 'The engine has stopped';
  if (isGone(engine)) return 'The engine is not running';
  return isSilent(engine.heartbeatAt, nowMs) ? 'The engine does not answer' : null;
}
