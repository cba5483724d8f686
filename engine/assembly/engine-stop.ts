// The two ends of an engine: its calls are waited for and end here, or another process of this machine gets them.
import { StopSignals } from '../../db/shared/process/stop-signals.ts';
import { sleep } from '../clock.ts';
import { awaitMoment, leaveCalls } from '../succession/hand-over.ts';
import type { Calls } from './calls.ts';
import type { createHeart } from './heart.ts';
import type { Media } from './media.ts';
import type { Storage } from './storage.ts';
import type { createTestRuns } from './tests.ts';
import type { createTextAnswers } from './texts.ts';

/** How long a stop waits, beyond DRAIN_SECONDS, for the last calls' ends to be written. */
const END_WRITES_MS = 10_000;
/** The end of a process takes a core for a while, which the new engine needs for the calls. */
const LINGER_MS = 3_000;

interface RunningEngine {
  storage: Storage;
  media: Media;
  calls: Calls;
  heart: ReturnType<typeof createHeart>;
  testRuns: ReturnType<typeof createTestRuns>;
  textAnswers: ReturnType<typeof createTextAnswers>;
  control: Awaited<ReturnType<Calls['control']>>;
  /** Functions that end what looks again and again. */
  watches: ReadonlyArray<() => void>;
  onFault(message: string): (error: unknown) => void;
}

export class EngineStop {
  readonly #engine: RunningEngine;
  readonly #signals: StopSignals;
  #isOver = false;

  constructor(engine: RunningEngine) {
    this.#engine = engine;
    this.#signals = new StopSignals(() => engine.storage.clock.monotonicMs());
  }

  /** At the first signal no new calls, at the next one no calls. */
  async stop(): Promise<void> {
    if (this.#isOver) return process.exit(0);
    const count = this.#signals.receive();
    if (count === null) return;
    const { storage, media, calls, heart, testRuns, textAnswers, control, watches, onFault } = this.#engine;
    const { clock, config, log } = storage;
    const { coordinator, places, recordings, running, switchboard, telephony } = calls;
    if (count > 1) return switchboard.shutdown();
    log.info({ calls: running.size, drainSeconds: config.drainSeconds }, 'stopping: no new calls');
    // First it is told that this engine takes no calls: whoever places them next knows it.
    await heart.draining();
    await calls.reruns.stop();
    await testRuns.stop();
    await textAnswers.stop();
    await coordinator.stop();
    media.carriedCalls.stop();
    const cancelLimit = clock.after(config.drainSeconds * 1000, () => switchboard.shutdown());
    // After this limit only call ends that cannot be written are left; the next start closes those calls.
    await Promise.race([switchboard.drain(), sleep(clock, config.drainSeconds * 1000 + END_WRITES_MS)]);
    cancelLimit();
    for (const end of watches) end();
    await calls.refusedCalls.write();
    await calls.readInvites.write();
    await recordings.stop();
    // An engine that has come meanwhile keeps the registrations.
    await places
      .refresh()
      .then(() => calls.trunks.refresh())
      .catch(onFault('could not look for other engines'));
    await telephony.stop();
    await media.stop();
    await control?.close();
    await heart.stopped();
    await storage.close();
    log.info('engine stopped');
    // Model runtimes keep threads of their own alive, so the process must exit explicitly.
    process.exit(0);
  }

  /** The supervisor has started a new engine, which waits for the calls of this one. */
  async handOver(): Promise<void> {
    const { storage, media, calls, testRuns, textAnswers, control, watches, onFault } = this.#engine;
    const { clock, log } = storage;
    const { coordinator, switchboard, telephony } = calls;
    const { journal, shards } = media;
    if (journal === null) return void process.send?.({ type: 'hand-over-refused', message: 'RESUME_CALLS is off' });
    const deps = { switchboard, telephony, journal, shards, clock, log };
    const obstacle = await awaitMoment(deps);
    if (obstacle !== null) return void process.send?.({ type: 'hand-over-refused', message: obstacle });
    await coordinator.stop();
    for (const end of watches) end();
    await leaveCalls(deps);
    // Nobody hears them: the next engine runs its case from the beginning.
    await testRuns.stop();
    await textAnswers.stop();
    // Its listening socket is closed at once; what is being answered is not waited for.
    control?.close().catch(onFault('could not close the control port'));
    await storage.close();
    this.#isOver = true;
    process.send?.({ type: 'handed-over' });
    await sleep(clock, LINGER_MS);
    process.exit(0);
  }
}
