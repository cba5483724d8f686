// Finds the speech of both sides in a recorded call, and from it the response gaps (the caller's last sound to the
// agent's first) and the yields (the caller's onset over the agent to its silence). It works on the levels of 4 ms
// blocks, so that a long recording can be read in pieces.
//
//   samples ─► LevelMeter (mean square of 4 ms) ─► soundSpans ─► gapsBetween, yieldsBetween

const BLOCK_MS = 4;
/** -50 dBFS: anything quieter is not speech. */
const LEAST_POWER = 1e-5;
/**
 * The noise level of a line is that of its quietest fifth; speech is 12 dB above it, and -35 dBFS is speech on any
 * line.
 */
const QUIET_SHARE = 0.2;
const OVER_NOISE = 16;
const MOST_THRESHOLD = 10 ** -3.5;
/** Longest pause within a word. */
const HOLE_MS = 160;
/** A shorter sound is a click. */
const LEAST_SOUND_MS = 40;
/** As in the shard: a sound has ended at 25 dB below the loudest block of its last 200 ms. */
const DIED_AWAY = 10 ** -2.5;
const TAIL_MS = 200;

/** From and to, ms. */
export type Span = [fromMs: number, toMs: number];

export interface ResponseGap {
  /** End of the caller's last sound. */
  speechEndMs: number;
  /** Start of the agent's first sound. */
  soundMs: number;
  gapMs: number;
}

export interface Yield {
  onsetMs: number;
  silentMs: number;
  yieldMs: number;
}

/** Mean square of consecutive blocks, 1 = full scale. */
export class LevelMeter {
  readonly #blockSamples: number;
  readonly #levels: number[] = [];
  #sum = 0;
  #count = 0;

  constructor(sampleRateHz: number) {
    this.#blockSamples = (sampleRateHz * BLOCK_MS) / 1000;
  }

  push(sample: number): void {
    this.#sum += sample * sample;
    if (++this.#count < this.#blockSamples) return;
    this.#levels.push(this.#sum / this.#count / 32_768 ** 2);
    this.#sum = 0;
    this.#count = 0;
  }

  /** Without the last block, which may be incomplete. */
  get levels(): readonly number[] {
    return this.#levels;
  }
}

/** The spans with sound, in order, without clicks. */
export function soundSpans(levels: readonly number[]): Span[] {
  const threshold = thresholdOf(levels);
  const spans: Array<{ from: number; to: number; blocks: number }> = [];
  levels.forEach((level, at) => {
    if (level < threshold) return;
    const last = spans.at(-1);
    if (last && (at - last.to) * BLOCK_MS < HOLE_MS) {
      last.to = at + 1;
      last.blocks++;
    } else spans.push({ from: at, to: at + 1, blocks: 1 });
  });
  return spans
    .filter(({ blocks }) => blocks * BLOCK_MS >= LEAST_SOUND_MS)
    .map(({ from, to }) => [from * BLOCK_MS, diedAway(levels, from, to) * BLOCK_MS]);
}

/** The gaps of a call by its two channels, which must have the same rate. */
export function gapsOf(caller: Int16Array, agent: Int16Array, sampleRateHz: number): ResponseGap[] {
  return gapsBetween(soundSpans(levelsOf(caller, sampleRateHz)), soundSpans(levelsOf(agent, sampleRateHz)));
}

/** The yields of a call by its two channels, which must have the same rate. */
export function yieldsOf(caller: Int16Array, agent: Int16Array, sampleRateHz: number): Yield[] {
  return yieldsBetween(soundSpans(levelsOf(caller, sampleRateHz)), soundSpans(levelsOf(agent, sampleRateHz)));
}

/** A gap precedes each sound of the agent that follows a sound of the caller. */
export function gapsBetween(caller: readonly Span[], agent: readonly Span[]): ResponseGap[] {
  return agent.flatMap(([soundMs], index): ResponseGap[] => {
    const agentEndMs = agent[index - 1]?.[1] ?? 0;
    const before = caller.findLast(([fromMs]) => fromMs < soundMs);
    // Not a gap: the agent speaks over the caller, or goes on.
    if (!before || before[1] > soundMs || before[1] <= agentEndMs) return [];
    return [{ speechEndMs: before[1], soundMs, gapMs: soundMs - before[1] }];
  });
}

/** One for each onset of the caller over the agent, whether or not it made the agent fall silent. */
export function yieldsBetween(caller: readonly Span[], agent: readonly Span[]): Yield[] {
  return caller.flatMap(([onsetMs]): Yield[] => {
    const over = agent.find(([fromMs, toMs]) => fromMs < onsetMs && onsetMs < toMs);
    return over ? [{ onsetMs, silentMs: over[1], yieldMs: over[1] - onsetMs }] : [];
  });
}

function levelsOf(samples: Int16Array, sampleRateHz: number): readonly number[] {
  const meter = new LevelMeter(sampleRateHz);
  for (const sample of samples) meter.push(sample);
  return meter.levels;
}

function thresholdOf(levels: readonly number[]): number {
  const sorted = Float64Array.from(levels).sort();
  const noise = sorted[Math.floor(sorted.length * QUIET_SHARE)] ?? 0;
  return Math.max(LEAST_POWER, Math.min(MOST_THRESHOLD, noise * OVER_NOISE));
}

function diedAway(levels: readonly number[], from: number, to: number): number {
  const tail = levels.slice(Math.max(from, to - TAIL_MS / BLOCK_MS), to);
  const peak = Math.max(0, ...tail);
  const quiet = tail.length - 1 - tail.findLastIndex((level) => level > peak * DIED_AWAY);
  return to - Math.min(quiet, tail.length - 1);
}
