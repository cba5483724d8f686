// The engine's heartbeat: its row, written every second and at each change of state. The API reads it for `/readyz`,
// admission and `/metrics`.
import type { Logger } from 'pino';
import { messageOf } from '../../db/domain/unexpected.ts';
import type { Outage } from '../../db/faults/outage.ts';
import type { EngineTable } from '../../db/schema/processes.ts';
import { pidNamespace } from '../../db/shared/process/pid-namespace.ts';
import { ENGINE_DEAD, type Writer } from '../../db/writing/writer.ts';
import { type Clock, every } from '../clock.ts';
import { BEAT_EVERY_MS, BEATS_MISSED_MS } from '../silence.ts';

interface HeartSnapshot {
  maxCalls: number;
  activeCalls: number;
  isLate: boolean;
  models: Record<string, unknown>;
  metrics: unknown;
}

interface HeartOptions {
  engineId: string;
  home: string;
  hostname: string;
  release: string;
  /** Ms that the database's clock is ahead of `clock`, and of the machine's. */
  skewMs(): number;
  machineSkewMs(): number;
  /** Another engine has taken this one for dead, and has ended its calls. */
  onTakenForDead(): void;
  writer: Writer;
  clock: Clock;
  log: Logger;
  outage: Pick<Outage, 'explains' | 'answered' | 'asked'>;
  snapshot(): HeartSnapshot;
}

export class EngineHeart {
  readonly #options: HeartOptions;
  readonly #startedAt: number;
  #state: EngineTable['state'] = 'starting';
  /** The state that its row has. */
  #told: EngineTable['state'] | null = null;
  #addresses: Pick<EngineTable, 'sipUri' | 'mediaWsUrl' | 'controlUrl'> = {
    sipUri: null,
    mediaWsUrl: null,
    controlUrl: null,
  };
  #soundSince: number | null = null;
  #cancelBeat: (() => void) | null = null;

  constructor(options: HeartOptions) {
    this.#options = options;
    this.#startedAt = options.clock.nowMs();
  }

  /** Since when its heartbeats arrive without a gap, by the monotonic clock; null: they do not. */
  get soundSince(): number | null {
    return this.#soundSince;
  }

  /** Before its first call, so that nobody takes that for a dead engine's. */
  async starting(): Promise<void> {
    await this.#beat();
    this.#cancelBeat = every(this.#options.clock, BEAT_EVERY_MS, () => {
      this.#beat().catch((error: unknown) => {
        if ((error as { code?: string }).code === ENGINE_DEAD) return this.#options.onTakenForDead();
        this.#soundSince = null;
        const { outage, log } = this.#options;
        if (!outage.explains(error)) log.warn({ error: messageOf(error) }, 'could not write the heartbeat');
      });
    });
  }

  /** It sends and takes SIP from now on, though no new calls yet. */
  async reachable({ sipUri }: { sipUri: string }): Promise<void> {
    this.#addresses = { ...this.#addresses, sipUri };
    // Its next beat writes the address, if this one cannot.
    this.#told = null;
    await this.#beat().catch(() => undefined);
  }

  async up(addresses: { sipUri: string; mediaWsUrl: string; controlUrl: string | null }): Promise<void> {
    this.#addresses = addresses;
    this.#state = 'up';
    await this.#beat();
  }

  async draining(): Promise<void> {
    this.#state = 'draining';
    await this.#beat().catch(() => undefined);
  }

  async stopped(): Promise<void> {
    this.#cancelBeat?.();
    this.#state = 'stopped';
    await this.#beat().catch(() => undefined);
  }

  async #beat(): Promise<void> {
    const { engineId, home, hostname, release, skewMs, machineSkewMs, writer, clock, snapshot } = this.#options;
    const beganMs = clock.monotonicMs();
    const { maxCalls, activeCalls, isLate, models, metrics } = snapshot();
    const state = this.#state;
    this.#options.outage.asked();
    const beat = {
      id: engineId,
      heartbeatAt: clock.nowMs() + skewMs(),
      telephonyUp: state === 'up' || state === 'draining' ? (1 as const) : (0 as const),
      maxCalls,
      activeCalls,
      isLate: isLate ? (1 as const) : (0 as const),
      models: JSON.stringify(models),
      metrics: JSON.stringify(metrics),
      clockSkewMs: machineSkewMs(),
    };
    const isTaken =
      this.#told === state
        ? await writer.run('beatEngine', beat)
        : await writer.run('writeEngine', {
            ...beat,
            home,
            release,
            pid: process.pid,
            hostname,
            pidNamespace: pidNamespace(),
            startedAt: this.#startedAt,
            state,
            ...this.#addresses,
          });
    this.#told = state;
    if (!isTaken) return this.#options.onTakenForDead();
    this.#options.outage.answered();
    this.#soundSince = clock.monotonicMs() - beganMs > BEATS_MISSED_MS ? null : (this.#soundSince ?? beganMs);
  }
}
