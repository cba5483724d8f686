// How loud this caller is on this line, and which sounds are too faint to be them: a radio, a second talker, the next
// room. The level is learned from turns that were understood; until then the loudest voice is presumed to be the
// caller's. A voice varies by 20 dB within a word, so 96 ms are averaged, and sound within 192 ms after a clear sound
// belongs to it.
//
// Measured with three voices at 8 kHz (mean of their voiced windows = 0 dB): no end of their own speech is cut, and
// gaps within it grow from 160 to 192 ms at most. Of another voice at -15 dB 7 % of the windows pass, at -20 or -25 dB
// none.

/** A turn of the caller as the machine committed it. */
export interface TakenTurn {
  understood: boolean;
  startedAtMs: number;
}

export interface WindowLoudness {
  /** Too faint to be the caller. */
  faint: boolean;
  /** True from the second window in a row that is as loud as the caller. */
  clear: boolean;
}

/**
 * By the voice of the last 640 ms: `far` is on the whole too soft for this caller, though single sounds may not be.
 * Before the first understood turn: softer than the turns so far, or than anybody who speaks into a phone. `likely`: as
 * loud as those turns, of which none was understood, or before any turn as people are on a telephone.
 */
export type Distance = 'near' | 'far' | 'likely' | 'unknown';

/** For a window of unknown power. */
export const UNKNOWN_LOUDNESS: WindowLoudness = { faint: false, clear: true };

interface Burst {
  startedAtMs: number;
  /** Mean squares of its windows, the oldest first. */
  powers: number[];
  faint: boolean;
}

const FAINT_DB = 10;
const AVERAGED_WINDOWS = 3;
/** The mean of 20 windows of one voice varies by 3 dB. */
const FAR_DB = 8;
/** A single burst of the same voice is less under the level of a turn. */
const LIKELY_DB = 6;
/** Level of speech on a correctly set line (ITU-T P.56, P.830). */
const NOMINAL_DBFS = -26;
const FAR_WINDOWS = 20;
const FAR_WINDOWS_MIN = 5;
/** 256 ms without a voice end it. */
const BURST_GAP_WINDOWS = 8;
const HOLD_WINDOWS = 6;
const CLEAR_WINDOWS = 2;
/**
 * Before the first understood turn, the loudest voice of the last 3 s stands for the caller: its peak is this far above
 * its mean.
 */
const PEAK_OVER_MEAN_DB = 4;
const PEAK_WINDOWS = 94;
/**
 * Weight of an understood turn in the level. After two turns, a caller who has moved away from the phone is accepted at
 * the new level.
 */
const LOUD_WEIGHT = 0.3;
const FAINT_WEIGHT = 0.5;
/** Softer windows of a turn, against its loudest, are pauses, or a radio behind it. */
const ACTIVE_DB = 16;
/** 10 s of a burst are enough. */
const MAX_POWERS = 320;
/** Bursts that wait for their turn to be understood; at the limit the oldest is dropped. */
const MAX_BURSTS = 64;

export class CallerLevel {
  /** Null before the first understood turn. */
  #levelDbfs: number | null = null;
  /** Level of the loudest turn that was not understood; null before such a turn. */
  #unclearDbfs: number | null = null;
  /** The newest mean squares, in turn. */
  readonly #recent = new Float64Array(AVERAGED_WINDOWS);
  #windows = 0;
  /** Averaged levels of the voiced windows of the last 3 s, dBFS, in turn. */
  readonly #voices = new Float64Array(PEAK_WINDOWS).fill(Number.NEGATIVE_INFINITY);
  /** Mean squares of the voiced windows of this voice, faint or not, the newest in turn. */
  readonly #burst = new Float64Array(FAR_WINDOWS);
  #burstWindows = 0;
  /** Windows in a row without a voice. */
  #unvoiced = 0;
  /** Windows in a row that were loud enough. */
  #loudRun = 0;
  #hold = 0;
  #bursts: Burst[] = [];

  /** Level of the caller's voice, dBFS; null while unknown. */
  get levelDbfs(): number | null {
    return this.#levelDbfs;
  }

  /** The same, or what stands for it before the first understood turn. */
  get presumedDbfs(): number {
    return this.#levelDbfs ?? Math.max(NOMINAL_DBFS, this.#unclearDbfs ?? NOMINAL_DBFS);
  }

