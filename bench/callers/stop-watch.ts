// The trivial rival of every way to end turns: a fixed silence. What it would have cut is computed on the recordings.
import { type CallerTurn, FRAMES_PER_S } from './recordings.ts';

/** A pause is a cut where the agent would have spoken before the caller goes on: it needs two frames for that. */
const SLACK_S = 0.04;

interface StopWatchPoint {
  silenceS: number;
  /** Share of turns that it cuts. */
  cut: number;
}

/** Share of `turns` cut by an agent that speaks after `silenceS` of silence. */
export function stopWatchCut(turns: readonly CallerTurn[], silenceS: number): number {
  const cut = turns.filter(({ pauses }) =>
    pauses.some(({ from, to }) => (to - from) / FRAMES_PER_S > silenceS + SLACK_S),
  );
  return turns.length === 0 ? 0 : cut.length / turns.length;
}

export function stopWatchCurve(turns: readonly CallerTurn[]): StopWatchPoint[] {
  return Array.from({ length: 37 }, (_, index) => {
    const silenceS = Math.round((0.2 + index * 0.05) * 100) / 100;
    return { silenceS, cut: stopWatchCut(turns, silenceS) };
  });
}
