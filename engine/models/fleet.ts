// The only place that loads engines, but for language models. Starts their workers, gives each shard its ports to them,
// and replaces recogniser, voice or speech-to-speech model while calls run: new calls use the new one, and the old one
// ends with its last call. A speech-to-speech model may also come or go.
import { availableParallelism } from 'node:os';
import type { MessagePort } from 'node:worker_threads';
import type { Logger } from 'pino';
import { type CallLimit, type EngineFactor, limitReason } from '../../db/domain/call-limit.ts';
import { CASCADE, type WorkerModel } from '../../db/domain/model-settings.ts';
import { messageOf } from '../../db/domain/unexpected.ts';
import { assumedFactor, defaultMaxCalls, mediaCalls, type TurnEnd } from '../../models/install/catalogue.ts';
import { localName } from '../../models/install/local-models.ts';
import { trustedEngine } from '../../models/sherpa/probe.ts';
import { trustedTurnEnd } from '../../models/turn-end/probe.ts';
import type { WorkerKind } from '../../models/workers/model-worker.ts';
import type { EngineDescription } from '../../models/workers/worker-task.ts';
import type { Clock } from '../clock.ts';
import type { EngineConfig } from '../config.ts';
import { planThreads } from '../load/sizing.ts';
import type { ModelPortSet } from '../shard/models/model-ports.ts';
import type { EngineChoice } from './choices.ts';
import type { MeasuredGroup } from './trials/factor-trials.ts';
import { WorkerGroup } from './worker-group.ts';

/** Replaced engines that running calls may still use. The oldest beyond them ends, and its calls go to the newest. */
const MAX_RETIRED = 2;

export type SpeechKind = 'stt' | 'tts';

interface FleetEvents {
  /** A lost worker is back: every shard needs a new port to it. */
  onRestarted(kind: WorkerKind, index: number, connect: () => MessagePort): void;
  /** Another engine serves new calls: every shard needs ports to it. No ports: no speech-to-speech model any more. */
  onReplaced(kind: WorkerModel, connect: () => MessagePort[]): void;
}

export class ModelFleet {
  readonly turnEnd: TurnEnd;
  readonly #groups: Partial<Record<WorkerKind, WorkerGroup>> = {};
  readonly #retired: Record<WorkerModel, WorkerGroup[]> = { stt: [], tts: [], 'speech-to-speech': [] };
  readonly #realTime: boolean;
  readonly #log: Logger;
  readonly #clock: Clock;
  #events: FleetEvents | null = null;
  #isStopping = false;

  private constructor(turnEnd: TurnEnd, realTime: boolean, clock: Clock, log: Logger) {
    this.turnEnd = turnEnd;
    this.#clock = clock;
    this.#realTime = realTime;
    this.#log = log;
  }

  /**
   * `choices`: for each kind the engines to try, in this order; `onFailed` is told of each that cannot be loaded.
   * @throws EngineNameError or the last engine's own error when none can be loaded
   */
  static async start(
    config: EngineConfig,
    choices: Record<WorkerModel, readonly EngineChoice[]>,
    clock: Clock,
    log: Logger,
    onFailed: (kind: WorkerModel, choice: EngineChoice, message: string) => void,
  ): Promise<ModelFleet> {
    const turnEnd = await trustedForTurnEnds(config.turnEnd, log);
    const fleet = new ModelFleet(turnEnd, config.realTime, clock, log);
    const cores = availableParallelism();
    const { vadWorkers } = planThreads(cores, config.maxCalls ?? mediaCalls(cores));
    const start = async (kind: WorkerKind, choice: EngineChoice, workers: number): Promise<void> => {
      fleet.#groups[kind] = await fleet.#startGroup(kind, choice, workers);
    };
    const startFirst = async (kind: WorkerModel): Promise<void> => {
      for (const [index, choice] of choices[kind].entries()) {
        try {
          if (choice.name === CASCADE) return;
          const { engine, refusal } = await trusted(kind, choice);
          const isLast = index === choices[kind].length - 1;
          if (refusal !== null) {
            const instead = isLast ? engine : choices[kind][index + 1]?.name;
            log.error({ model: kind, engine: choice.name, instead, error: refusal }, 'model refused');
            onFailed(kind, choice, refusal);
            if (!isLast) continue;
          }
          return await start(kind, { ...choice, name: engine }, workersOf(kind));
        } catch (error) {
          if (index === choices[kind].length - 1) throw error;
          log.error({ model: kind, engine: choice.name, error: messageOf(error) }, 'engine cannot be loaded');
          onFailed(kind, choice, messageOf(error));
        }
      }
    };
    const environment = process.env;
    await Promise.all([
      start('vad', { name: 'silero', environment }, vadWorkers),
      ...(turnEnd === 'rules' ? [] : [start('turn-end', { name: turnEnd, environment }, 1)]),
      startFirst('speech-to-speech'),
      startFirst('stt'),
      startFirst('tts'),
    ]);
    return fleet;
  }

