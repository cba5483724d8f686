// Keeps telephony's trunks in step with the database: an admin's changes register at once, and a trunk's state
// (registration, health, last error) is written back for the API.
import type { Logger } from 'pino';
import { outboundTrunkId } from '../../db/domain/outbound-trunk.ts';
import { VOICE_CODECS } from '../../db/domain/trunk-defaults.ts';
import { isDown } from '../../db/domain/trunk-state.ts';
import { namedTrunkStates } from '../../db/queries/trunks/trunk-states.ts';
import { listTrunkConfigs } from '../../db/queries/trunks/trunks.ts';
import type { Db } from '../../db/schema.ts';
import type { Writer } from '../../db/writing/writer.ts';
import type { AudioCodec, Telephony, TrunkConfig, TrunkState } from '../sip/telephony.ts';

export interface TrunkLimits {
  maxConcurrentCalls: number;
  callsPerSecond: number;
}

export interface TrunkBook {
  /** Reads the table; cheap when nothing changed. */
  refresh(): Promise<void>;
  /** The trunk for a number's outbound calls, then its backup; empty if there is none. */
  trunksFor(phoneNumberId: string | null): Promise<string[]>;
  /** The trunk a call was placed on, then its backup; empty once the trunk is gone. */
  routeOf(trunkId: string | null): string[];
  /** All trunks, oldest first. */
  readonly order: readonly string[];
  limits(trunkId: string): TrunkLimits | null;
  /** False only while the trunk and its backup are both known to be down. */
  isUp(trunkId: string): boolean;
}

export interface TrunkBookOptions {
  read: Db;
  writer: Writer;
  telephony: Telephony;
  secretKey: Buffer;
  /** Whether this engine registers at the trunks and asks after their health: one engine does. */
  leads(): boolean;
  /** host:port of the proxy through which all requests leave, and at which carriers reach us; null: none. */
  edge: string | null;
  now(): number;
  log: Logger;
}

const isCodec = (codec: string): codec is AudioCodec => VOICE_CODECS.some((known) => known === codec);

export function createTrunkBook({
  read,
  writer,
  telephony,
  secretKey,
  leads,
  edge,
  now,
  log,
}: TrunkBookOptions): TrunkBook {
  const limits = new Map<string, TrunkLimits>();
  const states = new Map<string, TrunkState>();
  const backups = new Map<string, string>();
  let order: string[] = [];
  let seen = '';

  telephony.onTrunkState((state) => {
    if (!leads()) return;
    const before = states.get(state.trunkId);
    states.set(state.trunkId, state);
    logChange(before, state);
    writer
      .run('writeTrunkState', {
        trunkId: state.trunkId,
        registrationState: state.registration.state,
        registrationExpiresAt: state.registration.expiresAtMs,
        healthState: state.health.state,
        healthCheckedAt: state.health.checkedAtMs,
        lastError: state.lastError,
        lastErrorAt: state.lastErrorAtMs,
        updatedAt: now(),
      })
      .catch((error: unknown) => log.warn({ error: String(error) }, 'could not write the state of a trunk'));
  });

  /** Trunks are checked every 30 s, failing ones every 5 s: only changes get a log line. */
  const logChange = (
    before: TrunkState | undefined,
    { trunkId, registration, health, lastError }: TrunkState,
  ): void => {
    const isSame =
      before?.registration.state === registration.state &&
      before.health.state === health.state &&
      before.lastError === lastError;
    if (isSame) return;
    const line = { trunkId, registration: registration.state, health: health.state, error: lastError };
    log[isDown(registration.state, health.state) ? 'warn' : 'info'](line, 'trunk state');
  };

  /** As the engine that asks after the trunks has written them. */
  const readStates = async (): Promise<void> => {
    for (const { id, state } of await namedTrunkStates(read)) {
      if (state === undefined) continue;
      states.set(id, {
        trunkId: id,
        registration: { state: state.registrationState, expiresAtMs: state.registrationExpiresAt },
        health: { state: state.healthState, checkedAtMs: state.healthCheckedAt },
        lastError: state.lastError,
        lastErrorAtMs: state.lastErrorAt,
      });
    }
  };

  const isItselfUp = (trunkId: string): boolean => {
    const state = states.get(trunkId);
    return state === undefined || !isDown(state.registration.state, state.health.state);
  };

  const routeOf = (trunkId: string | null): string[] => {
    if (trunkId === null || !order.includes(trunkId)) return [];
    const backup = backups.get(trunkId);
    return backup !== undefined && order.includes(backup) ? [trunkId, backup] : [trunkId];
  };

  return {
    async refresh() {
      const rows = await listTrunkConfigs(read, secretKey);
      const configs = rows.map(
        ({ maxConcurrentCalls: _calls, callsPerSecond: _rate, backupTrunkId: _backup, ...row }): TrunkConfig => ({
          ...row,
          codecs: row.codecs.filter(isCodec),
          dialPrefix: row.dialPrefix ?? '',
          ...(leads() ? {} : { isPassive: true }),
          ...(edge === null ? {} : { outboundProxy: row.outboundProxy ?? edge, contactAt: edge }),
        }),
      );
      if (!leads()) await readStates();
      const fingerprint = JSON.stringify(configs);
      limits.clear();
      backups.clear();
      for (const { id, backupTrunkId } of rows) if (backupTrunkId !== null) backups.set(id, backupTrunkId);
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
      return routeOf(outboundTrunkId(own, order));
    },
    routeOf,
    get order() {
      return order;
    },
    limits: (trunkId) => limits.get(trunkId) ?? null,
    isUp: (trunkId) => routeOf(trunkId).some(isItselfUp),
  };
}
