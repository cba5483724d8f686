// Recogniser, voice and detectors while they are being loaded again after a crash. Calls of the dead process go on
// before that: by the names and descriptions that it has left, and over ports in which everything waits for the threads
// that will serve them.
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { TurnEnd } from '../../models/install/catalogue.ts';
import type { WorkerKind } from '../../models/workers/model-worker.ts';
import type { EngineDescription } from '../../models/workers/worker-task.ts';
import type { ModelPortSet } from '../shard/models/model-ports.ts';

/** As the journal keeps it. */
const VERSION = 1;

interface RememberedEngine {
  engine: string;
  description: EngineDescription;
}

/** The engines with which a process has carried its calls. */
export interface RememberedEngines {
  version: typeof VERSION;
  turnEnd: TurnEnd;
  stt: RememberedEngine;
  tts: RememberedEngine;
}

/** The engines that are about to be loaded. */
interface WantedEngines {
  turnEnd: TurnEnd;
  stt: string | undefined;
  tts: string | undefined;
  /** A speech-to-speech model is to answer. */
  hasSpeechToSpeech: boolean;
}

export const rememberedEngines = (engines: Omit<RememberedEngines, 'version'>): RememberedEngines => ({
  version: VERSION,
  ...engines,
});

/** The remembered engines, if exactly these will be loaded. */
export function fitting(remembered: unknown, wanted: WantedEngines): RememberedEngines | null {
  const engines = remembered as RememberedEngines | null;
  // A session with a vendor's model died with its process, and its successor decides what becomes of its call.
  if (engines?.version !== VERSION || wanted.hasSpeechToSpeech) return null;
  const { turnEnd, stt, tts } = engines;
  return turnEnd === wanted.turnEnd && stt.engine === wanted.stt && tts.engine === wanted.tts ? engines : null;
}

interface Workers {
  vad: number;
  stt: number;
  tts: number;
  turnEnd: number;
}

/** Takes over a port of a shard that was made before the worker. */
interface PortTaker {
  adopt(index: number, port: MessagePort): void;
}

/** Ports to workers that there will be. */
export class EarlyPorts {
  readonly #workers: Workers;
  #waiting: Array<{ kind: WorkerKind; index: number; port: MessagePort }> = [];

  constructor(workers: Workers) {
    this.#workers = workers;
  }

  /** As `ModelFleet.connectAll`. */
  connectAll(shardIndex: number): ModelPortSet {
    const { vad, stt, tts, turnEnd } = this.#workers;
    const vadIndex = shardIndex % vad;
    return {
      vad: this.#port('vad', vadIndex),
      vadIndex,
      stt: Array.from({ length: stt }, (_, index) => this.#port('stt', index)),
      tts: Array.from({ length: tts }, (_, index) => this.#port('tts', index)),
      turnEnd: turnEnd > 0 ? this.#port('turn-end', 0) : null,
      speechModel: null,
    };
  }

  /** The workers of this kind are there: they get the ports, with all that has been sent meanwhile. */
  handOver(kind: WorkerKind, workers: PortTaker): void {
    const own = this.#waiting.filter((each) => each.kind === kind);
    this.#waiting = this.#waiting.filter((each) => each.kind !== kind);
    for (const { index, port } of own) workers.adopt(index, port);
  }

  #port(kind: WorkerKind, index: number): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.#waiting.push({ kind, index, port: port2 });
    return port1;
  }
}
