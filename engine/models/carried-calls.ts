// Keeps the number of calls that the engine takes in step with what its engines cost: assumed at first, measured soon
// after, and again when another engine listens or speaks. MAX_CALLS has the last word.
import type { Logger } from 'pino';
import { type CallLimit, limitMessage } from '../../db/domain/calls/limit.ts';
import type { Clock } from '../clock.ts';
import { CostMeasurements, type MeasuredGroup } from './cost-measurements.ts';
import type { SpeechKind } from './fleet.ts';

interface CarriedCallsOptions {
  fleet: {
    callLimit(isSet: boolean): CallLimit;
    toMeasure(kind: SpeechKind): MeasuredGroup | null;
  };
  /** The places for calls. */
  admission: { readonly active: number; readonly maxCalls: number; resize(maxCalls: number): void };
  /** MAX_CALLS; null: not set. */
  setCalls: number | null;
  clock: Clock;
  log: Pick<Logger, 'debug' | 'info' | 'error'>;
}

export class CarriedCalls {
  readonly #options: CarriedCallsOptions;
  readonly #measurements: CostMeasurements;

  constructor(options: CarriedCallsOptions) {
    this.#options = options;
    const { admission, setCalls, clock, log } = options;
    this.#measurements = new CostMeasurements({
      isIdle: () => admission.active === 0,
      onSettled: () => this.#resize(),
      decides: setCalls === null,
      clock,
      log,
    });
  }

  get limit(): CallLimit {
    return this.#options.fleet.callLimit(this.#options.setCalls !== null);
  }

  /** To be called once the engine is ready: both engines are measured, a minute later where MAX_CALLS is set. */
  start(): void {
    this.#measure('stt');
    this.#measure('tts');
  }

  /** Another engine listens or speaks: its number counts at once, and is measured when no calls run. */
  replaced(kind: SpeechKind): void {
    this.#resize();
    this.#measure(kind);
  }

  stop(): void {
    this.#measurements.stop();
  }

  #measure(kind: SpeechKind): void {
    const { fleet, log } = this.#options;
    const group = fleet.toMeasure(kind);
    if (group === null) return;
    this.#measurements
      .measure(group)
      .catch((error: unknown) => log.error({ model: kind, error: String(error) }, 'could not measure the engine'));
  }

  #resize(): void {
    const { admission, setCalls, log } = this.#options;
    const { limit } = this;
    if (setCalls === null) admission.resize(limit.carries);
    const { reason, carries, stt, tts } = limit;
    const why = limitMessage(limit);
    log.info({ maxCalls: admission.maxCalls, reason, carries, stt, tts, why }, 'number of calls');
  }
}
