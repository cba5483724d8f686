// The voice workers of one engine, as a shard sees them. A clause goes to the least busy one, and a text that one has
// rendered goes there again, because it may have cached it.
import type { MessagePort } from 'node:worker_threads';
import type { SpeechRequest, TtsReply, TtsRequest } from '../../../models/tts/tts.ts';

/** Texts whose voice worker is remembered. */
const MAX_REMEMBERED_TEXTS = 500;

export interface VoiceWorker {
  port: MessagePort;
  jobs: number;
}

interface VoicesOptions {
  onReply(message: TtsReply): void;
  /** The port's far end is gone: the worker has ended. */
  onLost(): void;
}

export class Voices {
  readonly #options: VoicesOptions;
  readonly #workers: VoiceWorker[];
  /** The voice worker that rendered a text last. */
  readonly #renderedBy = new Map<string, VoiceWorker>();
  readonly #lost = new Set<VoiceWorker>();
  #isClosed = false;

  constructor(ports: readonly MessagePort[], options: VoicesOptions) {
    this.#options = options;
    this.#workers = ports.map((port) => ({ port, jobs: 0 }));
    for (const worker of this.#workers) this.#attach(worker);
  }

  get count(): number {
    return this.#workers.length;
  }

  /** A worker of it has ended, and none has taken its place. */
  get hasLost(): boolean {
    return this.#lost.size > 0;
  }

  has(worker: VoiceWorker): boolean {
    return this.#workers.includes(worker);
  }

  workerFor({ voiceId, text }: SpeechRequest): VoiceWorker {
    const key = `${voiceId} ${text}`;
    const worker = this.#renderedBy.get(key) ?? least(this.#workers, ({ jobs }) => jobs);
    this.#renderedBy.delete(key);
    this.#renderedBy.set(key, worker);
    const [oldest] = this.#renderedBy.keys();
    if (this.#renderedBy.size > MAX_REMEMBERED_TEXTS && oldest !== undefined) this.#renderedBy.delete(oldest);
    return worker;
  }

  /** The worker whose successor this port leads to. */
  replace(place: number, port: MessagePort): VoiceWorker | null {
    const worker = this.#workers[place];
    if (!worker) return null;
    worker.port.close();
    worker.port = port;
    this.#lost.delete(worker);
    this.#attach(worker);
    return worker;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const { port } of this.#workers) {
      port.postMessage({ type: 'stop' } satisfies TtsRequest);
      port.close();
    }
  }

  #attach(worker: VoiceWorker): void {
    const { port } = worker;
    port.on('message', (message: TtsReply) => this.#options.onReply(message));
    port.on('close', () => {
      if (worker.port !== port || this.#isClosed) return;
      this.#lost.add(worker);
      this.#options.onLost();
    });
  }
}

/** The item with the smallest load, the first of several. @throws {RangeError} when there is none */
export function least<Item>(items: readonly Item[], load: (item: Item) => number): Item {
  const [first] = items;
  if (first === undefined) throw new RangeError('there is no worker');
  return items.reduce((best, item) => (load(item) < load(best) ? item : best), first);
}
