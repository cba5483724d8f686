// Gives up an engine that sends nothing for too long, and tells it so: a remote one by its patience, and any engine
// once nobody waits for its words.
import { type TtsEngine, TtsError } from './tts.ts';

/** Longest gap within the audio of a remote engine. */
const STALL_MS = 2_000;

export class EngineWatch {
  readonly signal: AbortSignal;
  /** Rejects when the engine is given up, even if it ignores its signal. */
  readonly failed: Promise<never>;
  readonly #late = new AbortController();
  #reject: (error: Error) => void = () => {};
  #timer: NodeJS.Timeout | null = null;
  readonly #isWatched: boolean;

  constructor({ name, patienceMs }: TtsEngine, abandoned: AbortSignal) {
    this.signal = AbortSignal.any([abandoned, this.#late.signal]);
    this.failed = new Promise((_, reject) => {
      this.#reject = reject;
    });
    this.failed.catch(() => undefined);
    abandoned.addEventListener('abort', () => this.#reject(new TtsError('TTS_FAILED', 'cancelled')), { once: true });
    this.#isWatched = patienceMs !== null;
    if (patienceMs !== null) this.#arm(patienceMs, `${name} sent no audio for ${patienceMs} ms`);
  }

  audio(): void {
    if (this.#isWatched) this.#arm(STALL_MS, `the audio stopped for ${STALL_MS} ms`);
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }

  #arm(ms: number, message: string): void {
    this.stop();
    this.#timer = setTimeout(() => {
      this.#late.abort();
      this.#reject(new TtsError('TTS_FAILED', message));
    }, ms);
  }
}
