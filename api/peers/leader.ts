// Work that one API of the installation does: billing, sweeps. The process that holds the lease does it, and another
// one takes over within seconds when that process dies.
import { tryLease } from '../../db/database.ts';
import { messageOf } from '../../db/domain/unexpected.ts';
import type { Lease } from '../../db/lease.ts';
import type { ApiContext } from '../context.ts';

const LOOK_EVERY_MS = 1_000;

export class Leader {
  readonly #context: Pick<ApiContext, 'config' | 'log' | 'outage'>;
  readonly #name: string;
  readonly #onTaken: () => Promise<void>;
  #lease: Lease | null = null;
  #looking: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isStopped = false;

  /** `onTaken`: what comes before the first work; the lease is given back where it fails. */
  constructor(
    context: Pick<ApiContext, 'config' | 'log' | 'outage'>,
    name: string,
    onTaken: () => Promise<void> = async () => {},
  ) {
    this.#context = context;
    this.#name = name;
    this.#onTaken = onTaken;
  }

  get leads(): boolean {
    return this.#lease?.isHeld === true;
  }

  /** Resolves after the first try. */
  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.#look(), LOOK_EVERY_MS);
    this.#timer.unref();
    await this.#look();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#looking;
    await this.#lease?.release();
    this.#lease = null;
  }

  #look(): Promise<void> {
    this.#looking ??= this.#take().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #take(): Promise<void> {
    if (this.leads || this.#isStopped) return;
    const { config, log, outage } = this.#context;
    try {
      await this.#lease?.release();
      this.#lease = null;
      const lease = await tryLease({ database: config.directDatabase, dataDir: config.dataDir }, this.#name);
      if (lease === null) return;
      try {
        await this.#onTaken();
        this.#lease = lease;
      } catch (error) {
        await lease.release();
        throw error;
      }
    } catch (error) {
      if (!outage.explains(error))
        log.warn({ work: this.#name, error: messageOf(error) }, 'could not take over the work of one API');
    }
  }
}
