// Makes a streaming engine of a synchronous one. A scheduler gives the waiting streams a block at a time, so a
// cancellation takes effect within a block, and a long utterance does not delay the others: in turn while they speak,
// and first of all those whose utterance is over.
import { messageOf, unreachable } from '../../db/domain/unexpected.ts';
import type {
  PolledSttEngine,
  PolledSttSession,
  SttEngine,
  SttStream,
  SttStreamOptions,
  SttUtterance,
  SttUtteranceOptions,
} from './stt.ts';

/** Most audio that may wait for the engine, in ms. With more, the worker is too late for a conversation. */
const MAX_BACKLOG_MS = 15_000;
/** New audio between two requests for a partial, in ms. */
const PARTIAL_EVERY_MS = 100;
const PATIENCE_MS = 1_500;
/** Saves messages, and a synchronous decoder works in larger steps. */
const BLOCK_MS = 60;

export function isPolled(engine: SttEngine | PolledSttEngine): engine is PolledSttEngine {
  return !('openStream' in engine);
}

export function streaming(engine: PolledSttEngine): SttEngine {
  const rounds = new Rounds();
  return {
    name: engine.name,
    freeText: engine.freeText,
    givesPartials: engine.givesPartials ?? false,
    languages: engine.languages ?? null,
    patienceMs: engine.patienceMs ?? PATIENCE_MS,
    blockMs: BLOCK_MS,
    ...(engine.realTimeFactor === undefined ? {} : { realTimeFactor: engine.realTimeFactor }),
    openStream: async ({ callId, sampleRateHz, vocabulary }: SttStreamOptions) =>
      new PolledStream(await engine.open({ callId, sampleRateHz, vocabulary }), sampleRateHz, rounds),
    backlogMs: () => rounds.backlogMs(),
    close: () => engine.close(),
  };
}

/** Streams with work: one of them takes one step per turn of the event loop. */
class Rounds {
  readonly #ready: PolledStream[] = [];
  readonly #open = new Set<PolledStream>();
  #isScheduled = false;

  open(stream: PolledStream): void {
    this.#open.add(stream);
  }

  close(stream: PolledStream): void {
    this.#open.delete(stream);
  }

  /** Of the stream that is furthest behind. */
  backlogMs(): number {
    let most = 0;
    for (const { backlogMs } of this.#open) most = Math.max(most, backlogMs);
    return most;
  }

  add(stream: PolledStream): void {
    this.#ready.push(stream);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#ready.length === 0) return;
    this.#isScheduled = true;
    // Messages are handled before the next step.
    setImmediate(() => {
      this.#isScheduled = false;
      const next = this.#ready.splice(this.#nextIndex(), 1);
      for (const stream of next) void stream.step();
      this.#schedule();
    });
  }

  /**
   * A caller who has finished speaking waits for an answer: of these the one with the least audio left is first, so
   * that of many who finish together most wait short. The others take turns.
   */
  #nextIndex(): number {
    let [index, least] = [0, Number.POSITIVE_INFINITY];
    for (const [at, { isAwaited, backlogMs }] of this.#ready.entries()) {
      if (isAwaited && backlogMs < least) [index, least] = [at, backlogMs];
    }
    return index;
  }
}

type Work =
  | { type: 'begin'; utterance: PolledUtterance }
  | { type: 'audio'; utterance: PolledUtterance; samples: Int16Array }
  | { type: 'finish'; utterance: PolledUtterance };

class PolledUtterance implements SttUtterance {
  readonly options: SttUtteranceOptions;
  readonly #stream: PolledStream;
  isOver = false;
  samplesSincePartial = 0;
  partial = '';

  constructor(stream: PolledStream, options: SttUtteranceOptions) {
    this.#stream = stream;
    this.options = options;
  }

  write(samples: Int16Array): void {
    if (!this.isOver) this.#stream.addAudio(this, samples);
  }

  finish(): void {
    if (!this.isOver) this.#stream.add({ type: 'finish', utterance: this });
  }

  lose(message: string): void {
    if (this.isOver) return;
    this.isOver = true;
    this.options.onEvent({ type: 'lost', message });
  }
}

