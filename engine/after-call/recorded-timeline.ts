// Corrects a call's timeline from its recording, which also shows where the agent's voice begins within the first
// packets. A gap or barge-in that is not found in the recording keeps its live figure.
import type { BargeInTiming, CallTimeline, SpeechSpan, TurnTiming } from '../../db/domain/calls/timeline.ts';
import { gapsBetween, type ResponseGap, type Span, type Yield, yieldsBetween } from '../../media/response-gaps.ts';

/** The voice begins at most this long after the first packet: synthesis puts silence or a breath before it. */
const VOICE_WITHIN_MS = 1_500;
/** Packets and frames of the recording are 20 ms, and a late tick shifts them. */
const EARLIER_MS = 60;
/** Largest difference between two measured ends of the same speech; a larger one means noise on the line. */
const SAME_SPEECH_MS = 400;
/** Bounds the stored spans of each side. */
const SPANS_MAX = 1_000;
/** Sounds closer than this are merged into one span. */
const PAUSE_MS = 300;

export interface RecordedSpeech {
  caller: Span[];
  agent: Span[];
}

export function recordedTimeline(timeline: CallTimeline, { caller, agent }: RecordedSpeech): CallTimeline {
  const gaps = gapsBetween(caller, agent);
  const yields = yieldsBetween(caller, agent);
  return {
    ...timeline,
    turns: timeline.turns.map((turn) => withGap(turn, gaps)),
    bargeIns: timeline.bargeIns.map((bargeIn) => withYield(bargeIn, yields)),
    speech: { caller: joined(caller), agent: joined(agent) },
  };
}

function withGap(turn: TurnTiming, gaps: readonly ResponseGap[]): TurnTiming {
  const gap = gaps.find(
    ({ speechEndMs, soundMs }) =>
      soundMs >= turn.firstPacketAtMs - EARLIER_MS &&
      soundMs <= turn.firstPacketAtMs + VOICE_WITHIN_MS &&
      Math.abs(speechEndMs - turn.speechEndAtMs - turn.unrecordedMs) <= SAME_SPEECH_MS,
  );
  if (!gap) return turn;
  return { ...turn, gapMs: Math.max(0, Math.round(gap.gapMs + turn.unrecordedMs)), measuredOn: 'recording' };
}

function withYield(bargeIn: BargeInTiming, yields: readonly Yield[]): BargeInTiming {
  const seen = yields.find(
    ({ onsetMs, silentMs }) =>
      Math.abs(onsetMs - bargeIn.onsetAtMs - bargeIn.unrecordedMs) <= SAME_SPEECH_MS &&
      Math.abs(silentMs - bargeIn.silentAtMs) <= SAME_SPEECH_MS,
  );
  if (!seen) return bargeIn;
  const yieldMs = Math.max(0, Math.round(seen.yieldMs + bargeIn.unrecordedMs));
  return { ...bargeIn, yieldMs, measuredOn: 'recording' };
}

function joined(spans: readonly Span[]): SpeechSpan[] {
  const wide: SpeechSpan[] = [];
  for (const [fromMs, toMs] of spans) {
    const last = wide.at(-1);
    if (last && fromMs - last[1] < PAUSE_MS) last[1] = toMs;
    else wide.push([fromMs, toMs]);
  }
  return wide.slice(0, SPANS_MAX);
}
