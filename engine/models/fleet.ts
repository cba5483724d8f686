// The only place that chooses the VAD, STT, TTS, turn-end and dialogue engines. Starts the model workers, gives each
// shard its ports to them, and restarts a worker that dies.
import { availableParallelism } from 'node:os';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Logger } from 'pino';
import { messageOf, unreachable } from '../../db/domain/unexpected.ts';
import { loadDialogueModel } from '../../models/engines.ts';
import { defaultMaxCalls, mediaCalls, type TurnEnd } from '../../models/install/catalogue.ts';
import type { DialogueModel } from '../../models/llm/llm.ts';
import { trustedEngine } from '../../models/sherpa/probe.ts';
import { trustedTurnEnd } from '../../models/turn-end/probe.ts';
import { ModelWorker, type WorkerKind } from '../../models/workers/model-worker.ts';
import type { EngineDescription } from '../../models/workers/worker-task.ts';
import { type Clock, sleep } from '../clock.ts';
import type { EngineConfig } from '../config.ts';
import { planThreads } from '../load/sizing.ts';
import type { ModelPortSet } from '../shard/model-ports.ts';

const RESTART_DELAYS_MS = [100, 500, 2_000, 5_000];

interface EngineNames {
  stt: string;
  tts: string;
  turnEnd: TurnEnd;
}

export class ModelFleet {
  readonly dialogue: DialogueModel;
  readonly stt: string;
  readonly tts: string;
  readonly turnEnd: TurnEnd;
  readonly #workers: Record<WorkerKind, Array<ModelWorker | null>>;
  readonly #realTime: boolean;
  readonly #log: Logger;
  readonly #clock: Clock;
  /** Called when a lost worker is back: every shard needs a new port to it. */
  #onRestarted: ((kind: WorkerKind, index: number, connect: () => MessagePort) => void) | null = null;
  #isStopping = false;
  #turn = 0;

  private constructor(dialogue: DialogueModel, names: EngineNames, realTime: boolean, clock: Clock, log: Logger) {
    this.dialogue = dialogue;
    this.stt = names.stt;
    this.tts = names.tts;
    this.turnEnd = names.turnEnd;
    this.#workers = { vad: [], stt: [], tts: [], 'turn-end': [] };
    this.#clock = clock;
    this.#realTime = realTime;
    this.#log = log;
  }

