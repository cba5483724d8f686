// The answering-machine detection of one call: audio and speech events in, verdicts out. It combines the pure machine
// with the beep and loudness detectors. Times are ms on the call's clock and come in as arguments.
import { FRAME_MS } from '../../media/frame.ts';
import { AMD_WAITING, type AmdEffect, type AmdEvent, type AmdState, amdDeadline, stepAmd } from './amd.ts';
import { BeepDetector } from './beep.ts';
import { Loudness } from './loudness.ts';

const SAMPLES_PER_MS = 8;
/** Longer than a stop consonant. */
const PAUSE_MS = 120;
/**
 * If more than this share of a stretch of speech has a steady pitch, the VAD mistook a tone or instrument for a voice.
 */
const STEADY_SHARE = 0.4;
/** This many loud frames, while the VAD still reports speech, mean that the speech continues. */
const RESUME_FRAMES = 2;

export class AnsweringMachineWatch {
  readonly #beeps = new BeepDetector();
  #state: AmdState = AMD_WAITING;
  readonly #loudness = new Loudness();
  #startedAtMs = 0;
  /** Time from which the VAD reports speech; null while it reports none. */
  #speechAtMs: number | null = null;
  /** Whether loudness finds a voice within that speech, and when it began. */
  #isVoiced = false;
  #voicedAtMs = 0;
  /** Steady frames before the current stretch of voice. */
  #steadyBefore = 0;

  /** Time of the next `tick`; null: none is needed. */
  get deadlineMs(): number | null {
    return amdDeadline(this.#state);
  }

  /** No further verdict will come; no more audio is needed. */
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

  /** Follows pauses within the VAD's speech: loudness shows them sooner than the VAD. */
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
    // The VAD reports speech one or two windows late.
    this.#steadyBefore = this.#beeps.steadyFrames - Math.min(this.#beeps.steadyRun, (nowMs - speechAtMs) / FRAME_MS);
    return this.#step({ type: 'speech-started', nowMs, speechAtMs });
  }

  #unvoiced(lastSpeechAtMs: number, nowMs: number): AmdEffect[] {
    const frames = (lastSpeechAtMs - this.#voicedAtMs) / FRAME_MS;
    const isTone = this.#beeps.steadyFrames - this.#steadyBefore > STEADY_SHARE * frames;
    return this.#step({ type: 'speech-stopped', nowMs, lastSpeechAtMs: isTone ? this.#voicedAtMs : lastSpeechAtMs });
  }

  /** End of the last loud frame of the current speech; null: there is none. */
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
