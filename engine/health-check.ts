// The health check of the engine's own container: ends with 0 while the engine's sign of life in the database is young.
// A drain is healthy.

import { messageOf } from '../db/domain/unexpected.ts';
import { findEngineState } from '../db/queries/engine/engine-state.ts';
import { readSharedConfig } from '../db/shared/environment.ts';
import { openDatabase } from '../db/sqlite.ts';

const HEARTBEAT_MAX_AGE_MS = 5_000;

try {
  const db = openDatabase(readSharedConfig(process.env).databasePath, { readonly: true });
  const state = await findEngineState(db);
  await db.destroy();
  const ageMs = state === undefined ? Number.POSITIVE_INFINITY : Date.now() - state.heartbeatAt;
  process.stdout.write(`${state?.state ?? 'never started'}, last sign of life ${ageMs} ms ago\n`);
  process.exitCode = ageMs < HEARTBEAT_MAX_AGE_MS && state?.state !== 'stopped' ? 0 : 1;
} catch (error) {
  process.stdout.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
