// The state of the turn machine, and the small operations that its phases share: arming timers, queueing requests,
// requesting replies. Those of the caller's utterances are in caller-speech.ts. `Phase` holds the state of one phase,
// `TurnContext` the state that outlives it.
//
// A `Step` lives for one event. It holds a copy of the context, which the functions below write to, and the effects so
// far. The old state is never changed, so `stepTurn` is pure seen from outside.
import type { Expectation } from '../../models/stt/stt.ts';
import { type InterruptionNeed, interruptionNeed, type Lexicon } from './barge-in.ts';
import type { AgentRequest, ReplyCause, TurnConfig, TurnEffect, TurnEvent, TurnTimer } from './events.ts';
import type { Heard } from './heard.ts';
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
  /** When the agent began to say it; left out before. */
  openedAtMs?: number;
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
  /** The caller has said more than a greeting since the opening. */
  hasStated: boolean;
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
export const MAX_WAITING = 8;
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
  hasStated: false,
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
