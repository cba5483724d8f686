// The answering-machine detection of one call as a shard runs it: audio and speech events in, verdicts out. It holds the
// pure machine and the beep detector together, on the call's clock, and takes time as an argument.
import { AMD_WAITING, type AmdEffect, type AmdEvent, type AmdState, amdDeadline, stepAmd } from './amd.ts';
import { BeepDetector } from './beep.ts';
import { Loudness } from './loudness.ts';

const SAMPLES_PER_MS = 8;
/** A stop of a consonant is shorter. */
const PAUSE_MS = 120;
/** Of a stretch of speech; more of it is a tone or an instrument, which a VAD takes for a voice now and then. */
const STEADY_SHARE = 0.4;
const FRAME_MS = 20;
/** Two loud frames while the VAD still hears speech: it goes on. */
const RESUME_FRAMES = 2;

export class AnsweringMachineWatch {
  readonly #beeps = new BeepDetector();
  #state: AmdState = AMD_WAITING;
  readonly #loudness = new Loudness();
  #startedAtMs = 0;
  /** Since when the VAD hears speech, null while it hears none. */
  #speechAtMs: number | null = null;
  #isVoiced = false;
  #voicedAtMs = 0;
  /** Steady frames before the present stretch of voice. */
  #steadyBefore = 0;

  /** When `tick` should be called next, null when it need not be. */
  get deadlineMs(): number | null {
    return amdDeadline(this.#state);
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

  /** The speech of which the VAD knows pauses and goes on sooner than the VAD can tell. */
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
    // The VAD took a window or two to say so.
    this.#steadyBefore = this.#beeps.steadyFrames - Math.min(this.#beeps.steadyRun, (nowMs - speechAtMs) / FRAME_MS);
    return this.#step({ type: 'speech-started', nowMs, speechAtMs });
  }

  #unvoiced(lastSpeechAtMs: number, nowMs: number): AmdEffect[] {
    const frames = (lastSpeechAtMs - this.#voicedAtMs) / FRAME_MS;
    const isTone = this.#beeps.steadyFrames - this.#steadyBefore > STEADY_SHARE * frames;
    return this.#step({ type: 'speech-stopped', nowMs, lastSpeechAtMs: isTone ? this.#voicedAtMs : lastSpeechAtMs });
  }

  /** Where the last loud frame of the present speech ended, null where there is no speech, or none that is loud. */
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
