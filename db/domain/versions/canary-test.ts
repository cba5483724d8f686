// Whether a new version leads calls worse than the published one, decided while calls come in. A test of fixed size
// must not be looked at before its end; this one may be looked at after every call, and is wrong about a version that
// is not worse in at most one of a hundred canaries, however often one looks.
//
// Each measure is a yes or no of a call. Its evidence is an e-process: the product of the e-variables of Turner, Ly and
// Grünwald, "Generic E-variables for exact sequential k-sample tests that allow for optional stopping" (Journal of
// Statistical Planning and Inference 230, 2024), for two samples of Bernoulli variables, one block for each call of the
// canary and the published version's calls since the last one. What is expected of the published version is estimated
// from what came before the block; how much worse the other may be is a mixture over odds. By Ville's inequality the
// evidence of a version that is as good reaches 1/α with probability α at most.

export interface ObservedCall {
  isCanary: boolean;
  failed: boolean;
  transferred: boolean;
  leftEarly: boolean;
  /** The median of its response gaps; null: the agent never answered. */
  gapMs: number | null;
}

type CanaryMeasure = 'failed' | 'transferred' | 'leftEarly' | 'responseGapMs';

interface CanaryEvidence {
  measure: CanaryMeasure;
  direction: 'more' | 'fewer' | 'slower';
  /** A share of 0 to 1, or ms (median), of so many calls. */
  canary: { value: number; calls: number };
  published: { value: number; calls: number };
  /** The chance of evidence as great, had the version been as good. */
  p: number;
}

export interface CanaryVerdict {
  state: 'running' | 'good' | 'worse';
  canaryCalls: number;
  publishedCalls: number;
  /** Why it was stopped, the strongest first; empty unless it is worse. */
  evidence: CanaryEvidence[];
}

/** Of all canaries of versions that are as good as the published one, at most this share is stopped. */
const FALSE_ALARMS = 0.01;

interface Tested {
  measure: CanaryMeasure;
  direction: CanaryEvidence['direction'];
  /** By which the odds of a yes may have changed. */
  odds: readonly number[];
}

const MORE = [1.75, 2.5, 4, 8, 20, 60];
const FEWER = [1 / 3, 1 / 8, 1 / 30];

const TESTED: readonly Tested[] = [
  { measure: 'failed', direction: 'more', odds: MORE },
  { measure: 'leftEarly', direction: 'more', odds: MORE },
  { measure: 'transferred', direction: 'more', odds: MORE },
  { measure: 'transferred', direction: 'fewer', odds: FEWER },
  { measure: 'responseGapMs', direction: 'slower', odds: MORE },
];
const THRESHOLD = TESTED.length / FALSE_ALARMS;

/** Gaps of the published version from which it is known what is slow. */
const GAPS_NEEDED = 20;
/** Nobody hears less. */
const SLOWER_BY_MS = 150;

interface Counts {
  calls: number;
  hits: number;
}

/** The evidence against the canary in one yes or no. */
class Evidence {
  readonly #odds: readonly number[];
  readonly #logs: number[];
  /** Of the published version, with what came before the canary. */
  readonly #known: Counts;
  /** Since the last call of the canary. */
  #waiting: Counts = { calls: 0, hits: 0 };
  /** The evidence now, 1 at first. */
  value = 1;
  greatest = 1;

  constructor(odds: readonly number[], known: Counts) {
    this.#odds = odds;
    this.#logs = odds.map(() => 0);
    this.#known = { ...known };
  }

  published(isHit: boolean): void {
    this.#waiting.calls++;
    if (isHit) this.#waiting.hits++;
  }

  canary(isHit: boolean): void {
    const { calls, hits } = this.#waiting;
    const expected = (this.#known.hits + 0.5) / (this.#known.calls + 5);
    for (const [at, ratio] of this.#odds.entries()) {
      const odds = (expected / (1 - expected)) * ratio;
      const other = odds / (1 + odds);
      const alike = (other + calls * expected) / (1 + calls);
      const step =
        logChance(other, 1, isHit ? 1 : 0) -
        logChance(alike, 1, isHit ? 1 : 0) +
        logChance(expected, calls, hits) -
        logChance(alike, calls, hits);
      this.#logs[at] = (this.#logs[at] ?? 0) + step;
    }
    this.#known.calls += calls;
    this.#known.hits += hits;
    this.#waiting = { calls: 0, hits: 0 };
    this.value = this.#logs.reduce((sum, log) => sum + Math.exp(log), 0) / this.#logs.length;
    this.greatest = Math.max(this.greatest, this.value);
  }
}

const logChance = (chance: number, calls: number, hits: number): number =>
  hits * Math.log(chance) + (calls - hits) * Math.log(1 - chance);

const countsOf = (values: readonly boolean[]): Counts => ({
  calls: values.length,
  hits: values.filter(Boolean).length,
});

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;

/** From where a gap is slow: bounds that share the evidence, for a change of all gaps and for one of some. */
function slownessOf(gaps: readonly number[]): number[] {
  const sorted = gaps.toSorted((a, b) => a - b);
  const least = quantile(sorted, 0.5) + SLOWER_BY_MS;
  return [least, Math.max(quantile(sorted, 0.75), least), Math.max(quantile(sorted, 0.95), least)];
}

class GapEvidence {
  readonly #odds: readonly number[];
  readonly #gaps: number[];
  #bounds: { ms: number; evidence: Evidence }[] = [];
  greatest = 1;

