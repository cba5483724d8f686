// Who answered an outbound call: a person, a machine (with or without a beep), a screening or menu, or nobody can tell.
// Pure: speech, words and beeps come in as events with times, verdicts go out as effects. A short greeting counts as a
// person's at once, so that a person never waits; what follows may still revise it.

import { unreachable } from '../unexpected.ts';
import { hintIn, wordCount } from './hints.ts';

/** `machine` is one without a beep, or of which none was heard yet. */
export type AmdVerdict = 'human' | 'machine-beep' | 'machine' | 'screening' | 'uncertain';

export interface AmdConfig {
  /** Nothing said at all: nobody can tell, and the agent should begin. */
  initialSilenceMs: number;
  /** Sound that the VAD takes for speech, but no word is so short. */
  shortestSpeechMs: number;
  /** A greeting up to this long, then silence, is a person's. */
  shortGreetingMs: number;
  /** Silence after a short greeting that makes it one. */
  shortSilenceMs: number;
  /** A greeting up to this long without the words of a machine is a person's too (a business answering). */
  longGreetingMs: number;
  longSilenceMs: number;
  /** So many words before the first pause are a recording. */
  machineWords: number;
  /** When nothing else decided. */
  decideWithinMs: number;
  /** After a verdict of human or uncertain, so long may it be revised by words, a beep or endless talk. */
  reviseWithinMs: number;
  /** Voice that goes on after the verdict, which no person keeps up against an agent who speaks. */
  endlessVoiceMs: number;
  /** A longer pause in it, and it is a person's who answers the agent. */
  endlessGapMs: number;
  /** Longest wait for the beep after a machine was recognised. */
  beepWithinMs: number;
  /** Silence after a machine's greeting that stands for a beep. */
  beepSilenceMs: number;
}

/**
 * Asterisk's AMD decides at 1,500 ms of greeting and 800 ms of silence; jambonz at 9 words and by phrases. Here a person
 * may take longer where no words speak against it: who answers for a business names it, themselves and a question, in up
 * to 5 s, and to hang up on them is the worst mistake there is. Silence counts from the
 * last loud frame, and these answer a person 300 ms after the greeting at the latest.
 */
export const DEFAULT_AMD: AmdConfig = {
  initialSilenceMs: 2_500,
  shortestSpeechMs: 120,
  shortGreetingMs: 1_500,
  shortSilenceMs: 230,
  longGreetingMs: 5_000,
  longSilenceMs: 250,
  machineWords: 9,
  decideWithinMs: 7_500,
  reviseWithinMs: 15_000,
  endlessVoiceMs: 4_000,
  endlessGapMs: 1_200,
  beepWithinMs: 20_000,
  beepSilenceMs: 3_000,
};

/** Times in ms on the call's clock. `nowMs` never runs backwards. */
export type AmdEvent =
  | { type: 'answered'; nowMs: number }
  | { type: 'speech-started'; nowMs: number; speechAtMs: number }
  | { type: 'speech-stopped'; nowMs: number; lastSpeechAtMs: number }
  /** Everything recognised so far, partial or final. */
  | { type: 'words'; nowMs: number; text: string }
  | { type: 'beep'; nowMs: number; endAtMs: number }
  /** At `amdDeadline(state)` or more often. */
  | { type: 'tick'; nowMs: number };

export type AmdEffect =
  | { type: 'verdict'; verdict: AmdVerdict; atMs: number; isRevision: boolean; reason: AmdReason }
  /** A message may be left now: after the beep, or after the silence that stands for one. */
  | { type: 'message-may-start'; atMs: number; afterBeep: boolean };

export type AmdReason =
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

interface Heard {
  answeredAtMs: number;
  firstSpeechAtMs: number | null;
  /** Null while nobody speaks. */
  speakingSinceMs: number | null;
  lastSpeechAtMs: number;
  /** Voice of the stretches that ended. */
  voicedMs: number;
  text: string;
}

export type AmdState =
  | { phase: 'waiting' }
  | { phase: 'listening'; heard: Heard }
  /** The agent speaks; the verdict may still turn. */
  | {
      phase: 'provisional';
      heard: Heard;
      verdict: AmdVerdict;
      atMs: number;
      untilMs: number;
      voicedAtVerdictMs: number;
      /** Whoever talks has not paused since the verdict. */
      isEndless: boolean;
    }
  | { phase: 'awaiting-beep'; heard: Heard; untilMs: number }
  | { phase: 'done' };

export const AMD_WAITING: AmdState = { phase: 'waiting' };

export function stepAmd(state: AmdState, event: AmdEvent, config: AmdConfig = DEFAULT_AMD): [AmdState, AmdEffect[]] {
  switch (state.phase) {
    case 'waiting':
      return event.type === 'answered' ? [{ phase: 'listening', heard: silent(event.nowMs) }, []] : [state, []];
    case 'listening':
      return judge({ ...state, heard: hear(state.heard, event, config) }, event, config);
    case 'provisional':
      return revise(
        { ...state, heard: hear(state.heard, event, config), isEndless: goesOn(state, event, config) },
        event,
        config,
      );
    case 'awaiting-beep':
      return awaitBeep({ ...state, heard: hear(state.heard, event, config) }, event, config);
    case 'done':
      return [state, []];
    default:
      return unreachable(state);
  }
}

