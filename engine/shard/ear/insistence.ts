// How long a caller has pressed for the floor, by the sound alone: a voice without a pause that does not fade, and that
// is longer, louder or sharper than this caller's encouragement ("uh-huh") so far. Words say it better, but come later.
//
// Of 24 English encouragements by four voices 8 press for 350 ms, and half of the interruptions do so 480 ms after
// their first sound.

/** One window of the voice. */
export interface VoiceWindow {
  /** Mean square, 1 = full scale. */
  power: number;
  /** Share of the power in the upper half of the band: hisses and bursts. 0..1. */
  sharpness: number;
}

interface Run {
  startedAtMs: number;
  voicedMs: number;
  /** Sums over its windows. */
  power: number;
  sharp: number;
  windows: number;
}

/** The most emphatic encouragement of this caller so far. */
interface Encouragement {
  voicedMs: number;
  power: number;
  sharp: number;
}

/** A shorter pause lies between two words of one sentence: "Sorry, actually". */
const RUN_GAP_MS = 250;
/** A voice as dull as this comes through closed lips ("mm-hmm"), and is believed only when it lasts. */
const DULL = 0.015;
const DULL_MS = 512;
/** Under the loudest window by this much, a voice is dying away. */
const FADED = 10 ** -0.7;
/** Longer, louder (3 dB) or sharper than what only encourages. */
const LONGER_MS = 64;
const LOUDER = 2;
const SHARPER = 2;
/** Runs whose meaning may still become known. */
const MAX_RUNS = 16;

export class Insistence {
  #runs: Run[] = [];
  #endedAtMs = Number.NEGATIVE_INFINITY;
  #peak = 0;
  /** Powers of the newest two windows. */
  #newest = [0, 0];
  #known: Encouragement | null = null;

  /** A voice begins at `atMs` on the call's clock. */
  begin(atMs: number): void {
    if (atMs - this.#endedAtMs <= RUN_GAP_MS) return;
    this.#runs.push({ startedAtMs: atMs, voicedMs: 0, power: 0, sharp: 0, windows: 0 });
    if (this.#runs.length > MAX_RUNS) this.#runs.shift();
    this.#peak = 0;
    this.#newest = [0, 0];
  }

  /** It goes on for `ms`. */
  voiced({ power, sharpness }: VoiceWindow, ms: number): void {
    const run = this.#runs.at(-1);
    if (run === undefined) return;
    run.voicedMs += ms;
    run.windows++;
    run.power += power;
    run.sharp += sharpness * power;
    this.#peak = Math.max(this.#peak, power);
    this.#newest = [this.#newest[1] ?? 0, power];
  }

  end(atMs: number): void {
    this.#endedAtMs = atMs;
  }

  /** Voiced time for which the caller has pressed for the floor; 0 while the voice fades or may only encourage. */
  get pressMs(): number {
    const run = this.#runs.at(-1);
    if (run === undefined || Math.max(...this.#newest) < this.#peak * FADED) return 0;
    if (this.hums) return 0;
    return this.#known === null || isMore(run, this.#known) ? run.voicedMs : 0;
  }

  /** The voice so far came through closed lips. */
  get hums(): boolean {
    const run = this.#runs.at(-1);
    return run !== undefined && sharpnessOf(run) < DULL && run.voicedMs < DULL_MS;
  }

  /** The words that began at `atMs` only encouraged. */
  encouraged(atMs: number): void {
    const run = this.#runs.findLast(({ startedAtMs }) => startedAtMs <= atMs);
    if (run === undefined || run.windows === 0) return;
    const known = this.#known ?? { voicedMs: 0, power: 0, sharp: 0 };
    this.#known = {
      voicedMs: Math.max(known.voicedMs, run.voicedMs),
      power: Math.max(known.power, run.power / run.windows),
      sharp: Math.max(known.sharp, sharpnessOf(run)),
    };
  }
}

function isMore(run: Run, known: Encouragement): boolean {
  if (run.voicedMs > known.voicedMs + LONGER_MS) return true;
  return run.power / run.windows > known.power * LOUDER || sharpnessOf(run) > known.sharp * SHARPER;
}

const sharpnessOf = ({ power, sharp }: Run): number => (power > 0 ? sharp / power : 0);
