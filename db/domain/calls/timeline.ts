// The timeline of a call: the stages between the caller's last sound and the agent's first, and the interruptions. The
// engine writes it, the API shows it. Times are ms on the call's clock (0 = answer), as observed on the line.

import type { TransferMode, TransferResult } from '../numbers/transfer-destinations.ts';
import type { LanguageCause } from './languages.ts';

/** One answered turn. A stage is null if the reply did not pass it: a fixed text needs no model. */
export interface TurnTiming {
  /** The caller's last sound arrived. */
  speechEndAtMs: number;
  /** The recogniser's final text arrived; null if a partial text was used. */
  recognisedAtMs: number | null;
  /** The reply was requested, perhaps before the end of the turn was certain. */
  askedAtMs: number | null;
  /** The silence became the end of the turn. */
  turnEndAtMs: number | null;
  firstTokenAtMs: number | null;
  /** The first clause was passed to speech synthesis. */
  firstClauseAtMs: number | null;
  firstAudioAtMs: number | null;
  /** The first packet of the reply was sent. */
  firstPacketAtMs: number;
  /** The reply was prepared before the end of the turn. */
  guessed: boolean;
  /** From the caller's last sound to the agent's first: by the recording if it shows both, else to the first packet. */
  gapMs: number;
  measuredOn: 'line' | 'recording';
  /** Difference by which the recording's gap is shorter: it has the caller's sound after the jitter buffer. */
  unrecordedMs: number;
}

/** The caller took the floor from the speaking agent. */
export interface BargeInTiming {
  onsetAtMs: number;
  /** The first packet with a lower volume or silence. */
  yieldingAtMs: number;
  /** The first silent packet. */
  silentAtMs: number;
  /** Onset to silence. */
  yieldMs: number;
  measuredOn: 'line' | 'recording';
  unrecordedMs: number;
}

/** One tool call of the dialogue. */
export interface ToolCallTiming {
  startedAtMs: number;
  tookMs: number;
  name: string;
  /** As given by the model. */
  arguments: unknown;
  /** The result for the model. */
  result: unknown;
  /** `late`: the conversation continued before the result arrived; `unanswered`: none arrived before the end. */
  outcome: 'done' | 'refused' | 'late' | 'unanswered';
}

/** A passage of the business's documents that a reply was made from. */
export interface SourceUse {
  /** The caller's words became a turn. */
  atMs: number;
  documentId: string;
  /** The document's. */
  name: string;
  heading: string;
  passage: string;
}

export interface TransferTry {
  destination: string;
  mode: TransferMode;
  startedAtMs: number;
  /** Until the result. */
  tookMs: number;
  /** The person's line was answered; null: it was not. */
  answeredAtMs: number | null;
  result: TransferResult;
}

/** The call went on in another language, or was to. */
export interface LanguageChange {
  atMs: number;
  /** BCP 47. */
  from: string;
  to: string;
  by: LanguageCause;
  /** Where it is not `changed`, the call went on in the language before. */
  outcome: 'changed' | 'no_voice' | 'no_recogniser';
}

export const RESUME_CAUSES = ['crash', 'upgrade', 'moved'] as const;

/** Another process went on with the call. */
export interface Resumption {
  /** The line was back; 0 in a call that rang, which nobody heard. */
  atMs: number;
  /** How long the caller had heard nothing before, or nobody had the call. */
  gapMs: number;
  /** The engine died, made room for a new release, or was lost with its machine. */
  cause: (typeof RESUME_CAUSES)[number];
}

/** From and to, ms. */
export type SpeechSpan = [fromMs: number, toMs: number];

export interface CallTimeline {
  turns: TurnTiming[];
  bargeIns: BargeInTiming[];
  /** Missing in timelines of earlier releases. */
  toolCalls?: ToolCallTiming[];
  sources?: SourceUse[];
  transfers?: TransferTry[];
  languageChanges?: LanguageChange[];
  resumptions?: Resumption[];
  /** The speech of each side, by the recording; null without one. */
  speech: { caller: SpeechSpan[]; agent: SpeechSpan[] } | null;
}

/** A call's timeline keeps this many first turns, interruptions and tool calls. */
export const TIMELINE_MAX = 500;

export const TURN_STAGES = ['recogniser', 'turn-end', 'model', 'clause', 'synthesis', 'wire'] as const;
export type TurnStage = (typeof TURN_STAGES)[number];

/** The duration of each stage. Some run at the same time, so their sum is not the gap. */
export function stageDurations(turn: TurnTiming): Array<[stage: TurnStage, ms: number]> {
  const { speechEndAtMs, recognisedAtMs, askedAtMs, turnEndAtMs, firstTokenAtMs, firstClauseAtMs } = turn;
  const { firstAudioAtMs, firstPacketAtMs } = turn;
  const readyAtMs = firstAudioAtMs === null ? null : Math.max(firstAudioAtMs, turnEndAtMs ?? 0);
  const spans: Array<[TurnStage, number | null, number | null]> = [
    ['recogniser', speechEndAtMs, recognisedAtMs],
    ['turn-end', speechEndAtMs, turnEndAtMs],
    ['model', askedAtMs, firstTokenAtMs],
    ['clause', firstTokenAtMs, firstClauseAtMs],
    ['synthesis', firstClauseAtMs, firstAudioAtMs],
    ['wire', readyAtMs, firstPacketAtMs],
  ];
  // A stage may precede its usual predecessor: waiting words are spoken before the model's first word.
  return spans.flatMap(
    ([stage, from, to]): Array<[TurnStage, number]> =>
      from === null || to === null || to < from ? [] : [[stage, to - from]],
  );
}

/** The gap as consecutive parts, each named by the stage that ended it. */
export function gapParts(turn: TurnTiming): Array<{ stage: TurnStage; fromMs: number; toMs: number }> {
  const ends: Array<[TurnStage, number | null]> = [
    ['recogniser', turn.recognisedAtMs],
    ['model', turn.firstTokenAtMs],
    ['clause', turn.firstClauseAtMs],
    ['synthesis', turn.firstAudioAtMs],
    ['turn-end', turn.turnEndAtMs],
    ['wire', turn.firstPacketAtMs],
  ];
  const reached = ends.filter((end): end is [TurnStage, number] => end[1] !== null).sort((a, b) => a[1] - b[1]);
  let fromMs = turn.speechEndAtMs;
  return reached.flatMap(([stage, atMs]) => {
    const toMs = Math.min(atMs, turn.firstPacketAtMs);
    if (toMs <= fromMs) return [];
    const part = { stage, fromMs, toMs };
    fromMs = toMs;
    return [part];
  });
}
