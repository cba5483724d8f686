// Which lines of a transcript are answers, and how long the caller waited for each.
import type { TranscriptEntry } from '../api-types.ts';
import type { TurnTiming } from './moments.ts';

/** A longer wait is noticed; twice as long, people ask whether anybody is there. */
export const SLOW_MS = 1_000;

/** A line is written while its answer is made, or a little after its first packet on a busy machine. */
const BEFORE_MS = 300;
const AFTER_MS = 1_000;

type GapTone = 'quick' | 'slow' | 'late';
export const toneOfGap = (gapMs: number): GapTone =>
  gapMs <= SLOW_MS ? 'quick' : gapMs <= 2 * SLOW_MS ? 'slow' : 'late';

/** By the index of the agent's line. Turns and lines are in the order of the call. */
export function answersOf(
  transcript: readonly TranscriptEntry[],
  turns: readonly TurnTiming[],
): ReadonlyMap<number, TurnTiming> {
  const answers = new Map<number, TurnTiming>();
  let from = 0;
  for (const turn of turns) {
    const isAnswer = ({ speaker, timestamp }: TranscriptEntry) =>
      speaker === 'agent' &&
      timestamp >= turn.speechEndAtMs - BEFORE_MS &&
      timestamp <= turn.firstPacketAtMs + AFTER_MS;
    const index = transcript.findIndex((entry, at) => at >= from && isAnswer(entry));
    if (index < 0) continue;
    answers.set(index, turn);
    from = index + 1;
  }
  return answers;
}