class PolledStream implements SttStream {
  readonly #session: PolledSttSession;
  readonly #sampleRateHz: number;
  readonly #rounds: Rounds;
  #work: Work[] = [];
  #backlogSamples = 0;
  /** The utterance that is being decoded; work of any other is stale. */
  #current: PolledUtterance | null = null;
  #isBusy = false;
  #isClosed = false;

  constructor(session: PolledSttSession, sampleRateHz: number, rounds: Rounds) {
    this.#session = session;
    this.#sampleRateHz = sampleRateHz;
    this.#rounds = rounds;
    rounds.open(this);
  }

  get backlogMs(): number {
    return (this.#backlogSamples * 1_000) / this.#sampleRateHz;
  }

  /** An utterance of it is over, and its result is not there. */
  get isAwaited(): boolean {
    return this.#work.some(({ type }) => type === 'finish');
  }

  begin(options: SttUtteranceOptions): SttUtterance {
    const utterance = new PolledUtterance(this, options);
    options.signal.addEventListener('abort', () => this.#drop(utterance), { once: true });
    this.add({ type: 'begin', utterance });
    return utterance;
  }

  close(): void {
    this.#isClosed = true;
    this.#rounds.close(this);
    this.#work = [];
    if (!this.#isBusy) this.#session.close();
  }

  addAudio(utterance: PolledUtterance, samples: Int16Array): void {
    this.#backlogSamples += samples.length;
    if (this.#backlogSamples > (this.#sampleRateHz * MAX_BACKLOG_MS) / 1_000) {
      this.#drop(utterance);
      utterance.options.onEvent({ type: 'lost', message: 'the recogniser is too far behind' });
      return;
    }
    this.add({ type: 'audio', utterance, samples });
  }

  add(work: Work): void {
    this.#work.push(work);
    this.#schedule();
  }

  /** Handles one block. */
  async step(): Promise<void> {
    const work = this.#work.shift();
    try {
      if (work && !this.#isClosed) await this.#perform(work);
    } catch (error) {
      this.#session.cancel();
      work?.utterance.lose(messageOf(error));
    } finally {
      this.#isBusy = false;
      if (this.#isClosed) this.#session.close();
      else this.#schedule();
    }
  }

  async #perform(work: Work): Promise<void> {
    const { utterance } = work;
    switch (work.type) {
      case 'begin':
        this.#current = utterance;
        return this.#session.begin(utterance.options.expects);
      case 'audio':
        this.#backlogSamples -= work.samples.length;
        if (utterance !== this.#current || utterance.isOver) return;
        this.#session.write(work.samples);
        return this.#offerPartial(utterance, work.samples.length);
      case 'finish': {
        if (utterance !== this.#current || utterance.isOver) return;
        // An engine that never answers must not make the call deaf: after an abort the next work begins.
        const result = await Promise.race([this.#session.finish(), aborted(utterance.options.signal)]);
        if (result === null) return this.#session.cancel();
        if (this.#isClosed || utterance.isOver) return;
        utterance.isOver = true;
        return utterance.options.onEvent({ type: 'final', result });
      }
      default:
        return unreachable(work);
    }
  }

  #offerPartial(utterance: PolledUtterance, samples: number): void {
    utterance.samplesSincePartial += samples;
    if (utterance.samplesSincePartial < (this.#sampleRateHz * PARTIAL_EVERY_MS) / 1_000) return;
    utterance.samplesSincePartial = 0;
    const text = this.#session.partial();
    if (text === utterance.partial) return;
    utterance.partial = text;
    utterance.options.onEvent({ type: 'partial', text });
  }

  #drop(utterance: PolledUtterance): void {
    utterance.isOver = true;
    this.#work = this.#work.filter((work) => work.utterance !== utterance);
    this.#backlogSamples = this.#work.reduce((sum, work) => sum + (work.type === 'audio' ? work.samples.length : 0), 0);
    if (this.#current === utterance && !this.#isBusy && !this.#isClosed) this.#session.cancel();
  }

  #schedule(): void {
    if (this.#isBusy || this.#isClosed || this.#work.length === 0) return;
    this.#isBusy = true;
    this.#rounds.add(this);
  }
}

function aborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener('abort', () => resolve(null), { once: true });
  });
}
