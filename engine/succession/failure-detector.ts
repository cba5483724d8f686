// Finds engines that have died, so that others go on with their calls or close them. An engine that is only cut off
// from the database still answers when it is asked, be it by SIP alone, and keeps its calls for a while. Only an engine
// whose own heartbeats have arrived without a gap may take another one for dead: after an outage of the database
// everybody's heartbeat is old. Where only its process has died, its machine refuses what is sent to its port: that is
// known much sooner than that a machine is lost.
import type { Logger } from 'pino';
import { messageOf } from '../../db/domain/unexpected.ts';
import type { Outage } from '../../db/faults/outage.ts';
import { listEngines } from '../../db/queries/engine/engines.ts';
import type { EngineTable } from '../../db/schema/processes.ts';
import type { Db } from '../../db/schema.ts';
import type { Writer } from '../../db/writing/writer.ts';
import { type Clock, every } from '../clock.ts';
import type { PortState } from '../cluster/ask-engine.ts';
import { CUT_OFF_FOR_MS, DEAD_AFTER_MS, GONE_AFTER_MS, LOOK_EVERY_MS, QUESTIONS, SOUND_FOR_MS } from '../silence.ts';

export interface FailureDetectorOptions {
  read: Db;
  writer: Pick<Writer, 'runDurably'>;
  engineId: string;
  clock: Clock;
  log: Pick<Logger, 'warn' | 'error'>;
  outage: Pick<Outage, 'explains'>;
  /** Ms that the database's clock is ahead. */
  skewMs(): number;
  /** Since when this engine's heartbeats arrive without a gap, by the monotonic clock; null: they do not. */
  soundSince(): number | null;
  /** Whether the engine answers on its control port or by SIP. */
  answers(engine: EngineTable): Promise<boolean>;
  /** How its control port is. */
  knock(engine: EngineTable): Promise<PortState>;
  /** Closes the open calls of engines that have ended, but for those that go on. */
  closeCalls(): Promise<number>;
}

export class FailureDetector {
  readonly #options: FailureDetectorOptions;
  #isLooking = false;
  /** By id: whether the control port was open when the engine was first seen, which then is no setting's mistake. */
  readonly #wasOpen = new Map<string, boolean>();

  constructor(options: FailureDetectorOptions) {
    this.#options = options;
  }

  /** Returns a function that stops. */
  start(): () => void {
    return every(this.#options.clock, LOOK_EVERY_MS, () => {
      this.look().catch((error: unknown) => {
        const { outage, log } = this.#options;
        if (!outage.explains(error)) log.warn({ error: messageOf(error) }, 'could not look at the other engines');
      });
    });
  }

  /** One look; public for tests. */
  async look(): Promise<void> {
    if (this.#isLooking || !this.#isSound()) return;
    this.#isLooking = true;
    try {
      const { read, engineId, log } = this.#options;
      const others = (await listEngines(read)).filter(({ id, state }) => id !== engineId && state !== 'stopped');
      const ids = new Set(others.map(({ id }) => id));
      for (const id of this.#wasOpen.keys()) if (!ids.has(id)) this.#wasOpen.delete(id);
      // All at once: a machine with many engines may have failed, and each question takes a while.
      const areDead = await Promise.all(others.map((engine) => this.#isDead(engine)));
      for (const engine of others.filter((_, index) => areDead[index])) {
        if (!(await this.#options.writer.runDurably('markEngineDead', { id: engine.id }))) continue;
        log.error(
          { engine: engine.id, host: engine.hostname },
          'an engine has died: its calls go on elsewhere, or are closed',
        );
      }
      await this.#options.closeCalls();
    } finally {
      this.#isLooking = false;
    }
  }

  #isSound(): boolean {
    const since = this.#options.soundSince();
    return since !== null && this.#options.clock.monotonicMs() - since >= SOUND_FOR_MS;
  }

  async #isDead(engine: EngineTable): Promise<boolean> {
    const silentMs = this.#options.clock.nowMs() + this.#options.skewMs() - engine.heartbeatAt;
    if (silentMs < GONE_AFTER_MS) return this.#meet(engine);
    if (silentMs < DEAD_AFTER_MS) return this.#hasEnded(engine);
    if (silentMs >= CUT_OFF_FOR_MS) return true;
    for (let asked = 0; asked < QUESTIONS; asked++) if (await this.#options.answers(engine)) return false;
    return this.#isSound();
  }
  /** It lives. */
  async #meet(engine: EngineTable): Promise<false> {
    if (!this.#wasOpen.get(engine.id)) this.#wasOpen.set(engine.id, (await this.#options.knock(engine)) === 'open');
    return false;
  }

  async #hasEnded(engine: EngineTable): Promise<boolean> {
    const { knock, answers } = this.#options;
    if (this.#wasOpen.get(engine.id) !== true || (await knock(engine)) !== 'refused') return false;
    return !(await answers(engine)) && this.#isSound();
  }
}