  /** The engine that listens, or speaks, on new calls. */
  get stt(): string {
    return this.#group('stt').engine;
  }

  get tts(): string {
    return this.#group('tts').engine;
  }

  /** The model that answers new calls in place of the cascade; null: none does. */
  get speechToSpeech(): EngineChoice | null {
    const group = this.#groups['speech-to-speech'];
    return group ? { name: group.engine, environment: group.environment } : null;
  }

  /** The environment of the engine, with the settings of its server. */
  environmentOf(kind: SpeechKind): Record<string, string | undefined> {
    return this.#group(kind).environment;
  }

  /** The chosen engines, as their workers report them. */
  get description(): { stt: EngineDescription; tts: EngineDescription } {
    return { stt: this.#group('stt').description, tts: this.#group('tts').description };
  }

  get recogniser(): {
    patienceMs: number;
    blockMs: number;
    freeText: boolean;
    hearsWords: boolean;
    knowsPhrases: boolean;
    asksWords: boolean;
    hearsTurns: boolean;
  } {
    const { patienceMs = 1_500, blockMs = 60, freeText = false, givesPartials = false } = this.description.stt;
    const [hearsWords, knowsPhrases] = [freeText && givesPartials, !freeText && givesPartials];
    const { givesInterims: asksWords = false, hearsTurns = false } = this.description.stt;
    return { patienceMs, blockMs, freeText, hearsWords, knowsPhrases, asksWords, hearsTurns };
  }

  /** The longest delay of a recogniser, ms. */
  get sttBacklogMs(): number {
    return this.#group('stt').backlogMs;
  }

  /** The calls that these engines and cores carry, and why. `isSet`: MAX_CALLS says how many there may be. */
  callLimit(isSet: boolean): CallLimit {
    const [stt, tts] = [this.#factor('stt'), this.#factor('tts')];
    const cores = availableParallelism();
    const carries = defaultMaxCalls(cores, stt.engine, tts.engine, {
      sttFactor: stt.factor,
      ttsFactor: tts.factor,
      ttsConcurrency: this.description.tts.concurrency,
    });
    return { reason: limitReason(isSet, [stt, tts]), carries, cores, stt, tts };
  }

  /** The workers to measure: of an engine that computes here. Null for others: a trial would cost a vendor's fee. */
  toMeasure(kind: SpeechKind): MeasuredGroup | null {
    return this.#factor(kind).source === 'elsewhere' ? null : this.#group(kind);
  }

  #factor(kind: SpeechKind): EngineFactor {
    const { engine, factor, description } = this.#group(kind);
    if (factor !== null) return { engine, factor, source: 'measured' };
    const assumed = assumedFactor(kind, engine, description.realTimeFactor);
    return { engine, factor: assumed, source: assumed > 0 ? 'assumed' : 'elsewhere' };
  }

  observe(events: FleetEvents): void {
    this.#events = events;
  }

  /** A new port to a worker of this kind, round robin. @throws Error while none of them runs */
  connect(kind: WorkerKind): MessagePort {
    return this.#group(kind).connect();
  }

  /** New ports to every voice worker; none of a remote or a quick engine. */
  slowVoices(): MessagePort[] {
    const group = this.#group('tts');
    return localName(group.engine) === null ? [] : group.ports();
  }

  /** New ports for one shard: to all workers, except that it gets only one VAD worker. */
  connectAll(shardIndex: number): ModelPortSet {
    const vad = this.#group('vad');
    return {
      vad: vad.portAt(shardIndex),
      vadIndex: shardIndex % vad.size,
      stt: this.#group('stt').ports(),
      tts: this.#group('tts').ports(),
      turnEnd: this.#groups['turn-end']?.portAt(0) ?? null,
      speechModel: this.#groups['speech-to-speech']?.portAt(0) ?? null,
    };
  }

  /**
   * Loads another engine and gives it all new calls; CASCADE: none is loaded. The engine before goes on with its calls,
   * and ends with the last.
   * @throws the engine's own error when it cannot be loaded: nothing has changed then
   */
  async replace(kind: WorkerModel, choice: EngineChoice): Promise<void> {
    const next = choice.name === CASCADE ? null : await this.#startTrusted(kind, choice);
    if (this.#isStopping) return next?.stop();
    const former = this.#groups[kind];
    if (next === null) delete this.#groups[kind];
    else this.#groups[kind] = next;
    this.#events?.onReplaced(kind, () => next?.ports() ?? []);
    if (former) this.#retire(kind, former);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const groups = [...Object.values(this.#groups), ...Object.values(this.#retired).flat()];
    await Promise.all(groups.map((group) => group.stop()));
  }

  #retire(kind: WorkerModel, former: WorkerGroup): void {
    const retired = this.#retired[kind];
    retired.push(former);
    void former.retire().then(() => {
      const place = retired.indexOf(former);
      if (place >= 0) retired.splice(place, 1);
      this.#log.info({ model: kind, engine: former.engine }, 'the former engine has ended');
    });
    while (retired.length > MAX_RETIRED) void retired.shift()?.stop();
  }

  #group(kind: WorkerKind): WorkerGroup {
    const group = this.#groups[kind];
    if (!group) throw new Error(`there is no ${kind} worker`);
    return group;
  }

