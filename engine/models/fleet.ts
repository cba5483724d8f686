// The models that an engine runs, but for language models: recogniser, voice, speech-to-speech model and detectors,
// each in workers of its own, to which each shard has ports. Nothing else loads one. Recogniser, voice and
// speech-to-speech model are replaced while calls run: new calls use the new one, and the old one ends with its last
// call.
import { availableParallelism } from 'node:os';
import type { MessagePort } from 'node:worker_threads';
import type { Logger } from 'pino';
import { type CallLimit, limitReason } from '../../db/domain/calls/limit.ts';
import { CASCADE, type WorkerModel } from '../../db/domain/model-settings.ts';
import { messageOf } from '../../db/domain/unexpected.ts';
import { defaultMaxCalls, mediaCalls, type TurnEnd } from '../../models/install/catalogue.ts';
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
import type { MeasuredGroup } from './cost-measurements.ts';
import { EarlyPorts, fitting, type RememberedEngines, rememberedEngines } from './early-engines.ts';
import { engineFactor, isServedHere } from './engine-cost.ts';
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

interface FleetOptions {
  config: EngineConfig;
  /** For each kind the engines to try, in this order. */
  choices: Record<WorkerModel, readonly EngineChoice[]>;
  /** Of the journal: the engines of the process whose calls wait to go on; null where none wait. */
  remembered: unknown;
  clock: Clock;
  log: Logger;
  /** Is told of each engine that cannot be loaded. */
  onFailed(kind: WorkerModel, choice: EngineChoice, message: string): void;
}

export class ModelFleet {
  readonly #options: FleetOptions;
  readonly #groups: Partial<Record<WorkerKind, WorkerGroup>> = {};
  readonly #retired: Record<WorkerModel, WorkerGroup[]> = { stt: [], tts: [], 'speech-to-speech': [] };
  readonly #vadWorkers: number;
  #turnEnd: TurnEnd;
  /** Until everything is loaded; null where nobody waits for it. */
  #early: { engines: RememberedEngines; ports: EarlyPorts } | null = null;
  #events: FleetEvents | null = null;
  #isStopping = false;

  /** Nothing is loaded yet. */
  constructor(options: FleetOptions) {
    this.#options = options;
    const { config, choices, remembered } = options;
    const cores = availableParallelism();
    this.#vadWorkers = planThreads(cores, config.maxCalls ?? mediaCalls(cores)).vadWorkers;
    this.#turnEnd = config.turnEnd;
    const engines = fitting(remembered, {
      turnEnd: config.turnEnd,
      stt: choices.stt[0]?.name,
      tts: choices.tts[0]?.name,
      hasSpeechToSpeech: choices['speech-to-speech'][0]?.name !== CASCADE,
    });
    if (engines === null) return;
    const [stt, tts, turnEnd] = [workersOf('stt'), workersOf('tts'), config.turnEnd === 'rules' ? 0 : 1];
    this.#early = { engines, ports: new EarlyPorts({ vad: this.#vadWorkers, stt, tts, turnEnd }) };
  }

  /** Whether shards may be connected, and calls go on, before it is loaded. */
  get isEarly(): boolean {
    return this.#early !== null;
  }

