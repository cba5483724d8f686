// The state of the turn machine, and the small operations that its phases share: arming timers, opening and finishing
// utterances, requesting replies. `Phase` holds the state of one phase, `TurnContext` the state that outlives it.
//
// A `Step` lives for one event. It holds a copy of the context, which the functions below write to, and the effects so
// far. The old state is never changed, so `stepTurn` is pure seen from outside.
import type { Expectation } from '../../models/stt/stt.ts';
import { type InterruptionNeed, interruptionNeed, type Lexicon } from './barge-in.ts';
import type { AgentRequest, ReplyCause, TurnConfig, TurnEffect, TurnEvent, TurnTimer } from './events.ts';
import {
  addSegment,
  type Heard,
  isAsked,
  oldestAsked,
  openSegment,
  startHeard,
  voicedMsOf,
  withSegment,
} from './heard.ts';
import { DIGIT_PAUSE_MS, isWholeEntry, MAX_DIGITS } from './key-entry.ts';
import { mayAsk, repeatedFrom, soundMs, supersede } from './whole-turn.ts';
import { turnWordsFor } from './words/languages.ts';

/** One reply of the agent, from the request to its end, as far as turn-taking depends on it. */
export interface AgentReply {
  epoch: number;
  cause: ReplyCause;
  /** `replyKey` of the caller's text that it answers; null for other causes. */
  key: string | null;
  /** Its first audio lies in the playout queue. */
  audioReady: boolean;
  /** Clauses queued so far, without fillers. */
  clauses: number;
  /** When its first clause must be heard; null before it is committed. */
  deadlineAtMs: number | null;
  /** Its deadline was put off, because only its voice is late. */
  putOff?: true;
  /** No clause will follow. */
  complete: boolean;
  /** It ended in a failure; `complete` is then also true. */
  failed: boolean;
  /** Everything queued so far was sent. */
  drained: boolean;
  /** A clause that may not be interrupted is queued and not yet sent. */
  protected: boolean;
}

/** The beginning of a reply to a turn that may not have been over. */
export interface ReplyStart {
  /** The caller's words that it answers. */
  turn: Heard;
  openedAtMs: number;
  /** It was as good as certain that the turn was over. */
  wasSure: boolean;
}

/** A pause that was interrupted by sound. The machine returns to it if the sound turns out to be a click. */
export interface BrokenPause {
  heard: Heard;
  candidate: AgentReply | null;
  guesses: number;
}

export type Phase =
  /** Before the answer. */
  | { phase: 'waiting' }
  /** Nobody speaks and nothing waits to be said. */
  | { phase: 'listening' }
  /**
   * The caller speaks. `broken`: the pause that this speech broke, while it may still be a click; null once it is
   * speech.
   */
  | { phase: 'hearing'; heard: Heard; broken: BrokenPause | null }
  /**
   * The caller is silent, perhaps at the end of the turn. `candidate`: the reply prepared for the turn, or null;
   * `guesses`: how many were prepared in this pause. `due`: the silence was long enough, only the text is missing.
   * `rest`: the words of a caller who does not stop, since the turn reached its maximum length, else null.
   */
  | { phase: 'pausing'; heard: Heard; candidate: AgentReply | null; guesses: number; due: boolean; rest: Heard | null }
  /**
   * A reply is requested and nothing of it was heard. `turn`: the caller's words that it answers, kept so that more can
   * be joined to them, or null. `overheard`: the caller's words since then, or null.
   */
  | { phase: 'thinking'; reply: AgentReply; turn: Heard | null; overheard: Heard | null }
  /**
   * The agent speaks. `overheard`: the caller's words meanwhile, or null. `start`: how it began to, while that may have
   * been too soon, else null.
   */
  | { phase: 'speaking'; reply: AgentReply; overheard: Heard | null; start: ReplyStart | null }
  /** The agent's volume is lowered, or it is silent (`paused`), until it is clear whether `overheard` interrupts. */
  | { phase: 'doubting'; reply: AgentReply; overheard: Heard; paused: boolean; start: ReplyStart | null }
  /** The call is over; further events change nothing. */
  | { phase: 'ended' };

/** The members of `Phase` with this name. */
export type InPhase<Name extends Phase['phase']> = Extract<Phase, { phase: Name }>;

interface ArmedTimer {
  /** A timer that fires with a different serial is stale. */
  serial: number;
  /** When it fires, on the call's clock. */
  atMs: number;
}

