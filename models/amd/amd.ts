// Answering-machine detection: decides whether a person, a machine (with or without a beep), or a screening service or
// menu answered an outbound call, or that it is uncertain. Pure: speech, words and beeps come in as timed events,
// verdicts go out as effects. A short greeting counts as a person's at once, so that a person never waits; later events
// may revise the verdict.

import { unreachable } from '../../db/domain/unexpected.ts';
import { hintIn, wordCount } from './hints.ts';

/** `machine` has no beep, or none was heard yet. */
export type AmdVerdict = 'human' | 'machine-beep' | 'machine' | 'screening' | 'uncertain';

/**
 * Asterisk's AMD decides at 1,500 ms of greeting and 800 ms of silence; jambonz at 9 words and by phrases. Here a
 * person may take longer unless words speak against it: someone who answers for a business names it, themselves and a
 * question, in up to 5 s, and hanging up on them is the worst mistake there is. Silence counts from the last loud
 * frame, so a person is answered at most 300 ms after the greeting.
 */
export const AMD = {
  /** Nothing was said at all for this long: the verdict is uncertain, and the agent should begin. */
  initialSilenceMs: 2_500,
  /** A shorter sound is not a word, even if the VAD reports speech. */
  shortestSpeechMs: 120,
  /** A greeting up to this long, followed by silence, is a person's. */
  shortGreetingMs: 1_500,
  /** The silence that ends a short greeting. */
  shortSilenceMs: 230,
  /** A greeting up to this long without a machine's words is also a person's: somebody answering for a business. */
  longGreetingMs: 5_000,
  /** The silence that ends a long greeting. */
  longSilenceMs: 250,
  /** This many words before the first pause are a recording. */
  machineWords: 9,
  /** Without a decision after this time, the verdict is uncertain. */
  decideWithinMs: 7_500,
  /** For this long after a verdict of human or uncertain, words, a beep or endless talk may still revise it. */
  reviseWithinMs: 15_000,
  /** Voice that continues this long after the verdict is a recording: no person talks that long over the agent. */
  endlessVoiceMs: 4_000,
  /** A longer pause in this voice means that a person is answering the agent. */
  endlessGapMs: 1_200,
  /** Longest wait for the beep after a machine was recognised. */
  beepWithinMs: 20_000,
  /** Silence after a machine's greeting that stands for a beep. */
  beepSilenceMs: 3_000,
} as const;

/** Times in ms on the call's clock. `nowMs` never runs backwards. */
export type AmdEvent =
  | { type: 'answered'; nowMs: number }
  | { type: 'speech-started'; nowMs: number; speechAtMs: number }
  | { type: 'speech-stopped'; nowMs: number; lastSpeechAtMs: number }
  /** Everything recognised so far. */
  | { type: 'words'; nowMs: number; text: string }
  | { type: 'beep'; nowMs: number; endAtMs: number }
  /** To be sent at `amdDeadline(state)`, or more often. */
  | { type: 'tick'; nowMs: number };

export type AmdEffect =
  | { type: 'verdict'; verdict: AmdVerdict; atMs: number; isRevision: boolean; reason: AmdReason }
  /** A message may be left now, after the beep or the silence that stands for one. */
  | { type: 'message-may-start'; atMs: number; afterBeep: boolean };

type AmdReason =
  | 'short-greeting'
  | 'greeting-then-silence'
  | 'long-greeting'
  | 'many-words'
  | 'machine-words'
  | 'screening-words'
  | 'beep'
  | 'silence'
  | 'time'
  | 'endless-voice';

/** The callee's speech. All times are on the call's clock. */
interface Heard {
  answeredAtMs: number;
  /** Start of the greeting; null before any speech. */
  firstSpeechAtMs: number | null;
  /** Start of the current speech; null in silence. */
  speakingSinceMs: number | null;
  /** End of the last speech; before any, the answer. */
  lastSpeechAtMs: number;
  /** Duration of all speech that has ended. */
  voicedMs: number;
  text: string;
}

export type AmdState =
  /** Before the answer. */
  | { phase: 'waiting' }
  /** Before the first verdict. */
  | { phase: 'listening'; heard: Heard }
  /** Human or uncertain: the agent speaks, and the verdict may still be revised until `untilMs`. */
  | {
      phase: 'provisional';
      heard: Heard;
      atMs: number;
      untilMs: number;
      voicedAtVerdictMs: number;
      /** The callee has not paused since the verdict. */
      isEndless: boolean;
    }
  /** A machine: the beep is awaited until `untilMs`. */
  | { phase: 'awaiting-beep'; heard: Heard; untilMs: number }
  /** No further verdict. */
  | { phase: 'done' };

