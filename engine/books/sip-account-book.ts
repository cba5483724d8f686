// Keeps the registrar's accounts in step with the database, and the table of registrations in step with the registrar,
// so that phones stay registered over a restart.
import type { Logger } from 'pino';
import { listSipAccountConfigs } from '../../db/queries/trunks/sip-accounts.ts';
import { listSipBindings } from '../../db/queries/trunks/sip-bindings.ts';
import type { Db } from '../../db/schema.ts';
import type { Writer } from '../../db/writer.ts';
import type { SipBinding, SoftphoneRegistrar } from '../sip/telephony.ts';

interface SipAccountBookOptions {
  read: Db;
  writer: Pick<Writer, 'run'>;
  registrar: SoftphoneRegistrar;
  secretKey: Buffer;
  now(): number;
  log: Logger;
}

export class SipAccountBook {
  readonly #options: SipAccountBookOptions;
  readonly #key: Buffer;
  #seen = '';
  readonly #registered = new Set<string>();

  constructor(options: SipAccountBookOptions) {
    this.#options = options;
    this.#key = options.secretKey;
    options.registrar.onBinding((sipAccountId, binding) => this.#keep(sipAccountId, binding));
  }

  /** To be called once, before the first phone registers. */
  async restore(): Promise<void> {
    const { read, registrar, now } = this.#options;
    await this.refresh();
    const rows = await listSipBindings(read, now());
    for (const { sipAccountId } of rows) this.#registered.add(sipAccountId);
    registrar.restoreBindings(
      rows.map(({ registeredAt, expiresAt, ...row }) => ({
        ...row,
        registeredAtMs: registeredAt,
        expiresAtMs: expiresAt,
      })),
    );
  }

  /** Reads the accounts; cheap when nothing changed. */
  async refresh(): Promise<void> {
    const accounts = await listSipAccountConfigs(this.#options.read, this.#key);
    const fingerprint = JSON.stringify(accounts);
    if (fingerprint === this.#seen) return;
    this.#seen = fingerprint;
    this.#options.registrar.setSipAccounts(accounts);
  }

  #keep(sipAccountId: string, binding: SipBinding | null): void {
    const { writer, log } = this.#options;
    this.#write(sipAccountId, binding, writer).catch((error: unknown) =>
      log.warn({ sipAccountId, error: String(error) }, 'could not write the registration of a softphone'),
    );
    if (binding === null) {
      this.#registered.delete(sipAccountId);
      log.info({ sipAccountId }, 'softphone unregistered');
    } else if (!this.#registered.has(sipAccountId)) {
      this.#registered.add(sipAccountId);
      const { address: sourceAddress, transport, userAgent } = binding;
      log.info({ sipAccountId, sourceAddress, transport, userAgent }, 'softphone registered');
    }
  }

  #write(sipAccountId: string, binding: SipBinding | null, writer: Pick<Writer, 'run'>): Promise<void> {
    if (binding === null) return writer.run('deleteSipBinding', { sipAccountId });
    const { registeredAtMs: registeredAt, expiresAtMs: expiresAt, ...row } = binding;
    return writer.run('writeSipBinding', { ...row, registeredAt, expiresAt });
  }
}
