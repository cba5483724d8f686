// The pitch of this caller's voice, learned from turns that were understood, and how far another voice is from it. A
// voice's median over a sentence varies by 2 semitones; a man's and a woman's lie 9 apart.
import type { TakenTurn } from './caller-level.ts';

interface Burst {
  startedAtMs: number;
  /** Of its pitched windows, semitones over 1 Hz. */
  semitones: number[];
}

const TURN_WEIGHT = 0.3;
/** Fewer pitched windows tell nothing. */
const LEAST_WINDOWS = 4;
/** A burst's first windows are enough. */
const MOST_WINDOWS = 40;
const MAX_BURSTS = 64;

export class CallerPitch {
  #known: number | null = null;
  #bursts: Burst[] = [];

  begin(startedAtMs: number): void {
    this.#bursts.push({ startedAtMs, semitones: [] });
    if (this.#bursts.length > MAX_BURSTS) this.#bursts.shift();
  }

  /** The pitch of one window of the burst, Hz; 0 where it has none. */
  window(hertz: number): void {
    const burst = this.#bursts.at(-1);
    if (hertz > 0 && burst && burst.semitones.length < MOST_WINDOWS) burst.semitones.push(12 * Math.log2(hertz));
  }

  /** Between this burst and the caller, in semitones; null while either is unknown. */
  get semitonesApart(): number | null {
    const burst = this.#bursts.at(-1);
    if (this.#known === null || !burst || burst.semitones.length < LEAST_WINDOWS) return null;
    return Math.abs(median(burst.semitones) - this.#known);
  }

  taken({ understood, startedAtMs }: TakenTurn): void {
    const semitones = this.#bursts
      .filter((burst) => burst.startedAtMs >= startedAtMs)
      .flatMap((each) => each.semitones);
    this.#bursts = [];
    if (!understood || semitones.length < LEAST_WINDOWS) return;
    const turn = median(semitones);
    this.#known = this.#known === null ? turn : this.#known + TURN_WEIGHT * (turn - this.#known);
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
