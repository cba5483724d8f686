// The trunks as telephony has them, kept in step with the database: what an ADMIN changes registers at once, and what
// telephony learns of a trunk (registration, health, last error) is written back for the API to show.
import type { Logger } from 'pino';
import { listTrunkConfigs } from '../db/queries/trunks.ts';
import { installationSecret } from '../db/shared/secret-box.ts';
import type { Db } from '../db/sqlite.ts';
import type { Writer } from '../db/writer.ts';
import type { AudioCodec, Telephony, TrunkConfig, TrunkState } from './sip/telephony.ts';

export interface TrunkLimits {
  maxConcurrentCalls: number;
  callsPerSecond: number;
}

export interface TrunkBook {
  /** Reads the table; cheap when nothing changed. */
  refresh(): Promise<void>;
  /** The trunk of the number first, then the others, oldest first: the order of failover. */
  trunksFor(phoneNumberId: string | null): Promise<string[]>;
  /** All trunks, oldest first. */
  readonly order: readonly string[];
  limits(trunkId: string): TrunkLimits | null;
  isUp(trunkId: string): boolean;
}

export interface TrunkBookOptions {
  read: Db;
  writer: Writer;
  telephony: Telephony;
  dataDir: string;
  now(): number;
  log: Logger;
}

const isCodec = (codec: string): codec is AudioCodec => codec === 'PCMU' || codec === 'PCMA';

export function createTrunkBook({ read, writer, telephony, dataDir, now, log }: TrunkBookOptions): TrunkBook {
  const key = installationSecret(dataDir, 'secret.key');
  const limits = new Map<string, TrunkLimits>();
  const states = new Map<string, TrunkState>();
  let order: string[] = [];
  let seen = '';

  telephony.onTrunkState((state) => {
    states.set(state.trunkId, state);
    log.info(
      {
        trunkId: state.trunkId,
        registration: state.registration.state,
        health: state.health.state,
        error: state.lastError,
      },
      'trunk state',
    );
    writer
      .run('writeTrunkState', {
        trunkId: state.trunkId,
        registrationState: state.registration.state,
        registrationExpiresAt: state.registration.expiresAtMs,
        healthState: state.health.state,
        healthCheckedAt: state.health.checkedAtMs,
        lastError: state.lastError,
        lastErrorAt: state.lastErrorAtMs,
        activeCalls: 0,
        updatedAt: now(),
      })
      .catch((error: unknown) => log.warn({ error: String(error) }, 'trunk state not written'));
  });

  return {
    async refresh() {
      const rows = await listTrunkConfigs(read, key);
      const configs = rows.map(
        ({ maxConcurrentCalls: _calls, callsPerSecond: _rate, ...row }): TrunkConfig => ({
          ...row,
          codecs: row.codecs.filter(isCodec),
          dialPrefix: row.dialPrefix ?? '',
        }),
      );
      const fingerprint = JSON.stringify(configs);
      limits.clear();
      for (const row of rows)
        limits.set(row.id, { maxConcurrentCalls: row.maxConcurrentCalls, callsPerSecond: row.callsPerSecond });
      if (fingerprint === seen) return;
      seen = fingerprint;
      order = configs.map((config) => config.id);
      for (const id of states.keys()) if (!order.includes(id)) states.delete(id);
      telephony.setTrunks(configs);
    },
    async trunksFor(phoneNumberId) {
      const number =
        phoneNumberId === null
          ? undefined
          : await read.selectFrom('phoneNumbers').select('trunkId').where('id', '=', phoneNumberId).executeTakeFirst();
      const own = number?.trunkId ?? null;
      return own !== null && order.includes(own) ? [own, ...order.filter((id) => id !== own)] : [...order];
    },
    get order() {
      return order;
    },
    limits: (trunkId) => limits.get(trunkId) ?? null,
    isUp: (trunkId) => {
      const state = states.get(trunkId);
      return state?.health.state !== 'down' && state?.registration.state !== 'failed';
    },
  };
}
