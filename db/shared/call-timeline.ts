// The timeline of a call: the stages between the caller's last sound and the agent's first, and the interruptions. The
// engine writes it, the API shows it. Times are ms on the call's clock (0 = answer), as things happened on the line.

/** One answered turn. A stage is null where the reply did not pass it: a fixed text asks no model. */
export interface TurnTiming {
  /** The caller's last sound arrived. */
  speechEndAtMs: number;
  /** The recogniser's final text came; null where a partial text had to do. */
  recognisedAtMs: number | null;
  /** The reply was asked for, perhaps before the turn was known to be over. */
  askedAtMs: number | null;
  /** The silence became the end of the turn. */
  turnEndAtMs: number | null;
  firstTokenAtMs: number | null;
  /** The first clause was handed to speech synthesis. */
  firstClauseAtMs: number | null;
  firstAudioAtMs: number | null;
  /** The first packet of the reply was sent. */
  firstPacketAtMs: number;
  /** The reply was prepared before the end of the turn. */
  guessed: boolean;
  /** Last sound to first: by the recording where it shows both, else to the first packet. */
  gapMs: number;
  measuredOn: 'line' | 'recording';
  /** By how much the gap is shorter in the recording, which has the caller's sound behind the jitter buffer. */
  unrecordedMs: number;
}

/** The caller took the floor from the speaking agent. */
export interface BargeInTiming {
  onsetAtMs: number;
  /** The first packet with a lower voice, or with none. */
  yieldingAtMs: number;
  /** The first silent packet. */
  silentAtMs: number;
  /** Onset to silence. */
  yieldMs: number;
  measuredOn: 'line' | 'recording';
  unrecordedMs: number;
}

/** What the dialogue had done by one of its tools. */
export interface ToolCallTiming {
  startedAtMs: number;
  tookMs: number;
  name: string;
  /** As the model gave them. */
  arguments: unknown;
  /** What the model was told. */
  result: unknown;
  /** `late`: the conversation went on before the result came. */
  outcome: 'done' | 'refused' | 'late';
}

/** From and to, ms. */
export type SpeechSpan = [fromMs: number, toMs: number];

export interface CallTimeline {
  turns: TurnTiming[];
  bargeIns: BargeInTiming[];
  /** Missing where an earlier release wrote the timeline. */
  toolCalls?: ToolCallTiming[];
  /** When each side spoke, by the recording; null without one. */
  speech: { caller: SpeechSpan[]; agent: SpeechSpan[] } | null;
}

/** Turns, interruptions, and tool calls, that a call's timeline keeps: its first ones. */
export const TIMELINE_MAX = 500;

export const TURN_STAGES = ['recogniser', 'turn-end', 'model', 'clause', 'synthesis', 'wire'] as const;
export type TurnStage = (typeof TURN_STAGES)[number];

/** How long each stage took by itself. Some run at the same time, so they do not add up to the gap. */
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
  // A stage may come before the one it follows as a rule: words that fill a wait are spoken before the model's first.
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
