// The engine's heartbeat: one row, written every second and at each change of state. The API reads it for `/readyz`,
// admission and `/metrics`.
import type { Logger } from 'pino';
import { messageOf } from '../../db/domain/unexpected.ts';
import type { EngineStateRow } from '../../db/queries/engine/engine-state.ts';
import { pidNamespace } from '../../db/shared/pid-namespace.ts';
import type { Writer } from '../../db/writer.ts';
import { type Clock, every } from '../clock.ts';

const BEAT_MS = 1_000;

export interface HeartSnapshot {
  maxCalls: number;
  activeCalls: number;
  isLate: boolean;
  models: Record<string, unknown>;
  metrics: unknown;
}

export interface HeartOptions {
  engineId: string;
  hostname: string;
  writer: Writer;
  clock: Clock;
  log: Logger;
  snapshot(): HeartSnapshot;
}

export class EngineHeart {
  readonly #options: HeartOptions;
  readonly #startedAt: number;
  #state: EngineStateRow['state'] = 'starting';
  #addresses: { sipUri: string | null; mediaWsUrl: string | null } = { sipUri: null, mediaWsUrl: null };
  #cancelBeat: (() => void) | null = null;

  constructor(options: HeartOptions) {
    this.#options = options;
    this.#startedAt = options.clock.nowMs();
  }

  async up(addresses: { sipUri: string; mediaWsUrl: string }): Promise<void> {
    this.#addresses = addresses;
    this.#state = 'up';
    await this.#beat();
    this.#cancelBeat = every(this.#options.clock, BEAT_MS, () => {
      this.#beat().catch((error: unknown) => {
        this.#options.log.warn({ error: messageOf(error) }, 'could not write the heartbeat');
      });
    });
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

  #beat(): Promise<void> {
    const { engineId, hostname, writer, clock, snapshot } = this.#options;
    const { maxCalls, activeCalls, isLate, models, metrics } = snapshot();
    return writer.run('writeEngineState', {
      engineId,
      pid: process.pid,
      hostname,
      pidNamespace: pidNamespace(),
      startedAt: this.#startedAt,
      heartbeatAt: clock.nowMs(),
      state: this.#state,
      ...this.#addresses,
      telephonyUp: this.#state === 'up' || this.#state === 'draining' ? 1 : 0,
      maxCalls,
      activeCalls,
      isLate: isLate ? 1 : 0,
      models: JSON.stringify(models),
      metrics: JSON.stringify(metrics),
    });
  }
}
