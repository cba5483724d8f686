// The answering-machine detection of one call as a shard runs it: audio and speech events in, verdicts out. It holds the
// pure machine and the beep detector together, on the call's clock, and takes time as an argument.
import {
  AMD_WAITING,
  type AmdConfig,
  type AmdEffect,
  type AmdEvent,
  type AmdState,
  amdDeadline,
  DEFAULT_AMD,
  stepAmd,
} from './amd.ts';
import { BeepDetector } from './beep.ts';

const SAMPLES_PER_MS = 8;

export class AnsweringMachineWatch {
  readonly #config: AmdConfig;
  readonly #beeps = new BeepDetector();
  #state: AmdState = AMD_WAITING;
  #startedAtMs = 0;

  constructor(config: AmdConfig = DEFAULT_AMD) {
    this.#config = config;
  }

  /** When `tick` should be called next, null when it need not be. */
  get deadlineMs(): number | null {
    return amdDeadline(this.#state, this.#config);
  }

  /** No further verdict will come: the audio need not be given any more. */
  get isDone(): boolean {
    return this.#state.phase === 'done';
  }

  /** The call was answered: `nowMs` is where its audio begins. */
  answered(nowMs: number): AmdEffect[] {
    this.#startedAtMs = nowMs;
    return this.#step({ type: 'answered', nowMs });
  }

  /** The callee's audio from the answer on, PCM16 at 8 kHz, without gaps. */
  audio(samples: Int16Array, nowMs: number): AmdEffect[] {
    if (this.isDone) return [];
    return this.#beeps
      .write(samples)
      .flatMap(({ endSample }) =>
        this.#step({ type: 'beep', nowMs, endAtMs: this.#startedAtMs + endSample / SAMPLES_PER_MS }),
      );
  }

  speechStarted(speechAtMs: number, nowMs: number): AmdEffect[] {
    return this.#step({ type: 'speech-started', nowMs, speechAtMs });
  }

  speechStopped(lastSpeechAtMs: number, nowMs: number): AmdEffect[] {
    return this.#step({ type: 'speech-stopped', nowMs, lastSpeechAtMs });
  }

  /** Everything recognised since the answer. */
  words(text: string, nowMs: number): AmdEffect[] {
    return this.#step({ type: 'words', nowMs, text });
  }

  tick(nowMs: number): AmdEffect[] {
    return this.#step({ type: 'tick', nowMs });
  }

  #step(event: AmdEvent): AmdEffect[] {
    const [next, effects] = stepAmd(this.#state, event, this.#config);
    this.#state = next;
    return effects;
  }
}