  /** How near the voice of this burst is. */
  get distance(): Distance {
    const { underDb } = this;
    if (underDb === null) return 'unknown';
    if (underDb > FAR_DB) return 'far';
    if (this.#levelDbfs !== null) return 'near';
    const burstDbfs = this.presumedDbfs - underDb;
    return burstDbfs > (this.#unclearDbfs ?? NOMINAL_DBFS) - LIKELY_DB ? 'likely' : 'unknown';
  }

  /** How far the burst is under the caller's level, known or presumed; null while it is too short to say. */
  get underDb(): number | null {
    const windows = Math.min(this.#burstWindows, FAR_WINDOWS);
    if (windows < FAR_WINDOWS_MIN) return null;
    const sum = this.#burst.subarray(0, windows).reduce((total, each) => total + each, 0);
    return this.presumedDbfs - decibels(sum / windows);
  }

  /** Judges the next window. `power`: mean square of its samples, 1 = full scale. `isVoice`: it holds a voice. */
  window(power: number, isVoice: boolean): WindowLoudness {
    this.#recent[this.#windows++ % AVERAGED_WINDOWS] = power;
    // A voice that begins to be heard in the middle of a faint one belongs to it.
    this.#unvoiced = isVoice ? 0 : this.#unvoiced + 1;
    if (this.#unvoiced === BURST_GAP_WINDOWS) this.#burstWindows = 0;
    if (isVoice) this.#burst[this.#burstWindows++ % FAR_WINDOWS] = power;
    const mean = decibels(this.#recent.reduce((sum, each) => sum + each, 0) / AVERAGED_WINDOWS);
    const loud = isVoice && mean >= (this.#levelDbfs ?? this.#loudestDbfs(mean, isVoice)) - FAINT_DB;
    this.#loudRun = loud ? this.#loudRun + 1 : 0;
    const clear = this.#loudRun >= CLEAR_WINDOWS;
    const faint = !loud && this.#hold === 0;
    this.#hold = clear ? HOLD_WINDOWS : Math.max(0, this.#hold - 1);
    return { faint, clear };
  }

  /** Before any understood turn. A voice alone on the line is never faint. */
  #loudestDbfs(mean: number, isVoice: boolean): number {
    this.#voices[this.#windows % PEAK_WINDOWS] = isVoice ? mean : Number.NEGATIVE_INFINITY;
    return Math.max(...this.#voices) - PEAK_OVER_MEAN_DB;
  }

  /** A burst of speech begins; its voiced windows follow as `voiced`. */
  begin(startedAtMs: number): void {
    this.#bursts.push({ startedAtMs, powers: [], faint: false });
    if (this.#bursts.length > MAX_BURSTS) this.#bursts.shift();
  }

  /** A voiced window of the burst, 0 if its power is unknown. `faint`: the burst has been faint so far. */
  voiced(power: number, faint: boolean): void {
    const burst = this.#bursts.at(-1);
    if (burst === undefined) return;
    if (power > 0 && burst.powers.length < MAX_POWERS) burst.powers.push(power);
    burst.faint = faint;
  }

  /** The turn was committed. Bursts before or in it are dropped. */
  taken({ understood, startedAtMs }: TakenTurn): void {
    const turn = this.#bursts.filter((burst) => burst.startedAtMs >= startedAtMs);
    this.#bursts = [];
    // A radio before the caller's words does not belong to them.
    const loud = turn.filter((burst) => !burst.faint);
    const own = loud.length > 0 ? loud : turn;
    const powers = own.flatMap((burst) => burst.powers);
    if (powers.length === 0) return;
    const turnDbfs = activeDbfs(powers);
    if (!understood) {
      this.#unclearDbfs = Math.max(this.#unclearDbfs ?? turnDbfs, turnDbfs);
      return;
    }
    // The earlier voice is faint compared with this one: it was a radio, and this is the caller.
    if (this.#levelDbfs === null || turnDbfs > this.#levelDbfs + FAINT_DB) this.#levelDbfs = turnDbfs;
    else this.#levelDbfs += (loud.length > 0 ? LOUD_WEIGHT : FAINT_WEIGHT) * (turnDbfs - this.#levelDbfs);
  }
}

/** Level of the windows in which the loudest voice speaks. */
function activeDbfs(powers: readonly number[]): number {
  // Not the loudest window: that may be a click.
  const loud = powers.toSorted((a, b) => b - a)[Math.min(2, powers.length - 1)] ?? 0;
  const active = powers.filter((power) => power >= loud * 10 ** (-ACTIVE_DB / 10));
  return decibels(active.reduce((sum, each) => sum + each, 0) / active.length);
}

/** dBFS of a mean square; silence is -90, the last bit of 16. */
function decibels(power: number): number {
  return 10 * Math.log10(Math.max(1e-9, power));
}