/** When a `tick` may change something, null when only other events can. */
export function amdDeadline(state: AmdState, config: AmdConfig = DEFAULT_AMD): number | null {
  switch (state.phase) {
    case 'listening': {
      const { heard } = state;
      const decideAtMs = heard.answeredAtMs + config.decideWithinMs;
      if (heard.firstSpeechAtMs === null) return heard.answeredAtMs + config.initialSilenceMs;
      if (heard.speakingSinceMs !== null) return Math.min(decideAtMs, heard.firstSpeechAtMs + config.longGreetingMs);
      const greetingMs = heard.lastSpeechAtMs - heard.firstSpeechAtMs;
      const silenceMs = greetingMs <= config.shortGreetingMs ? config.shortSilenceMs : config.longSilenceMs;
      return Math.min(decideAtMs, heard.lastSpeechAtMs + silenceMs);
    }
    case 'provisional': {
      const { speakingSinceMs, voicedMs } = state.heard;
      if (speakingSinceMs === null || !state.isEndless) return state.untilMs;
      const leftMs = config.endlessVoiceMs - (voicedMs - state.voicedAtVerdictMs);
      return Math.min(state.untilMs, speakingSinceMs + leftMs);
    }
    case 'awaiting-beep':
      return state.heard.speakingSinceMs === null
        ? Math.min(state.untilMs, state.heard.lastSpeechAtMs + config.beepSilenceMs)
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

function hear(heard: Heard, event: AmdEvent, config: AmdConfig): Heard {
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
      if (voicedMs < config.shortestSpeechMs) return { ...heard, firstSpeechAtMs: null, speakingSinceMs: null };
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

function judge(state: Listening, event: AmdEvent, config: AmdConfig): [AmdState, AmdEffect[]] {
  const { heard } = state;
  const { nowMs } = event;
  if (event.type === 'beep') return beeped(nowMs, event.endAtMs, false);
  const hint = hintIn(heard.text);
  if (hint === 'screening') return screened(nowMs, false);
  if (hint === 'machine') return machine(heard, nowMs, false, 'machine-words', config);
  if (heard.firstSpeechAtMs === null) {
    const isLate = nowMs - heard.answeredAtMs >= config.initialSilenceMs;
    return isLate ? provisional(heard, 'uncertain', 'silence', nowMs, config) : [state, []];
  }
  if (hint === null && wordCount(heard.text) >= config.machineWords)
    return machine(heard, nowMs, false, 'many-words', config);
  if (heard.speakingSinceMs !== null) {
    if (nowMs - heard.firstSpeechAtMs >= config.longGreetingMs)
      return machine(heard, nowMs, false, 'long-greeting', config);
  } else {
    const greetingMs = heard.lastSpeechAtMs - heard.firstSpeechAtMs;
    const silenceMs = nowMs - heard.lastSpeechAtMs;
    if (greetingMs <= config.shortGreetingMs && silenceMs >= config.shortSilenceMs)
      return provisional(heard, 'human', 'short-greeting', nowMs, config);
    if (greetingMs > config.longGreetingMs) return machine(heard, nowMs, false, 'long-greeting', config);
    if (greetingMs > config.shortGreetingMs && silenceMs >= config.longSilenceMs)
      return provisional(heard, 'human', 'greeting-then-silence', nowMs, config);
  }
  const isLate = nowMs - heard.answeredAtMs >= config.decideWithinMs;
  return isLate ? provisional(heard, 'uncertain', 'time', nowMs, config) : [state, []];
}

/** A recording talks on whatever the agent says; a person waits, and answers. */
function goesOn(state: Provisional, event: AmdEvent, config: AmdConfig): boolean {
  if (!state.isEndless || event.type !== 'speech-started') return state.isEndless;
  return event.speechAtMs - Math.max(state.atMs, state.heard.lastSpeechAtMs) <= config.endlessGapMs;
}

function revise(state: Provisional, event: AmdEvent, config: AmdConfig): [AmdState, AmdEffect[]] {
  const { heard } = state;
  const { nowMs } = event;
  if (event.type === 'beep') return beeped(nowMs, event.endAtMs, true);
  const hint = hintIn(heard.text);
  if (hint === 'screening') return screened(nowMs, true);
  if (hint === 'machine') return machine(heard, nowMs, true, 'machine-words', config);
  const running = heard.speakingSinceMs === null ? 0 : nowMs - heard.speakingSinceMs;
  if (state.isEndless && heard.voicedMs + running - state.voicedAtVerdictMs >= config.endlessVoiceMs)
    return machine(heard, nowMs, true, 'endless-voice', config);
  return nowMs >= state.untilMs ? [{ phase: 'done' }, []] : [state, []];
}

function awaitBeep(state: AwaitingBeep, event: AmdEvent, config: AmdConfig): [AmdState, AmdEffect[]] {
  const { heard } = state;
  const { nowMs } = event;
  if (event.type === 'beep') return beeped(nowMs, event.endAtMs, true);
  if (hintIn(heard.text) === 'screening') return screened(nowMs, true);
  const isSilent = heard.speakingSinceMs === null && nowMs - heard.lastSpeechAtMs >= config.beepSilenceMs;
  if (!isSilent && nowMs < state.untilMs) return [state, []];
  return [{ phase: 'done' }, [{ type: 'message-may-start', atMs: nowMs, afterBeep: false }]];
}

function provisional(
  heard: Heard,
  verdict: 'human' | 'uncertain',
  reason: AmdReason,
  nowMs: number,
  config: AmdConfig,
): [AmdState, AmdEffect[]] {
  const untilMs = nowMs + config.reviseWithinMs;
  return [
    { phase: 'provisional', heard, verdict, atMs: nowMs, untilMs, voicedAtVerdictMs: heard.voicedMs, isEndless: true },
    [{ type: 'verdict', verdict, atMs: nowMs, isRevision: false, reason }],
  ];
}

function machine(
  heard: Heard,
  nowMs: number,
  isRevision: boolean,
  reason: AmdReason,
  config: AmdConfig,
): [AmdState, AmdEffect[]] {
  return [
    { phase: 'awaiting-beep', heard, untilMs: nowMs + config.beepWithinMs },
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
