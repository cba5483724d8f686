// Keeps the registrar's accounts in step with the database, and the table of registrations in step with the registrar,
// so that phones stay registered over a restart. With several engines on the database, each follows what the others
// write, so that any of them reaches a phone.
import type { Logger } from 'pino';
import { listSipAccountConfigs } from '../../db/queries/trunks/sip-accounts.ts';
import { listSipBindings, type SipBindingRow, sipBindingsState } from '../../db/queries/trunks/sip-bindings.ts';
import type { Db } from '../../db/schema.ts';
import { oneAtATime } from '../../db/shared/one-at-a-time.ts';
import type { Writer } from '../../db/writing/writer.ts';
import type { SipBinding, SoftphoneRegistrar } from '../sip/telephony.ts';

// After a reading of the table none follows for a while: thousands of phones register every minute, and each row takes
// microseconds of the control thread.
const REST_MS_PER_ROW = 0.1;
/** No longer than that, be the clock set back meanwhile. */
const MAX_REST_MS = 2_000;

interface SipAccountSyncOptions {
  read: Db;
  writer: Pick<Writer, 'run'>;
  registrar: SoftphoneRegistrar;
  secretKey: Buffer;
  now(): number;
  log: Logger;
}

/** A change of an account's registration here; `ended`: which one, if it is over. */
interface Change {
  binding: SipBinding | null;
  ended: SipBinding | null;
  isInFlight: boolean;
}

export class SipAccountSync {
  readonly #options: SipAccountSyncOptions;
  readonly #key: Buffer;
  #seen = '';
  /** State of the table of registrations when it was last followed; null: it must be read again. */
  #followed: string | null = null;
  #isFollowing = false;
  #restUntilMs = 0;
  readonly #registered = new Set<string>();
  /** The last change of each account that the table does not have yet. */
  readonly #unwritten = new Map<string, Change>();
  /** Accounts that changed here while the table was read. */
  #changedMeanwhile = new Set<string>();

  constructor(options: SipAccountSyncOptions) {
    this.#options = options;
    this.#key = options.secretKey;
    options.registrar.onBinding((sipAccountId, binding, ended) => this.#keep(sipAccountId, binding, ended));
  }

  /** To be called once, before the first phone registers. */
  async restore(): Promise<void> {
    const { registrar } = this.#options;
    await this.refresh();
    registrar.restoreBindings(await this.#read());
  }

  /** Reads the accounts; cheap when nothing changed. */
  readonly refresh = oneAtATime(() => this.#refresh());

  async #refresh(): Promise<void> {
    const accounts = await listSipAccountConfigs(this.#options.read, this.#key);
    const fingerprint = JSON.stringify(accounts);
    if (fingerprint === this.#seen) return;
    this.#seen = fingerprint;
    this.#options.registrar.setSipAccounts(accounts);
    // A phone may have registered at another engine before its account was known here.
    this.#followed = null;
  }

  /**
   * Takes over the registrations that other engines have written; cheap when nothing changed. To be called at each
   * change, and every second.
   */
  async follow(): Promise<void> {
    const restMs = this.#restUntilMs - this.#options.now();
    if (this.#isFollowing || (restMs > 0 && restMs <= MAX_REST_MS)) return;
    this.#isFollowing = true;
    try {
      for (const [id, change] of this.#unwritten) if (!change.isInFlight) this.#write(id, change);
      const state = await sipBindingsState(this.#options.read);
      if (state === this.#followed) return;
      this.#followed = state;
      this.#changedMeanwhile = new Set(this.#unwritten.keys());
      const bindings = await this.#read();
      // Changes that were made here in the meantime are not in the rows that were read, or not as they are now.
      this.#options.registrar.followBindings(bindings, this.#changedMeanwhile);
      if (this.#changedMeanwhile.size > 0) this.#followed = null;
      this.#restUntilMs = this.#options.now() + Math.min(Math.floor(bindings.length * REST_MS_PER_ROW), MAX_REST_MS);
    } catch (error) {
      this.#followed = null;
      throw error;
    } finally {
      this.#isFollowing = false;
    }
  }

  async #read(): Promise<SipBinding[]> {
    const { read, now } = this.#options;
    const rows = await listSipBindings(read, now());
    this.#registered.clear();
    for (const { sipAccountId } of rows) this.#registered.add(sipAccountId);
    for (const [id, { binding }] of this.#unwritten) if (binding !== null) this.#registered.add(id);
    return rows.map(({ registeredAt, expiresAt, ...row }) => ({
      ...row,
      registeredAtMs: registeredAt,
      expiresAtMs: expiresAt,
    }));
  }

  #keep(sipAccountId: string, binding: SipBinding | null, ended: SipBinding | null): void {
    const { log } = this.#options;
    const change = { binding, ended, isInFlight: false };
    this.#unwritten.set(sipAccountId, change);
    this.#changedMeanwhile.add(sipAccountId);
    this.#write(sipAccountId, change);
    if (binding === null) {
      this.#registered.delete(sipAccountId);
      log.info({ sipAccountId }, 'softphone unregistered');
    } else if (!this.#registered.has(sipAccountId)) {
      this.#registered.add(sipAccountId);
      const { address: sourceAddress, transport, userAgent } = binding;
      log.info({ sipAccountId, sourceAddress, transport, userAgent }, 'softphone registered');
    }
  }

  #write(sipAccountId: string, change: Change): void {
    change.isInFlight = true;
    this.#send(sipAccountId, change).then(
      () => {
        if (this.#unwritten.get(sipAccountId) === change) this.#unwritten.delete(sipAccountId);
      },
      (error: unknown) => {
        change.isInFlight = false;
        this.#options.log.warn(
          { sipAccountId, error: String(error) },
          'could not write the registration of a softphone',
        );
      },
    );
  }

  #send(sipAccountId: string, { binding, ended }: Change): Promise<void> {
    const { writer } = this.#options;
    if (binding === null) return writer.run('deleteSipBinding', { sipAccountId, ended });
    const { registeredAtMs: registeredAt, expiresAtMs: expiresAt, ...rest } = binding;
    const row: SipBindingRow = { ...rest, registeredAt, expiresAt };
    return writer.run('writeSipBinding', row);
  }
}