  constructor(odds: readonly number[], before: readonly number[]) {
    this.#odds = odds;
    this.#gaps = [...before];
    this.#learn();
  }

  take(gapMs: number | null, isCanary: boolean): void {
    if (gapMs === null) return;
    for (const { ms, evidence } of this.#bounds) {
      if (isCanary) evidence.canary(gapMs > ms);
      else evidence.published(gapMs > ms);
    }
    // The mean of e-processes is one.
    const sum = this.#bounds.reduce((total, { evidence }) => total + evidence.value, 0);
    if (this.#bounds.length > 0) this.greatest = Math.max(this.greatest, sum / this.#bounds.length);
    if (isCanary || this.#bounds.length > 0) return;
    this.#gaps.push(gapMs);
    this.#learn();
  }

  /** Once only: a bound that moved with the calls would not be one. */
  #learn(): void {
    if (this.#gaps.length < GAPS_NEEDED) return;
    this.#bounds = slownessOf(this.#gaps).map((ms) => ({
      ms,
      evidence: new Evidence(this.#odds, countsOf(this.#gaps.map((gap) => gap > ms))),
    }));
  }
}

/**
 * @param before calls of the published version from before the canary: what is usual
 * @param since all calls since it began, each person's first one, in their order
 * @param enough so many calls of the canary that were not worse are good
 */
export function judgeCanary(
  before: readonly ObservedCall[],
  since: readonly ObservedCall[],
  enough: number,
): CanaryVerdict {
  const tests = TESTED.map((tested) => ({ tested, evidence: evidenceOf(tested, before) }));
  let canaryCalls = 0;
  for (const [at, call] of since.entries()) {
    for (const { tested, evidence } of tests) take(evidence, tested.measure, call);
    if (!call.isCanary) continue;
    canaryCalls++;
    const seen = since.slice(0, at + 1);
    const found = tests.filter(({ evidence }) => evidence.greatest >= THRESHOLD);
    if (found.length > 0) return verdict('worse', seen, found);
    if (canaryCalls >= enough) return verdict('good', seen, []);
  }
  return verdict('running', since, []);
}

type Found = { tested: Tested; evidence: { greatest: number } };

function evidenceOf({ measure, odds }: Tested, before: readonly ObservedCall[]): Evidence | GapEvidence {
  if (measure !== 'responseGapMs') return new Evidence(odds, countsOf(before.map((call) => call[measure])));
  return new GapEvidence(
    odds,
    before.flatMap(({ gapMs }) => (gapMs === null ? [] : [gapMs])),
  );
}

function take(evidence: Evidence | GapEvidence, measure: CanaryMeasure, call: ObservedCall): void {
  if (evidence instanceof GapEvidence) evidence.take(call.gapMs, call.isCanary);
  else if (measure !== 'responseGapMs' && call.isCanary) evidence.canary(call[measure]);
  else if (measure !== 'responseGapMs') evidence.published(call[measure]);
}

function verdict(state: CanaryVerdict['state'], seen: readonly ObservedCall[], found: readonly Found[]): CanaryVerdict {
  const [canary, published] = [seen.filter((call) => call.isCanary), seen.filter((call) => !call.isCanary)];
  const evidence = found
    .toSorted((a, b) => b.evidence.greatest - a.evidence.greatest)
    .map(({ tested: { measure, direction }, evidence: { greatest } }) => ({
      measure,
      direction,
      canary: figureOf(measure, canary),
      published: figureOf(measure, published),
      p: Math.min(1, 1 / greatest),
    }));
  return { state, canaryCalls: canary.length, publishedCalls: published.length, evidence };
}

function figureOf(measure: CanaryMeasure, calls: readonly ObservedCall[]): { value: number; calls: number } {
  if (measure !== 'responseGapMs') {
    const { hits } = countsOf(calls.map((call) => call[measure]));
    return { value: calls.length === 0 ? 0 : hits / calls.length, calls: calls.length };
  }
  const gaps = calls.flatMap(({ gapMs }) => (gapMs === null ? [] : [gapMs])).toSorted((a, b) => a - b);
  return { value: gaps.length === 0 ? 0 : quantile(gaps, 0.5), calls: gaps.length };
}