  /** @throws EngineNameError or the last engine's own error when none can be loaded */
  async load(): Promise<void> {
    const { config, log } = this.#options;
    this.#turnEnd = await trustedForTurnEnds(config.turnEnd, log);
    if (this.#early !== null && this.#turnEnd !== config.turnEnd)
      throw new Error('calls expect another turn-end model');
    const environment = process.env;
    // Callers who have lost the line wait for a word.
    if (this.#early !== null) await this.#startFirst('tts');
    await Promise.all([
      this.#start('vad', { name: 'silero', environment }, this.#vadWorkers),
      ...(this.#turnEnd === 'rules' ? [] : [this.#start('turn-end', { name: this.#turnEnd, environment }, 1)]),
      this.#startFirst('speech-to-speech'),
      this.#startFirst('stt'),
      ...(this.#early === null ? [this.#startFirst('tts')] : []),
    ]);
    const early = this.#early;
    this.#early = null;
    for (const [kind, group] of Object.entries(this.#groups)) early?.ports.handOver(kind as WorkerKind, group);
  }

  async #start(kind: WorkerKind, choice: EngineChoice, workers: number): Promise<void> {
    const group = await this.#startGroup(kind, choice, workers);
    this.#groups[kind] = group;
    this.#early?.ports.handOver(kind, group);
  }

  /** Of the choices the first that can be loaded. */
  async #startFirst(kind: WorkerModel): Promise<void> {
    const { log, onFailed } = this.#options;
    const choices = this.#options.choices[kind];
    for (const [index, choice] of choices.entries()) {
      const isLast = index === choices.length - 1;
      try {
        if (choice.name === CASCADE) return;
        const { engine, refusal } = await trusted(kind, choice);
        if (refusal !== null) {
          const instead = isLast ? engine : choices[index + 1]?.name;
          log.error({ model: kind, engine: choice.name, instead, error: refusal }, 'model refused');
          onFailed(kind, choice, refusal);
          if (!isLast) continue;
        }
        return await this.#start(kind, { ...choice, name: engine }, workersOf(kind));
      } catch (error) {
        if (isLast) throw error;
        log.error({ model: kind, engine: choice.name, error: messageOf(error) }, 'engine cannot be loaded');
        onFailed(kind, choice, messageOf(error));
      }
    }
  }

  get turnEnd(): TurnEnd {
    return this.#turnEnd;
  }

  /** For the next process, should this one die; null where it cannot begin with them. */
  get remembered(): RememberedEngines | null {
    const { stt, tts } = this.#groups;
    if (stt === undefined || tts === undefined || this.speechToSpeech !== null) return null;
    return rememberedEngines({
      turnEnd: this.#turnEnd,
      stt: { engine: stt.engine, description: stt.description },
      tts: { engine: tts.engine, description: tts.description },
    });
  }

  /** The engine that listens, or speaks, on new calls. */
  get stt(): string {
    return this.#known('stt').engine;
  }

  get tts(): string {
    return this.#known('tts').engine;
  }

  /** The model that answers new calls in place of the cascade; null: none does. */
  get speechToSpeech(): EngineChoice | null {
    const group = this.#groups['speech-to-speech'];
    return group ? { name: group.engine, environment: group.environment } : null;
  }

  /** The environment of the engine, with the settings of its server. */
  environmentOf(kind: SpeechKind): Record<string, string | undefined> {
    return this.#known(kind).environment;
  }

  /** The chosen engines, as their workers report them. */
  get description(): { stt: EngineDescription; tts: EngineDescription } {
    return { stt: this.#known('stt').description, tts: this.#known('tts').description };
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
    return this.#groups.stt?.backlogMs ?? 0;
  }

  /** The calls that these engines and cores carry, and why. `isSet`: MAX_CALLS says how many there may be. */
  callLimit(isSet: boolean): CallLimit {
    const [stt, tts] = [engineFactor('stt', this.#known('stt')), engineFactor('tts', this.#known('tts'))];
    const cores = availableParallelism();
    const carries = defaultMaxCalls(cores, stt.engine, tts.engine, {
      sttFactor: stt.factor,
      ttsFactor: tts.factor,
      ttsConcurrency: this.description.tts.concurrency,
    });
    return { reason: limitReason(isSet, [stt, tts]), carries, cores, stt, tts };
  }

  /**
   * The workers to measure: of an engine that computes in them. Null for others: a trial would cost a vendor's fee, and
   * would not see what a server of this machine takes.
   */
  toMeasure(kind: SpeechKind): MeasuredGroup | null {
    const known = this.#known(kind);
    const isElsewhere = engineFactor(kind, known).source === 'elsewhere';
    return isElsewhere || isServedHere(kind, known) ? null : this.#group(kind);
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
    if (this.#early !== null) return this.#early.ports.connectAll(shardIndex);
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
      this.#options.log.info({ model: kind, engine: former.engine }, 'the former engine has ended');
    });
    while (retired.length > MAX_RETIRED) void retired.shift()?.stop();
  }

  /** Also of an engine that is being loaded again, which is the first choice. */
  #known(kind: SpeechKind): Pick<WorkerGroup, 'engine' | 'environment' | 'description' | 'factor'> {
    const remembered = this.#early?.engines[kind];
    const [choice] = this.#options.choices[kind];
    if (this.#groups[kind] || !remembered || !choice) return this.#group(kind);
    return { ...remembered, environment: choice.environment, factor: null };
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
      realTime: this.#options.config.realTime,
      clock: this.#options.clock,
      log: this.#options.log,
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