interface TurnContext {
  /** The newest epoch, utterance and timer serial in use. */
  epoch: number;
  utterance: number;
  serial: number;
  timers: Partial<Record<TurnTimer, ArmedTimer>>;
  /** The kind of answer that the dialogue expects next. */
  expects: Expectation;
  /** Number of digits that completes the answer; null if the question does not say. */
  digitCount: number | null;
  /** When the agent speaks first, unless the other side does; null after the opening. */
  openingAtMs: number | null;
  /** The caller asked for patience. */
  isPatient: boolean;
  /** Of this turn: the end of the speech that was acknowledged last, on the call's clock, and the words up to it. */
  acknowledged: { speechEndMs: number; words: number } | null;
  /** Replies withdrawn since the last one was heard; and in this call, each turn forgetting half of them. */
  retractions: number;
  wentOn: number;
  /** False alarms in a row, and the time of the newest. */
  falseAlarms: number;
  falseAlarmAtMs: number;
  /** When packets stopped; null while they arrive. */
  lineLostAtMs: number | null;
  /** When they came again; null before any were lost. */
  lineBackAtMs: number | null;
  /** Silence prompts since the caller was last heard. */
  prompts: number;
  /** Since when neither side has spoken. */
  quietSinceMs: number;
  /** Digits of the entry that is being keyed in. */
  digits: string;
  /** Finished entries that wait for the floor. */
  digitGroups: readonly string[];
  /** Replies that the call requested and that wait for the floor. */
  requests: readonly AgentRequest[];
  /** The time left on each timer when the hold began, and the events since; null when not on hold. */
  held: { remainingMs: Partial<Record<TurnTimer, number>>; events: readonly TurnEvent[] } | null;
}

export type TurnState = Phase & { context: TurnContext };

/** The processing of one event. */
export interface Step {
  nowMs: number;
  config: TurnConfig;
  context: TurnContext;
  effects: TurnEffect[];
}

/** Items that wait for the floor: at the limit the oldest request is dropped, and digits join the last entry. */
const MAX_WAITING = 8;
/** Requests for the words so far in one turn: each costs as much as a result. */
const MAX_ASKS = 8;
/** Less voice is no word. */
const LEAST_ASKED_MS = 96;
/** After this long without a false alarm the line counts as quiet again. */
const ALARM_MEMORY_MS = 15_000;

export const newContext: TurnContext = {
  epoch: 0,
  utterance: 0,
  serial: 0,
  timers: {},
  expects: 'anything',
  digitCount: null,
  openingAtMs: null,
  isPatient: false,
  acknowledged: null,
  retractions: 0,
  wentOn: 0,
  falseAlarms: 0,
  falseAlarmAtMs: 0,
  lineLostAtMs: null,
  lineBackAtMs: null,
  prompts: 0,
  quietSinceMs: 0,
  digits: '',
  digitGroups: [],
  requests: [],
  held: null,
};

// Timers

export function arm(step: Step, timer: TurnTimer, atMs: number): void {
  const { context } = step;
  if (context.timers[timer]?.atMs === atMs) return;
  const serial = ++context.serial;
  context.timers[timer] = { serial, atMs };
  step.effects.push({ type: 'arm-timer', timer, serial, atMs });
}

export function disarm(step: Step, ...timers: TurnTimer[]): void {
  for (const timer of timers) {
    if (step.context.timers[timer] === undefined) continue;
    delete step.context.timers[timer];
    step.effects.push({ type: 'cancel-timer', timer });
  }
}

export function isArmed(step: Step, timer: TurnTimer): boolean {
  return step.context.timers[timer] !== undefined;
}

// The caller's side

/**
 * Voice begins. It continues the open utterance of `heard`, or opens the next one, which `repeats` the turn so far
 * where the recogniser hears more in all of it.
 */
export function beginSpeech(
  step: Step,
  earlier: Heard | null,
  speechAtMs: number,
  cannotInterrupt: boolean,
  faint = false,
  repeats = false,
): Heard {
  const heard = earlier && {
    ...earlier,
    finality: null,
    likelihood: null,
    dismissed: false,
    pressMs: 0,
    faint: earlier.faint && faint,
  };
  if (heard !== null) {
    const open = openSegment(heard);
    if (open !== null) {
      const change = { voicedBeforeMs: open.voicedBeforeMs + open.burstMs, burstMs: 0 };
      return { ...withSegment(heard, open.utterance, change), talking: true };
    }
  }
  const since = repeats && heard !== null && step.config.hearsTurns ? repeatedFrom(heard, speechAtMs) : undefined;
  const utterance = beginUtterance(step, speechAtMs, since);
  return heard === null
    ? startHeard(utterance, speechAtMs, cannotInterrupt, faint)
    : {
        ...addSegment(heard, utterance, speechAtMs, since),
        talking: true,
        cannotInterrupt: heard.cannotInterrupt || cannotInterrupt,
      };
}