export const AMD_WAITING: AmdState = { phase: 'waiting' };

/** One step of the detection: the next state, and the verdicts that follow from `event`. Pure. */
export function stepAmd(state: AmdState, event: AmdEvent): [AmdState, AmdEffect[]] {
  switch (state.phase) {
    case 'waiting':
      return event.type === 'answered' ? [{ phase: 'listening', heard: silent(event.nowMs) }, []] : [state, []];
    case 'listening':
      return judge({ ...state, heard: hear(state.heard, event) }, event);
    case 'provisional':
      return revise({ ...state, heard: hear(state.heard, event), isEndless: goesOn(state, event) }, event);
    case 'awaiting-beep':
      return awaitBeep({ ...state, heard: hear(state.heard, event) }, event);
    case 'done':
      return [state, []];
    default:
      return unreachable(state);
  }
}

/** When a `tick` may change something, ms on the call's clock; null when only other events can. */
export function amdDeadline(state: AmdState): number | null {
  switch (state.phase) {
    case 'listening': {
      const { heard } = state;
      const decideAtMs = heard.answeredAtMs + AMD.decideWithinMs;
      if (heard.firstSpeechAtMs === null) return heard.answeredAtMs + AMD.initialSilenceMs;
      if (heard.speakingSinceMs !== null) return Math.min(decideAtMs, heard.firstSpeechAtMs + AMD.longGreetingMs);
      const greetingMs = heard.lastSpeechAtMs - heard.firstSpeechAtMs;
      const silenceMs = greetingMs <= AMD.shortGreetingMs ? AMD.shortSilenceMs : AMD.longSilenceMs;
      return Math.min(decideAtMs, heard.lastSpeechAtMs + silenceMs);
    }
    case 'provisional': {
      const { speakingSinceMs, voicedMs } = state.heard;
      if (speakingSinceMs === null || !state.isEndless) return state.untilMs;
      const leftMs = AMD.endlessVoiceMs - (voicedMs - state.voicedAtVerdictMs);
      return Math.min(state.untilMs, speakingSinceMs + leftMs);
    }
    case 'awaiting-beep':
      return state.heard.speakingSinceMs === null
        ? Math.min(state.untilMs, state.heard.lastSpeechAtMs + AMD.beepSilenceMs)
        : state.untilMs;
    case 'waiting':
    case 'done':
      return null;
    default:
      return unreachable(state);
  }
}

function silent(nowMs: number): Heard {
  return {
    answeredAtMs: nowMs,
    firstSpeechAtMs: null,
    speakingSinceMs: null,
    lastSpeechAtMs: nowMs,
    voicedMs: 0,
    text: '',
  };
}

function hear(heard: Heard, event: AmdEvent): Heard {
  switch (event.type) {
    case 'speech-started':
      return {
        ...heard,
        firstSpeechAtMs: heard.firstSpeechAtMs ?? event.speechAtMs,
        speakingSinceMs: heard.speakingSinceMs ?? event.speechAtMs,
      };
    case 'speech-stopped': {
      if (heard.speakingSinceMs === null) return heard;
      const voicedMs = heard.voicedMs + Math.max(0, event.lastSpeechAtMs - heard.speakingSinceMs);
      if (voicedMs < AMD.shortestSpeechMs) return { ...heard, firstSpeechAtMs: null, speakingSinceMs: null };
      return { ...heard, speakingSinceMs: null, lastSpeechAtMs: event.lastSpeechAtMs, voicedMs };
    }
    case 'words':
      return { ...heard, text: event.text };
    case 'answered':
    case 'beep':
    case 'tick':
      return heard;
    default:
      return unreachable(event);
  }
}

type Listening = Extract<AmdState, { phase: 'listening' }>;
type Provisional = Extract<AmdState, { phase: 'provisional' }>;
type AwaitingBeep = Extract<AmdState, { phase: 'awaiting-beep' }>;

