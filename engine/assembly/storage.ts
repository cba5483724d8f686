// The ground on which everything of an engine stands: its folder, its database and the thread that writes.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { skewOf } from '../../db/clock-skew.ts';
import { databaseVariable, isPostgres, migrateDatabase, openDatabase } from '../../db/database.ts';
import { Outage } from '../../db/faults/outage.ts';
import { keyDigestFault } from '../../db/key-digests.ts';
import { UnsuitableDatabaseError } from '../../db/migration-files.ts';
import { sealingKeyFault } from '../../db/sealing-key.ts';
import { diskIdOf } from '../../db/shared/files/disk-id.ts';
import { sealingKeyOf } from '../../db/shared/secrets/secret-box.ts';
import { ConfigError } from '../../db/shared/settings/environment.ts';
import { startWriter } from '../../db/writing/writer.ts';
import type { Clock } from '../clock.ts';
import { markPredecessorsDead, takeHome } from '../cluster/home.ts';
import { watchSkew } from '../cluster/skew.ts';
import type { EngineConfig } from '../config.ts';

export type Storage = Awaited<ReturnType<typeof openStorage>>;

interface Start {
  config: EngineConfig;
  /** The machine's. */
  machineClock: Clock;
  log: Logger;
}

/** @throws {ConfigError} with the variable to change: an unfit database, a wrong key */
export async function openStorage({ config, machineClock, log }: Start) {
  const engineId = `eng_${randomBytes(8).toString('hex')}`;
  const outage = new Outage({ log, monotonicMs: () => machineClock.monotonicMs() });
  await migrate(config);
  const keyFault = await sealingKeyFault(config);
  if (keyFault !== null) throw new ConfigError(keyFault.variable, keyFault.message);
  const key = { variable: 'SEALING_KEY', secret: sealingKeyOf(config) } as const;
  const digestFault = await keyDigestFault(config.directDatabase, [key], machineClock.nowMs());
  if (digestFault !== null) throw new ConfigError(digestFault.variable, digestFault.message);
  const home = diskIdOf(config.recordingsDir);
  let leaveHome = async (): Promise<void> => undefined;
  const read = openDatabase(config.database, { readonly: true, keepsPlans: true });
  const writer = startWriter(
    config.database,
    (error, operation) =>
      outage.explains(error) ||
      log.error({ operation, code: error.code, error: error.message }, 'write failed, trying again'),
    isPostgres(config.database) ? { spool: join(config.dataDir, 'spool.db'), engineId } : {},
  );
  const skew = await watchSkew(
    skewOf(read, () => machineClock.nowMs()),
    machineClock,
  );
  const { clock } = skew;
  return {
    config,
    clock,
    log,
    engineId,
    home,
    outage,
    /** Whether other engines and APIs may work on the same database. */
    isShared: isPostgres(config.database),
    secretKey: sealingKeyOf(config),
    read,
    writer,
    /** Ms that the database's clock is ahead of `clock`, and of the machine's. */
    skewMs: () => skew.ms,
    machineSkewMs: () => skew.machineMs,
    /** Nobody else is this folder's engine from now on. @throws {ConfigError} while another one is */
    async take(): Promise<void> {
      leaveHome = await takeHome({ config, clock });
      writer.open();
    },
    /** Another engine may take the folder. */
    leave: () => leaveHome(),
    /** Takes the earlier engines of this folder for dead. @throws {ConfigError} while one of them lives */
    markPredecessorsDead: () => markPredecessorsDead({ config, clock, read, writer, engineId, home, skewMs: skew.ms }),
    async close(): Promise<void> {
      skew.stop();
      await writer.close();
      await read.destroy();
      await leaveHome();
    },
  };
}

async function migrate({ database, directDatabase }: EngineConfig): Promise<void> {
  try {
    await migrateDatabase(directDatabase);
  } catch (error) {
    if (error instanceof UnsuitableDatabaseError) throw new ConfigError(databaseVariable(database), error.message);
    throw error;
  }
}
