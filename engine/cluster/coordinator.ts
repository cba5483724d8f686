// One engine of the installation places calls: it runs the campaigns, paces the trunks, registers at them, and gives
// each call an engine. With SQLite the only engine does; with PostgreSQL the one that holds the lease.
import type { Logger } from 'pino';
import { type DatabaseTarget, isPostgres, tryLease } from '../../db/database.ts';
import { messageOf } from '../../db/domain/unexpected.ts';
import type { Outage } from '../../db/faults/outage.ts';
import type { Lease } from '../../db/lease.ts';
import { type Clock, every } from '../clock.ts';

const NAME = 'coordinator';
const LOOK_EVERY_MS = 500;

interface CoordinatorOptions {
  config: { directDatabase: DatabaseTarget; dataDir: string };
  clock: Clock;
  log: Pick<Logger, 'info' | 'warn'>;
  outage: Pick<Outage, 'explains'>;
  /** Whether no other engine would take over. */
  isLast(): boolean;
}

export class Coordinator {
  readonly #options: CoordinatorOptions;
  readonly #isAlone: boolean;
  #lease: Lease | null = null;
  #leads = false;
  #isLooking = false;
  #isStopped = false;
  #hasLed = false;
  #stopLooking: (() => void) | null = null;
  #onChange: (leads: boolean) => void = () => undefined;

  constructor(options: CoordinatorOptions) {
    this.#options = options;
    this.#isAlone = !isPostgres(options.config.directDatabase);
  }

  /**
   * Whether this engine places calls now. One that stops answers for its registrations until its end or until another
   * engine is there: an un-REGISTER after that would remove the other one's binding, which has the same Contact.
   */
  get leads(): boolean {
    if (this.#isStopped) return this.#hasLed && this.#options.isLast();
    return this.#leads && (this.#isAlone || this.#lease?.isHeld === true);
  }

  /** The lease under which it writes; null with SQLite. */
  get lease(): Pick<Lease, 'name' | 'epoch'> | null {
    return this.#lease === null ? null : { name: this.#lease.name, epoch: this.#lease.epoch };
  }

  /** `onChange`: this engine places calls from now on, or no longer. Resolves after the first try. */
  async start(onChange: (leads: boolean) => void): Promise<void> {
    this.#onChange = onChange;
    if (this.#isAlone) return this.#set(true);
    this.#stopLooking = every(this.#options.clock, LOOK_EVERY_MS, () => void this.#look());
    await this.#look();
  }

  /** Another engine may place calls at once. */
  async stop(): Promise<void> {
    this.#hasLed = this.leads;
    this.#isStopped = true;
    this.#stopLooking?.();
    this.#set(false);
    await this.#lease?.release();
    this.#lease = null;
  }

  async #look(): Promise<void> {
    if (this.#isLooking || this.#isStopped) return;
    this.#isLooking = true;
    const { config, log, outage } = this.#options;
    try {
      if (this.#lease !== null && !this.#lease.isHeld) {
        log.warn({ epoch: this.#lease.epoch }, 'another engine may place calls now');
        this.#set(false);
        await this.#lease.release();
        this.#lease = null;
      }
      if (this.#lease === null) {
        const lease = await tryLease({ database: config.directDatabase, dataDir: config.dataDir }, NAME);
        if (lease !== null && this.#isStopped) await lease.release();
        else if (lease !== null) {
          this.#lease = lease;
          log.info({ epoch: lease.epoch }, 'this engine places calls');
          this.#set(true);
        }
      }
    } catch (error) {
      // The database is away: nobody can take the lease meanwhile.
      if (!outage.explains(error)) log.warn({ error: messageOf(error) }, 'could not ask who places calls');
    } finally {
      this.#isLooking = false;
    }
  }

  #set(leads: boolean): void {
    if (leads === this.#leads) return;
    this.#leads = leads;
    this.#onChange(leads);
  }
}
