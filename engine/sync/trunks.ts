// Keeps telephony's trunks in step with the database: an admin's changes register at once, and a trunk's state
// (registration, health, last error) is written back for the API.
import type { Logger } from 'pino';
import { outboundTrunkId } from '../../db/domain/outbound-trunk.ts';
import { VOICE_CODECS } from '../../db/domain/trunk-defaults.ts';
import { isDown } from '../../db/domain/trunk-state.ts';
import { namedTrunkStates } from '../../db/queries/trunks/trunk-states.ts';
import { listTrunkConfigs, trunkOfNumber } from '../../db/queries/trunks/trunks.ts';
import type { Db } from '../../db/schema.ts';
import { oneAtATime } from '../../db/shared/one-at-a-time.ts';
import type { Writer } from '../../db/writing/writer.ts';
import type { AudioCodec, Telephony, TrunkConfig, TrunkState } from '../sip/telephony.ts';

interface TrunkLimits {
  maxConcurrentCalls: number;
  callsPerSecond: number;
}

interface TrunkSyncOptions {
  read: Db;
  writer: Pick<Writer, 'run'>;
  telephony: Pick<Telephony, 'onTrunkState' | 'setTrunks'>;
  secretKey: Buffer;
  /** Whether this engine registers at the trunks and asks after their health: one engine does. */
  leads(): boolean;
  /** host:port of the proxy through which all requests leave, and at which carriers reach us; null: none. */
  edge: string | null;
  now(): number;
  log: Logger;
}

const isCodec = (codec: string): codec is AudioCodec => VOICE_CODECS.some((known) => known === codec);

export class TrunkSync {
  readonly #options: TrunkSyncOptions;
  readonly #limits = new Map<string, TrunkLimits>();
  readonly #withoutRefer = new Set<string>();
  readonly #states = new Map<string, TrunkState>();
  readonly #backups = new Map<string, string>();
  #order: string[] = [];
  /** The configuration that telephony was given last, as JSON. */
  #seen = '';

  constructor(options: TrunkSyncOptions) {
    this.#options = options;
    options.telephony.onTrunkState((state) => this.#keep(state));
  }

  /** All trunks, oldest first. */
  get order(): readonly string[] {
    return this.#order;
  }

  limits(trunkId: string): TrunkLimits | null {
    return this.#limits.get(trunkId) ?? null;
  }

  acceptsRefer(trunkId: string): boolean {
    return !this.#withoutRefer.has(trunkId);
  }

  /** False only while the trunk and its backup are both known to be down. */
  isUp(trunkId: string): boolean {
    return this.routeOf(trunkId).some((each) => this.#isItselfUp(each));
  }

  /** The trunk a call was placed on, then its backup; empty once the trunk is gone. */
  routeOf(trunkId: string | null): string[] {
    if (trunkId === null || !this.#order.includes(trunkId)) return [];
    const backup = this.#backups.get(trunkId);
    return backup !== undefined && this.#order.includes(backup) ? [trunkId, backup] : [trunkId];
  }

  /** The trunk for a number's outbound calls, then its backup; empty if there is none. */
  async trunksFor(phoneNumberId: string | null): Promise<string[]> {
    const { read } = this.#options;
    const own = phoneNumberId === null ? null : await trunkOfNumber(read, phoneNumberId);
    return this.routeOf(outboundTrunkId(own, this.#order));
  }

  /** Reads the table; cheap when nothing changed. */
  readonly refresh = oneAtATime(() => this.#refresh());

  async #refresh(): Promise<void> {
    const { read, secretKey, leads, telephony } = this.#options;
    const rows = await listTrunkConfigs(read, secretKey);
    const configs = rows.map((row) => this.#configOf(row));
    if (!leads()) await this.#readStates();
    const fingerprint = JSON.stringify(configs);
    this.#limits.clear();
    this.#withoutRefer.clear();
    this.#backups.clear();
    for (const { id, backupTrunkId, maxConcurrentCalls, callsPerSecond, acceptsRefer } of rows) {
      if (backupTrunkId !== null) this.#backups.set(id, backupTrunkId);
      this.#limits.set(id, { maxConcurrentCalls, callsPerSecond });
      if (!acceptsRefer) this.#withoutRefer.add(id);
    }
    if (fingerprint === this.#seen) return;
    this.#seen = fingerprint;
    this.#order = configs.map((config) => config.id);
    for (const id of this.#states.keys()) if (!this.#order.includes(id)) this.#states.delete(id);
    telephony.setTrunks(configs);
  }

  #configOf({
    maxConcurrentCalls: _calls,
    callsPerSecond: _rate,
    acceptsRefer: _refer,
    backupTrunkId: _backup,
    ...row
  }: Awaited<ReturnType<typeof listTrunkConfigs>>[number]): TrunkConfig {
    const { leads, edge } = this.#options;
    return {
      ...row,
      codecs: row.codecs.filter(isCodec),
      dialPrefix: row.dialPrefix ?? '',
      ...(leads() ? {} : { isPassive: true }),
      ...(edge === null ? {} : { outboundProxy: row.outboundProxy ?? edge, contactAt: edge }),
    };
  }

  /** As the engine that asks after the trunks has written them. */
  async #readStates(): Promise<void> {
    for (const { id, state } of await namedTrunkStates(this.#options.read)) {
      if (state === undefined) continue;
      this.#states.set(id, {
        trunkId: id,
        registration: { state: state.registrationState, expiresAtMs: state.registrationExpiresAt },
        health: { state: state.healthState, checkedAtMs: state.healthCheckedAt },
        lastError: state.lastError,
        lastErrorAtMs: state.lastErrorAt,
      });
    }
  }

  #isItselfUp(trunkId: string): boolean {
    const state = this.#states.get(trunkId);
    return state === undefined || !isDown(state.registration.state, state.health.state);
  }

  #keep(state: TrunkState): void {
    const { leads, writer, now, log } = this.#options;
    if (!leads()) return;
    const before = this.#states.get(state.trunkId);
    this.#states.set(state.trunkId, state);
    this.#logChange(before, state);
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
  }

  /** Trunks are checked every 30 s, failing ones every 5 s: only changes get a log line. */
  #logChange(before: TrunkState | undefined, { trunkId, registration, health, lastError }: TrunkState): void {
    const isSame =
      before?.registration.state === registration.state &&
      before.health.state === health.state &&
      before.lastError === lastError;
    if (isSame) return;
    const line = { trunkId, registration: registration.state, health: health.state, error: lastError };
    this.#options.log[isDown(registration.state, health.state) ? 'warn' : 'info'](line, 'trunk state');
  }
}
