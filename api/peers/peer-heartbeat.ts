// Writes this API's heartbeat where several may share the database, and reads the others'.
import { isPostgres } from '../../db/database.ts';
import { forgetProcesses } from '../../db/queries/engine/processes.ts';
import { KEPT_MS } from '../../db/rules/kept.ts';
import type { ApiContext } from '../context.ts';

const BEAT_MS = 2_000;

export async function startPeers(context: ApiContext): Promise<{ stop(): Promise<void> }> {
  const { config, db, peers, log, outage } = context;
  if (!isPostgres(config.database)) return { stop: async () => {} };
  const nowMs = (): number => context.now() + context.skewMs();
  await peers.beat(db, nowMs());
  const timer = setInterval(() => {
    peers.beat(db, nowMs()).then(
      () => outage.answered(),
      (error: unknown) => {
        if (!outage.explains(error)) log.warn({ err: error }, 'could not write the heartbeat');
      },
    );
  }, BEAT_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await forgetProcesses(db, peers.id, nowMs() - KEPT_MS.processes).catch(() => undefined);
    },
  };
}
