// The state of the turn machine, and the small acts that its phases share: arming timers, opening and finishing
// utterances, asking for replies. `Phase` is what differs from phase to phase, `TurnContext` what lasts through all of them.
//
// A `Step` lives for one event: it holds a copy of the context that the acts below write to, and the effects so far. The
// old state is never touched, so `stepTurn` is pure seen from outside.
import type { Expectation } from '../../models/stt/stt.ts';
import { interruptionNeed } from './barge-in.ts';
import {
  type AgentRequest,
  DIGIT_PAUSE_MS,
  type ReplyCause,
  type TurnConfig,
  type TurnEffect,
  type TurnEvent,
  type TurnTimer,
} from './events.ts';
import { addSegment, type Heard, oldestAsked, openSegment, startHeard, withSegment } from './heard.ts';

export interface AgentReply {
  epoch: number;
  cause: ReplyCause;
  /** `replyKey` of the text it was asked for; null for other causes. */
  key: string | null;
  audioReady: boolean;
  clauses: number;
  /** No clause will follow. */
  complete: boolean;
  failed: boolean;
  /** Everything queued so far was sent. */
  drained: boolean;
  /** A clause that may not be interrupted is queued and not yet sent. */
  protected: boolean;
}

/** A pause to which the machine returns as if nothing had happened, if what broke it was no speech. */
export interface BrokenPause {
  heard: Heard;
  candidate: AgentReply | null;
  guesses: number;
}

export type Phase =
  | { phase: 'waiting' }
  | { phase: 'listening' }
  /** `broken`: the pause that this speech broke, as long as it may be a click that changes nothing. */
  | { phase: 'hearing'; heard: Heard; broken: BrokenPause | null }
  /**
   * The caller is silent, perhaps at the end of the turn. `due`: the silence was long enough, only the text is awaited.
   * `rest`: what a caller who never stops has said since their turn was cut off for its length.
   */
  | { phase: 'pausing'; heard: Heard; candidate: AgentReply | null; guesses: number; due: boolean; rest: Heard | null }
  /** `turn` is what the reply answers, kept so that it can be joined with more; `overheard` what came since. */
  | { phase: 'thinking'; reply: AgentReply; turn: Heard | null; overheard: Heard | null }
  | { phase: 'speaking'; reply: AgentReply; overheard: Heard | null }
  | { phase: 'doubting'; reply: AgentReply; overheard: Heard }
  | { phase: 'ended' };

export type InPhase<Name extends Phase['phase']> = Extract<Phase, { phase: Name }>;

interface ArmedTimer {
  serial: number;
  atMs: number;
}

export interface TurnContext {
  /** The newest numbers given out. */
  epoch: number;
  utterance: number;
  serial: number;
  timers: Partial<Record<TurnTimer, ArmedTimer>>;
  expects: Expectation;
  /** Silence prompts since the caller was last heard. */
  prompts: number;
  /** Since when neither side has spoken. */
  quietSinceMs: number;
  /** Digits being collected, and finished ones that wait for the floor. */
  digits: string;
  digitGroups: readonly string[];
  /** Replies that the call has asked for and that wait for the floor. */
  requests: readonly AgentRequest[];
  /** On hold: what was left of each timer, and what came meanwhile. */
  held: { remainingMs: Partial<Record<TurnTimer, number>>; events: readonly TurnEvent[] } | null;
}

export type TurnState = Phase & { context: TurnContext };

export interface Step {
  nowMs: number;
  config: TurnConfig;
  context: TurnContext;
  effects: TurnEffect[];
}

/** Bound of what waits for the floor; past it the oldest requests go, and digits join the last group. */
const MAX_WAITING = 8;
const MAX_DIGITS = 64;