function judge(state: Listening, event: AmdEvent): [AmdState, AmdEffect[]] {
  const { heard } = state;
  const { nowMs } = event;
  if (event.type === 'beep') return beeped(nowMs, event.endAtMs, false);
  const hint = hintIn(heard.text);
  if (hint === 'screening') return screened(nowMs, false);
  if (hint === 'machine') return machine(heard, nowMs, false, 'machine-words');
  if (heard.firstSpeechAtMs === null) {
    const isLate = nowMs - heard.answeredAtMs >= AMD.initialSilenceMs;
    return isLate ? provisional(heard, 'uncertain', 'silence', nowMs) : [state, []];
  }
  if (hint === null && wordCount(heard.text) >= AMD.machineWords) return machine(heard, nowMs, false, 'many-words');
  if (heard.speakingSinceMs !== null) {
    if (nowMs - heard.firstSpeechAtMs >= AMD.longGreetingMs) return machine(heard, nowMs, false, 'long-greeting');
  } else {
    const greetingMs = heard.lastSpeechAtMs - heard.firstSpeechAtMs;
    const silenceMs = nowMs - heard.lastSpeechAtMs;
    if (greetingMs <= AMD.shortGreetingMs && silenceMs >= AMD.shortSilenceMs)
      return provisional(heard, 'human', 'short-greeting', nowMs);
    if (greetingMs > AMD.longGreetingMs) return machine(heard, nowMs, false, 'long-greeting');
    if (greetingMs > AMD.shortGreetingMs && silenceMs >= AMD.longSilenceMs)
      return provisional(heard, 'human', 'greeting-then-silence', nowMs);
  }
  const isLate = nowMs - heard.answeredAtMs >= AMD.decideWithinMs;
  return isLate ? provisional(heard, 'uncertain', 'time', nowMs) : [state, []];
}

/**
 * Whether the callee still talks without a pause: a recording ignores the agent, a person waits and answers.
 */
function goesOn(state: Provisional, event: AmdEvent): boolean {
  if (!state.isEndless || event.type !== 'speech-started') return state.isEndless;
  return event.speechAtMs - Math.max(state.atMs, state.heard.lastSpeechAtMs) <= AMD.endlessGapMs;
}

function revise(state: Provisional, event: AmdEvent): [AmdState, AmdEffect[]] {
  const { heard } = state;
  const { nowMs } = event;
  if (event.type === 'beep') return beeped(nowMs, event.endAtMs, true);
  const hint = hintIn(heard.text);
  if (hint === 'screening') return screened(nowMs, true);
  if (hint === 'machine') return machine(heard, nowMs, true, 'machine-words');
  const running = heard.speakingSinceMs === null ? 0 : nowMs - heard.speakingSinceMs;
  if (state.isEndless && heard.voicedMs + running - state.voicedAtVerdictMs >= AMD.endlessVoiceMs)
    return machine(heard, nowMs, true, 'endless-voice');
  return nowMs >= state.untilMs ? [{ phase: 'done' }, []] : [state, []];
}

function awaitBeep(state: AwaitingBeep, event: AmdEvent): [AmdState, AmdEffect[]] {
  const { heard } = state;
  const { nowMs } = event;
  if (event.type === 'beep') return beeped(nowMs, event.endAtMs, true);
  if (hintIn(heard.text) === 'screening') return screened(nowMs, true);
  const isSilent = heard.speakingSinceMs === null && nowMs - heard.lastSpeechAtMs >= AMD.beepSilenceMs;
  if (!isSilent && nowMs < state.untilMs) return [state, []];
  return [{ phase: 'done' }, [{ type: 'message-may-start', atMs: nowMs, afterBeep: false }]];
}

function provisional(
  heard: Heard,
  verdict: 'human' | 'uncertain',
  reason: AmdReason,
  nowMs: number,
): [AmdState, AmdEffect[]] {
  const untilMs = nowMs + AMD.reviseWithinMs;
  return [
    { phase: 'provisional', heard, atMs: nowMs, untilMs, voicedAtVerdictMs: heard.voicedMs, isEndless: true },
    [{ type: 'verdict', verdict, atMs: nowMs, isRevision: false, reason }],
  ];
}

function machine(heard: Heard, nowMs: number, isRevision: boolean, reason: AmdReason): [AmdState, AmdEffect[]] {
  return [
    { phase: 'awaiting-beep', heard, untilMs: nowMs + AMD.beepWithinMs },
    [{ type: 'verdict', verdict: 'machine', atMs: nowMs, isRevision, reason }],
  ];
}

function screened(nowMs: number, isRevision: boolean): [AmdState, AmdEffect[]] {
  return [
    { phase: 'done' },
    [{ type: 'verdict', verdict: 'screening', atMs: nowMs, isRevision, reason: 'screening-words' }],
  ];
}

function beeped(nowMs: number, endAtMs: number, isRevision: boolean): [AmdState, AmdEffect[]] {
  return [
    { phase: 'done' },
    [
      { type: 'verdict', verdict: 'machine-beep', atMs: nowMs, isRevision, reason: 'beep' },
      { type: 'message-may-start', atMs: Math.max(nowMs, endAtMs), afterBeep: true },
    ],
  ];
}
