// The health check of the engine's container: exits with 0 while the engine's heartbeat in the database is recent. A
// draining engine is healthy.

import { hostname } from 'node:os';
import { openDatabase } from '../db/database.ts';
import { isSilent } from '../db/domain/heartbeat.ts';
import { messageOf } from '../db/domain/unexpected.ts';
import { listEngines } from '../db/queries/engine/engines.ts';
import { readSharedConfig } from '../db/shared/settings/environment.ts';

try {
  const db = openDatabase(readSharedConfig(process.env).database, { readonly: true });
  const [state] = (await listEngines(db)).filter((engine) => engine.hostname === hostname());
  await db.destroy();
  const nowMs = Date.now();
  const atMs = state?.heartbeatAt ?? Number.NEGATIVE_INFINITY;
  process.stdout.write(`${state?.state ?? 'never started'}, last sign of life ${nowMs - atMs} ms ago\n`);
  process.exitCode = !isSilent(atMs, nowMs) && state?.state !== 'stopped' ? 0 : 1;
} catch (error) {
  process.stdout.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