  /** @throws EngineNameError or the engine's own error when one cannot be loaded */
  static async start(config: EngineConfig, clock: Clock, log: Logger): Promise<ModelFleet> {
    const [stt, tts, turnEnd] = await Promise.all([
      trusted('stt', config.stt, log),
      trusted('tts', config.tts, log),
      trustedForTurnEnds(config.turnEnd, log),
    ]);
    const names = { stt, tts, turnEnd };
    const dialogue = await loadDialogueModel(config.llm, process.env);
    const fleet = new ModelFleet(dialogue, names, config.realTime, clock, log);
    // STT and TTS get threads of their own, at nice 19 where they compute, sized to leave one core to audio and
    // control.
    const threads = modelThreads();
    const starts: Array<Promise<void>> = [];
    const cores = availableParallelism();
    const { vadWorkers } = planThreads(cores, config.maxCalls ?? mediaCalls(cores));
    for (let index = 0; index < vadWorkers; index++) starts.push(fleet.#startWorker('vad', index));
    if (turnEnd !== 'rules') starts.push(fleet.#startWorker('turn-end', 0));
    for (let index = 0; index < threads; index++) {
      starts.push(fleet.#startWorker('stt', index), fleet.#startWorker('tts', index));
    }
    await Promise.all(starts);
    return fleet;
  }

  /** The chosen engines, as their workers report them. */
  get description(): { stt: EngineDescription; tts: EngineDescription } {
    return { stt: this.#workers.stt[0]?.engine ?? {}, tts: this.#workers.tts[0]?.engine ?? {} };
  }

  get recogniser(): { patienceMs: number; blockMs: number; hearsWords: boolean; knowsPhrases: boolean } {
    const { patienceMs = 1_500, blockMs = 60, freeText = false, givesPartials = false } = this.description.stt;
    return { patienceMs, blockMs, hearsWords: freeText && givesPartials, knowsPhrases: !freeText && givesPartials };
  }

  /** The longest delay of a recogniser, ms; one that is being restarted counts as 0. */
  get sttBacklogMs(): number {
    return Math.max(0, ...this.#workers.stt.map((worker) => worker?.backlogMs ?? 0));
  }

  /** The default admission limit. */
  maxCalls(): number {
    const { stt, tts } = this.description;
    return defaultMaxCalls(availableParallelism(), this.stt, this.tts, {
      sttFactor: stt.realTimeFactor,
      ttsFactor: tts.realTimeFactor,
      ttsConcurrency: tts.concurrency,
    });
  }

  onRestarted(listener: (kind: WorkerKind, index: number, connect: () => MessagePort) => void): void {
    this.#onRestarted = listener;
  }

  /** A new port to a worker of this kind, round robin. @throws Error while none of them runs */
  connect(kind: WorkerKind): MessagePort {
    const running = this.#workers[kind].filter((worker) => worker !== null);
    const worker = running[this.#turn++ % Math.max(1, running.length)];
    if (!worker) throw new Error(`the ${kind} worker is being restarted`);
    return worker.connect();
  }

  /** New ports for one shard: to all workers, except that it gets only one VAD worker. */
  connectAll(shardIndex: number): ModelPortSet {
    const ports = (kind: WorkerKind): MessagePort[] => this.#workers[kind].map((worker) => portTo(worker));
    const vadIndex = shardIndex % this.#workers.vad.length;
    return {
      vad: portTo(this.#workers.vad[vadIndex] ?? null),
      vadIndex,
      stt: ports('stt'),
      tts: ports('tts'),
      turnEnd: ports('turn-end')[0] ?? null,
    };
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const workers = Object.values(this.#workers).flat();
    await Promise.all(workers.map((worker) => worker?.stop()));
  }

  async #startWorker(kind: WorkerKind, index: number): Promise<void> {
    const engine = this.#engineOf(kind);
    this.#workers[kind][index] = await ModelWorker.start({
      kind,
      engine,
      environment: process.env,
      realTime: this.#realTime,
      workers: kind === 'stt' || kind === 'tts' ? modelThreads() : 1,
      onLost: (error) => {
        this.#workers[kind][index] = null;
        if (this.#isStopping) return;
        this.#log.error({ model: kind, engine, error: error.message }, 'model worker lost, restarting it');
        void this.#restart(kind, index);
      },
    });
  }

  #engineOf(kind: WorkerKind): string {
    switch (kind) {
      case 'vad':
        return 'silero';
      case 'turn-end':
        return this.turnEnd;
      case 'stt':
      case 'tts':
        return this[kind];
      default:
        return unreachable(kind);
    }
  }

  async #restart(kind: WorkerKind, index: number): Promise<void> {
    for (let attempt = 0; !this.#isStopping; attempt++) {
      await sleep(this.#clock, RESTART_DELAYS_MS[Math.min(attempt, RESTART_DELAYS_MS.length - 1)] ?? 0);
      try {
        await this.#startWorker(kind, index);
        this.#onRestarted?.(kind, index, () => portTo(this.#workers[kind][index] ?? null));
        return;
      } catch (error) {
        this.#log.error({ model: kind, error: messageOf(error) }, 'model worker did not start');
      }
    }
  }
}

/** The requested engine, or the built-in one if the requested one is a local model that does not work. */
async function trusted(kind: 'stt' | 'tts', wanted: string, log: Logger): Promise<string> {
  const { engine, refusal } = await trustedEngine(kind, wanted, process.env);
  if (refusal !== null) log.error({ model: kind, engine: wanted, instead: engine, error: refusal }, 'model refused');
  return engine;
}

/** The requested model, or the rules if it does not work. */
async function trustedForTurnEnds(wanted: TurnEnd, log: Logger): Promise<TurnEnd> {
  const { turnEnd, refusal } = await trustedTurnEnd(wanted, process.env);
  if (refusal !== null) log.error({ model: 'turn-end', instead: turnEnd, error: refusal }, 'model refused');
  return turnEnd;
}

function modelThreads(): number {
  return Math.max(1, availableParallelism() - 1);
}

/** A port to the worker. While it is being restarted, an unconnected port: the shards get another when it is back. */
function portTo(worker: ModelWorker | null): MessagePort {
  return worker ? worker.connect() : new MessageChannel().port1;
}
