// Other rivals of the service's own turn ends: models of turn ends alone. At each pause of 0.3 s and at the end it
// hears the turn up to 200 ms after the last sound; where it judges the turn over, a short silence ends it, else a long
// one. The best pair of silences for a mean gap is chosen on the recordings themselves, which flatters it.
import { Resampler } from '../../media/resample.ts';
import { SmartTurn } from '../../models/turn-end/smart-turn.ts';
import { TURN_END_RATE_HZ } from '../../models/turn-end/turn-end.ts';
import { type CallerTurn, FRAME_SAMPLES, FRAMES_PER_S, RATE_HZ } from './recordings.ts';

/** Heard after the last sound. */
const AFTER_FRAMES = 10;
/** Heard before the first sound. */
const LEAD_FRAMES = 10;
const SLACK_S = 0.04;
const LIMITS = [0.05, 0.1, 0.2, 0.3, 0.5, 0.7];
const SHORT_S = [0.3, 0.4, 0.5, 0.6, 0.8];
const LONG_S = [0.8, 1, 1.2, 1.6, 2];

export interface Judged {
  /** In order: how long it lasts, s, and the likelihood that the turn is over. */
  pauses: ReadonlyArray<{ lastsS: number; likelihood: number }>;
  end: number;
}

export interface AloneResult {
  cut: number;
  meanS: number;
  /** Over at this likelihood: the short silence, else the long one. */
  limit: number;
  shortS: number;
  longS: number;
}

/** The likelihood that a turn is over, by the caller's sound so far at 16 kHz. */
export type TurnEndJudge = (samples: Int16Array) => Promise<number>;

/** @param environment with DATA_DIR, whose `models/smart-turn` has the weights @throws without the weights */
export async function judgeAlone(
  turns: readonly CallerTurn[],
  environment: Record<string, string | undefined>,
): Promise<Judged[]> {
  const model = await SmartTurn.load(environment);
  try {
    return await judgeAt(turns, 'Smart Turn', (samples) => model.judge(samples));
  } finally {
    await model.release();
  }
}

/** Asks at each pause of each turn, and at its end. @param name for whom is waiting */
export async function judgeAt(turns: readonly CallerTurn[], name: string, judge: TurnEndJudge): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (const turn of turns) {
    const pauses: Array<{ lastsS: number; likelihood: number }> = [];
    for (const { from, to } of turn.pauses) {
      const lastsS = (to - from) / FRAMES_PER_S;
      pauses.push({ lastsS, likelihood: await judge(heardUntil(turn, from)) });
    }
    judged.push({ pauses, end: await judge(heardUntil(turn, turn.endFrame)) });
    process.stderr.write(`\r${name} alone: ${judged.length} of ${turns.length} turns `);
  }
  process.stderr.write('\n');
  return judged;
}

/** The turn up to 200 ms after the sound that ends before `frame`, at the model's rate. */
function heardUntil({ samples, startFrame }: CallerTurn, frame: number): Int16Array {
  const from = Math.max(0, startFrame - LEAD_FRAMES) * FRAME_SAMPLES;
  const piece = samples.subarray(from, (frame + AFTER_FRAMES) * FRAME_SAMPLES);
  const resampler = new Resampler(RATE_HZ, TURN_END_RATE_HZ);
  const out = new Int16Array(resampler.maxOutput(piece.length));
  return out.slice(0, resampler.process(piece, out));
}

/** The pair of silences that cuts least with a mean gap of at most `meanS`; null: none is so quick. */
export function bestAlone(judged: readonly Judged[], meanS: number): AloneResult | null {
  let best: AloneResult | null = null;
  for (const limit of LIMITS)
    for (const shortS of SHORT_S)
      for (const longS of LONG_S) {
        const result = outcome(judged, { limit, shortS, longS });
        if (result.meanS <= meanS && (best === null || result.cut < best.cut)) best = result;
      }
  return best;
}

function outcome(judged: readonly Judged[], policy: Pick<AloneResult, 'limit' | 'shortS' | 'longS'>): AloneResult {
  const silenceS = (likelihood: number): number => (likelihood >= policy.limit ? policy.shortS : policy.longS);
  const whole = judged.filter(({ pauses }) =>
    pauses.every(({ lastsS, likelihood }) => lastsS <= silenceS(likelihood) + SLACK_S),
  );
  const gaps = whole.map(({ end }) => silenceS(end));
  const meanS = gaps.reduce((sum, gap) => sum + gap, 0) / Math.max(1, gaps.length);
  return { ...policy, cut: 1 - whole.length / Math.max(1, judged.length), meanS };
}