  async #startTrusted(kind: WorkerModel, choice: EngineChoice): Promise<WorkerGroup> {
    const { refusal } = await trusted(kind, choice);
    if (refusal !== null) throw new Error(refusal);
    return this.#startGroup(kind, choice, workersOf(kind));
  }

  #startGroup(kind: WorkerKind, { name, environment }: EngineChoice, workers: number): Promise<WorkerGroup> {
    return WorkerGroup.start({
      kind,
      engine: name,
      environment,
      workers,
      realTime: this.#realTime,
      clock: this.#clock,
      log: this.#log,
      onRestarted: (index, connect) => this.#events?.onRestarted(kind, index, connect),
    });
  }
}

/** The requested model, or the rules if it does not work. */
async function trustedForTurnEnds(wanted: TurnEnd, log: Logger): Promise<TurnEnd> {
  const { turnEnd, refusal } = await trustedTurnEnd(wanted, process.env);
  if (refusal !== null) log.error({ model: 'turn-end', instead: turnEnd, error: refusal }, 'model refused');
  return turnEnd;
}

/** The engine to start, and why it is not the chosen one. Native code is tried in a process of its own. */
async function trusted(
  kind: WorkerModel,
  { name, environment }: EngineChoice,
): Promise<{ engine: string; refusal: string | null }> {
  return kind === 'speech-to-speech' ? { engine: name, refusal: null } : trustedEngine(kind, name, environment);
}

/** STT and TTS get threads that leave one core to audio and control; sessions over sockets wait together in one. */
const workersOf = (kind: WorkerModel): number =>
  kind === 'speech-to-speech' ? 1 : Math.max(1, availableParallelism() - 1);