export const newContext: TurnContext = {
  epoch: 0,
  utterance: 0,
  serial: 0,
  timers: {},
  expects: 'anything',
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

/** Voice begins: goes on with the open utterance of `heard`, or begins the next one. */
export function beginSpeech(step: Step, heard: Heard | null, speechAtMs: number, cannotInterrupt: boolean): Heard {
  if (heard !== null) {
    const open = openSegment(heard);
    if (open !== null) {
      const change = { voicedBeforeMs: open.voicedBeforeMs + open.burstMs, burstMs: 0 };
      return { ...withSegment(heard, open.utterance, change), talking: true };
    }
  }
  const utterance = ++step.context.utterance;
  step.effects.push({ type: 'begin-utterance', utterance, expects: step.context.expects, fromMs: speechAtMs });
  return heard === null
    ? startHeard(utterance, speechAtMs, cannotInterrupt)
    : { ...addSegment(heard, utterance), talking: true, cannotInterrupt: heard.cannotInterrupt || cannotInterrupt };
}

/** Voice goes on. The VAD counts from its own start, so the running burst is replaced, not added to. */
export function continueSpeech(heard: Heard, burstMs: number): Heard {
  const open = openSegment(heard);
  return open === null || !heard.talking ? heard : withSegment(heard, open.utterance, { burstMs });
}

export function stopSpeech(heard: Heard, lastSpeechAtMs: number, burstMs: number): Heard {
  return { ...continueSpeech(heard, burstMs), talking: false, lastSpeechAtMs };
}

/** Asks for the result of the open utterance, if there is one. */
export function finishSpeech(step: Step, heard: Heard): Heard {
  const open = openSegment(heard);
  if (open === null) return heard;
  step.effects.push({ type: 'finish-utterance', utterance: open.utterance });
  if (!isArmed(step, 'stt-deadline')) arm(step, 'stt-deadline', step.nowMs + step.config.sttDeadlineMs);
  return withSegment(heard, open.utterance, { finishedAtMs: step.nowMs });
}

/** The one STT deadline follows the oldest result that is outstanding. */
export function followDeadline(step: Step, ...all: Array<Heard | null>): void {
  const asked = all.map(oldestAsked).filter((each) => each !== null);
  if (asked.length === 0) disarm(step, 'stt-deadline');
  else arm(step, 'stt-deadline', Math.max(step.nowMs, Math.min(...asked) + step.config.sttDeadlineMs));
}

/** Drops the utterance that is still open (its audio is of no use any more). */
export function cancelSpeech(step: Step, heard: Heard | null): void {
  for (const segment of heard?.segments ?? []) {
    if (segment.result === null) step.effects.push({ type: 'cancel-utterance', utterance: segment.utterance });
  }
}

/** One more key. A `#` ends the number at once, else a pause does. */
export function collectDigit(step: Step, digit: string): void {
  const { context } = step;
  context.prompts = 0;
  context.quietSinceMs = step.nowMs;
  context.digits += digit;
  if (digit === '#' || context.digits.length >= MAX_DIGITS) closeDigits(step);
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

export function queueRequest(step: Step, request: AgentRequest): void {
  step.context.requests = [...step.context.requests, request].slice(-MAX_WAITING);
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
    complete: false,
    failed: false,
    drained: false,
    protected: false,
  };
}

export function dropReply(step: Step, reply: AgentReply | null): void {
  if (reply !== null) step.effects.push({ type: 'drop-reply', epoch: reply.epoch });
}

/** What control and playout report of a reply, whatever the phase. */
export function noteReply(reply: AgentReply, event: TurnEvent): AgentReply {
  switch (event.type) {
    case 'clause-queued':
      return {
        ...reply,
        clauses: reply.clauses + 1,
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

/** The greeting is always said, and so is a clause that is marked so: speech before its audio only delays it. */
export function isProtected(reply: AgentReply): boolean {
  return reply.protected || reply.cause.kind === 'opening';
}

/** May speech stop this reply while it is heard? */
export function yields(step: Step, reply: AgentReply): boolean {
  return !reply.protected && interruptionNeed(step.config.interruptionSensitivity) !== null;
}
