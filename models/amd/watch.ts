// The answering-machine detection of one call: audio and speech events in, verdicts out. It combines the pure machine
// with the beep detector and loudness. Times are ms on the call's clock and come in as arguments.
import { AMD_WAITING, type AmdEffect, type AmdEvent, type AmdState, amdDeadline, stepAmd } from './amd.ts';
import { BeepDetector } from './beep.ts';
import { Loudness } from './loudness.ts';

const SAMPLES_PER_MS = 8;
/** Longer than a stop consonant. */
const PAUSE_MS = 120;
/**
 * If more than this share of a stretch of speech has a steady pitch, it is a tone or instrument that the VAD took for
 * voice.
 */
const STEADY_SHARE = 0.4;
const FRAME_MS = 20;
/** This many loud frames, while the VAD still reports speech, mean that it continues. */
const RESUME_FRAMES = 2;

export class AnsweringMachineWatch {
  readonly #beeps = new BeepDetector();
  #state: AmdState = AMD_WAITING;
  readonly #loudness = new Loudness();
  #startedAtMs = 0;
  /** Since when the VAD reports speech; null while it reports none. */
  #speechAtMs: number | null = null;
  /** Voice by loudness within that speech, and when it began. */
  #isVoiced = false;
  #voicedAtMs = 0;
  /** Steady frames before the current stretch of voice. */
  #steadyBefore = 0;

  /** When `tick` should be called next; null when it need not be. */
  get deadlineMs(): number | null {
    return amdDeadline(this.#state);
  }

  /** No further verdict will come, so audio is no longer needed. */
  get isDone(): boolean {
    return this.#state.phase === 'done';
  }

  /** The call was answered; its audio begins at `nowMs`. */
  answered(nowMs: number): AmdEffect[] {
    this.#startedAtMs = nowMs;
    return this.#step({ type: 'answered', nowMs });
  }

  /** Takes the callee's audio from the answer on, PCM16 mono at 8 kHz, without gaps. */
  audio(samples: Int16Array, nowMs: number): AmdEffect[] {
    if (this.isDone) return [];
    const beeps = this.#beeps
      .write(samples)
      .flatMap(({ endSample }) =>
        this.#step({ type: 'beep', nowMs, endAtMs: this.#startedAtMs + endSample / SAMPLES_PER_MS }),
      );
    this.#loudness.write(samples);
    return [...beeps, ...this.#followVoice(nowMs)];
  }

  speechStarted(speechAtMs: number, nowMs: number): AmdEffect[] {
    this.#speechAtMs = speechAtMs;
    return this.#voiced(speechAtMs, nowMs);
  }

  speechStopped(lastSpeechAtMs: number, nowMs: number): AmdEffect[] {
    const wasVoiced = this.#isVoiced;
    const loudUntilMs = this.#loudUntilMs();
    this.#speechAtMs = null;
    this.#isVoiced = false;
    if (!wasVoiced) return [];
    return this.#unvoiced(Math.min(lastSpeechAtMs, loudUntilMs ?? lastSpeechAtMs), nowMs);
  }

  /** Follows pauses within the VAD's speech, which loudness shows sooner than the VAD. */
  #followVoice(nowMs: number): AmdEffect[] {
    const loudUntilMs = this.#loudUntilMs();
    if (loudUntilMs === null) return [];
    if (this.#isVoiced && nowMs - loudUntilMs >= PAUSE_MS) {
      this.#isVoiced = false;
      return this.#unvoiced(loudUntilMs, nowMs);
    }
    if (this.#isVoiced || this.#loudness.run < RESUME_FRAMES) return [];
    return this.#voiced(loudUntilMs, nowMs);
  }

  #voiced(speechAtMs: number, nowMs: number): AmdEffect[] {
    this.#isVoiced = true;
    this.#voicedAtMs = speechAtMs;
    // The VAD reports speech a window or two late.
    this.#steadyBefore = this.#beeps.steadyFrames - Math.min(this.#beeps.steadyRun, (nowMs - speechAtMs) / FRAME_MS);
    return this.#step({ type: 'speech-started', nowMs, speechAtMs });
  }

  #unvoiced(lastSpeechAtMs: number, nowMs: number): AmdEffect[] {
    const frames = (lastSpeechAtMs - this.#voicedAtMs) / FRAME_MS;
    const isTone = this.#beeps.steadyFrames - this.#steadyBefore > STEADY_SHARE * frames;
    return this.#step({ type: 'speech-stopped', nowMs, lastSpeechAtMs: isTone ? this.#voicedAtMs : lastSpeechAtMs });
  }

  /** Where the last loud frame of the current speech ended; null when there is none. */
  #loudUntilMs(): number | null {
    if (this.#speechAtMs === null) return null;
    const untilMs = this.#startedAtMs + this.#loudness.lastLoudSample / SAMPLES_PER_MS;
    return untilMs > this.#speechAtMs ? untilMs : null;
  }

  /** Everything recognised since the answer. */
  words(text: string, nowMs: number): AmdEffect[] {
    return this.#step({ type: 'words', nowMs, text });
  }

  tick(nowMs: number): AmdEffect[] {
    return this.#step({ type: 'tick', nowMs });
  }

  #step(event: AmdEvent): AmdEffect[] {
    const [next, effects] = stepAmd(this.#state, event);
    this.#state = next;
    return effects;
  }
}