function beginUtterance(step: Step, fromMs: number, since: number | undefined): number {
  const utterance = ++step.context.utterance;
  const from = since === undefined ? {} : { since };
  step.effects.push({ type: 'begin-utterance', utterance, expects: step.context.expects, fromMs, ...from });
  return utterance;
}

/** The caller who has the floor goes on after a pause. */
export function goOnSpeaking(step: Step, heard: Heard, speechAtMs: number, faint: boolean): Heard {
  return beginSpeech(step, heard, speechAtMs, false, faint, true);
}

/**
 * The caller has taken the floor, or taken it back, while speaking: the open utterance begins anew with the turn, where
 * the recogniser hears more in all of it.
 */
export function hearWhole(step: Step, heard: Heard): Heard {
  const open = openSegment(heard);
  if (!step.config.hearsTurns || open === null || open.since !== open.utterance) return heard;
  const since = repeatedFrom(heard, open.startedAtMs);
  if (since === undefined || since === open.utterance) return heard;
  step.effects.push({ type: 'cancel-utterance', utterance: open.utterance });
  const utterance = beginUtterance(step, open.startedAtMs, since);
  const again = { utterance, since, partial: '', asks: 0, answered: 0, askedMs: 0, answeredMs: 0 };
  return withSegment(heard, open.utterance, again);
}

/** The facts of a voice while it lasts, as in `Heard`; one that is left out stays as it was. */
interface VoiceSoFar {
  faint?: boolean;
  isNear?: boolean | null;
  isLikely?: boolean;
  isOther?: boolean;
  pressMs?: number;
  hums?: boolean;
}

/** Voice continues. The VAD counts from its own start, so the current burst is replaced, not added to. */
export function continueSpeech(heard: Heard, burstMs: number, voice: VoiceSoFar = {}): Heard {
  const open = openSegment(heard);
  if (open === null || !heard.talking) return heard;
  const { faint = heard.faint, isOther = open.isOther, hums = open.hums } = voice;
  const { isNear = heard.isNear, isLikely = heard.isLikely, pressMs = heard.pressMs } = voice;
  const longer = withSegment(heard, open.utterance, { burstMs, isOther, hums });
  return { ...longer, faint: heard.faint && faint, isNear, isLikely, pressMs };
}

/** The voice of an event while the agent has the floor. */
export function voiceOf(event: Extract<TurnEvent, { type: 'speech-continued' }>): VoiceSoFar {
  const { faint = false, distance, pressMs = 0, hums = false } = event;
  const isLikely = distance === 'likely';
  const isNear = distance === undefined ? true : distance === 'unknown' || isLikely ? null : false;
  return { faint, isNear, isLikely, isOther: distance === 'other', pressMs, hums };
}

export function stopSpeech(heard: Heard, event: Extract<TurnEvent, { type: 'speech-stopped' }>): Heard {
  const { lastSpeechAtMs, voicedMs, finality = null } = event;
  return { ...continueSpeech(heard, voicedMs), talking: false, lastSpeechAtMs, finality, likelihood: null };
}

/** Asks for the words so far, unless nothing was said since the last time or it was often enough for one turn. */
export function askWords(step: Step, heard: Heard): Heard {
  const open = openSegment(heard);
  if (!step.config.asksWords || open === null || heard.faint || step.context.lineLostAtMs !== null) return heard;
  const asks = heard.segments.reduce((sum, segment) => sum + segment.asks, 0);
  const askedMs = voicedMsOf(open);
  if (isAsked(open) || askedMs < LEAST_ASKED_MS || asks >= MAX_ASKS) return heard;
  if (step.config.hearsTurns && !mayAsk(heard, open, step.nowMs)) return heard;
  const number = open.asks + 1;
  step.effects.push({ type: 'ask-words', utterance: open.utterance, number });
  const askedForMs = heard.askedForMs + soundMs(heard, open, step.nowMs);
  return { ...withSegment(heard, open.utterance, { asks: number, askedMs }), askedForMs };
}

/** Requests the result of the open utterance, if there is one. */
export function finishSpeech(step: Step, heard: Heard): Heard {
  const open = openSegment(heard);
  if (open === null) return heard;
  const { heard: rest, late } = supersede(heard, open);
  for (const utterance of late) step.effects.push({ type: 'cancel-utterance', utterance });
  const same = isAsked(open) ? { asked: open.asks } : {};
  step.effects.push({ type: 'finish-utterance', utterance: open.utterance, ...same });
  if (!isArmed(step, 'stt-deadline')) arm(step, 'stt-deadline', step.nowMs + step.config.sttDeadlineMs);
  const askedForMs = heard.askedForMs + (isAsked(open) ? 0 : soundMs(heard, open, step.nowMs));
  return { ...withSegment(rest, open.utterance, { finishedAtMs: step.nowMs }), askedForMs };
}

