// Simulated canaries: calls of a published version, and of one with a planted fault, each as its effects on what is
// measured of calls. Seeded.

import { type CanaryVerdict, judgeCanary, type ObservedCall } from '../../db/domain/versions/canary-test.ts';
import { seededRandom } from '../../engine/test-runs/caller/seeded-random.ts';

interface Effects {
  failed: number;
  transferred: number;
  leftEarly: number;
  /** Median of the calls' gaps, which are log-normal. */
  gapMs: number;
  /** Of the logarithm. */
  spread: number;
  /** A share of the calls that are slower by so much. */
  slow?: { share: number; ms: number };
}

export const USUAL: Effects = { failed: 0.01, transferred: 0.15, leftEarly: 0.05, gapMs: 700, spread: 0.3 };

interface Fault {
  name: string;
  /** As the table says it. */
  effect: string;
  to: Partial<Effects>;
}

export const FAULTS: readonly Fault[] = [
  { name: 'prompt: facts are missing', effect: 'put through 15 → 45 %', to: { transferred: 0.45 } },
  {
    name: 'prompt: offers no person',
    effect: 'put through 15 → 1 %, hung up early 5 → 20 %',
    to: { transferred: 0.01, leftEarly: 0.2 },
  },
  { name: 'prompt: a long greeting', effect: 'hung up early 5 → 30 %', to: { leftEarly: 0.3 } },
  {
    name: 'tool: answers with errors',
    effect: 'failed 1 → 20 %, put through 15 → 30 %',
    to: { failed: 0.2, transferred: 0.3 },
  },
  { name: 'tool: slow', effect: '40 % of calls + 1.5 s', to: { slow: { share: 0.4, ms: 1_500 } } },
  { name: 'latency: a slower model', effect: 'gap 0.7 → 1.0 s', to: { gapMs: 1_000 } },
  { name: 'latency: a voice far away', effect: 'gap 0.7 → 0.9 s', to: { gapMs: 900 } },
  { name: 'voice: hard to understand', effect: 'hung up early 5 → 25 %', to: { leftEarly: 0.25 } },
  { name: 'language: the wrong one', effect: 'hung up early 5 → 45 %', to: { leftEarly: 0.45 } },
  { name: 'model: away at times', effect: 'failed 1 → 15 %', to: { failed: 0.15 } },
];

function callOf(effects: Effects, isCanary: boolean, random: () => number): ObservedCall {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const late = effects.slow !== undefined && random() < effects.slow.share ? effects.slow.ms : 0;
  return {
    isCanary,
    failed: random() < effects.failed,
    transferred: random() < effects.transferred,
    leftEarly: random() < effects.leftEarly,
    gapMs: random() < 0.1 ? null : Math.round(effects.gapMs * Math.exp(effects.spread * normal)) + late,
  };
}

interface Simulated {
  /** Of the calls, which the canary leads. */
  share?: number;
  enough?: number;
  /** Calls of the published version that are known. */
  before?: number;
  published?: Effects;
}

export function simulate(
  effects: Effects,
  seed: number,
  { share = 0.1, enough = 100, before = 200, published = USUAL }: Simulated = {},
): CanaryVerdict {
  const random = seededRandom(seed);
  const known = Array.from({ length: before }, () => callOf(published, false, random));
  const since: ObservedCall[] = [];
  for (let canary = 0; canary < enough; ) {
    const isCanary = random() < share;
    since.push(callOf(isCanary ? effects : published, isCanary, random));
    if (isCanary) canary++;
  }
  return judgeCanary(known, since, enough);
}