/** Sets the STT deadline by the oldest outstanding result. */
export function followDeadline(step: Step, ...all: Array<Heard | null>): void {
  const asked = all.map(oldestAsked).filter((each) => each !== null);
  if (asked.length === 0) disarm(step, 'stt-deadline');
  else arm(step, 'stt-deadline', Math.max(step.nowMs, Math.min(...asked) + step.config.sttDeadlineMs));
}

/** Cancels every utterance of `heard` whose result is outstanding. */
export function cancelSpeech(step: Step, heard: Heard | null): void {
  for (const segment of heard?.segments ?? []) {
    if (segment.result === null) step.effects.push({ type: 'cancel-utterance', utterance: segment.utterance });
  }
}

/** Takes one more key. */
export function collectDigit(step: Step, digit: string): void {
  const { context } = step;
  context.prompts = 0;
  context.quietSinceMs = step.nowMs;
  context.digits += digit;
  if (isWholeEntry(context.digits, context.expects === 'digits' ? context.digitCount : null)) closeDigits(step);
  else arm(step, 'digits', step.nowMs + DIGIT_PAUSE_MS);
}

export function closeDigits(step: Step): void {
  const { context } = step;
  disarm(step, 'digits');
  if (context.digits === '') return;
  const last = context.digitGroups.at(-1);
  context.digitGroups =
    last !== undefined && context.digitGroups.length >= MAX_WAITING
      ? [...context.digitGroups.slice(0, -1), (last + context.digits).slice(-MAX_DIGITS)]
      : [...context.digitGroups, context.digits];
  context.digits = '';
}

export function queueRequest(step: Step, request: AgentRequest, isUrgent = false): void {
  const { requests } = step.context;
  step.context.requests = isUrgent
    ? [request, ...requests].slice(0, MAX_WAITING)
    : [...requests, request].slice(-MAX_WAITING);
}

// The agent's side

export function wantReply(step: Step, cause: ReplyCause, key: string | null, committed: boolean): AgentReply {
  const epoch = ++step.context.epoch;
  step.effects.push({ type: 'want-reply', epoch, cause, committed });
  return {
    epoch,
    cause,
    key,
    audioReady: false,
    clauses: 0,
    deadlineAtMs: null,
    complete: false,
    failed: false,
    drained: false,
    protected: false,
  };
}

export function dropReply(step: Step, reply: AgentReply | null): void {
  if (reply !== null) step.effects.push({ type: 'drop-reply', epoch: reply.epoch });
}

/** The reply updated by an event from control or playout. */
export function noteReply(reply: AgentReply, event: TurnEvent): AgentReply {
  switch (event.type) {
    case 'clause-queued':
      return {
        ...reply,
        clauses: reply.clauses + (event.isFiller ? 0 : 1),
        drained: false,
        protected: reply.protected || !event.interruptible,
      };
    case 'audio-ready':
      return { ...reply, audioReady: true };
    case 'reply-complete':
      return { ...reply, complete: true };
    case 'reply-failed':
      return { ...reply, failed: true, complete: true };
    case 'playout-drained':
      return { ...reply, drained: true, protected: false };
    default:
      return reply;
  }
}

/** The greeting is always spoken, and so is a clause marked as not interruptible: earlier speech only delays them. */
export function isProtected(reply: AgentReply): boolean {
  return reply.protected || reply.cause.kind === 'opening';
}

/** May speech stop this reply while it is heard? */
export function yields(step: Step, reply: AgentReply): boolean {
  return !reply.protected && needOf(step) !== null;
}

/** The current limits for an interruption. They rise with false alarms and fall after a quiet while. */
export function needOf(step: Step): InterruptionNeed | null {
  return interruptionNeed(step.config.interruptionSensitivity, falseAlarmsOf(step));
}

/** False alarms in a row, the newest not long ago. */
export function falseAlarmsOf({ context, nowMs }: Step): number {
  return nowMs - context.falseAlarmAtMs > ALARM_MEMORY_MS ? 0 : context.falseAlarms;
}

export function noteFalseAlarm(step: Step): void {
  step.context.falseAlarms = falseAlarmsOf(step) + 1;
  step.context.falseAlarmAtMs = step.nowMs;
}

export function lexiconOf({ language, backchannels }: TurnConfig): Lexicon {
  return { words: turnWordsFor(language), backchannels };
}
