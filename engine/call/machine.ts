// The life of one call (inbound, outbound or from a browser) as a pure machine, from the offer to the single row that
// records its end. Legs, shards, dialogue, limits and requests report events; the conductor performs the effects. Time
// comes in with each event, in ms of the monotonic clock.
//
//   offered ──admitted──► opening ──opened──► ringing ──answered──► answered ──►┐
//      │ leg ended           │ open-failed      │ no answer, cancel      │ any end │
//      ▼                     ▼                  ▼                        ▼         ▼
//    ended ◄───────────────────────────── ending (audio closes, at most CLOSE_MS) ◄┘   write-terminal: exactly once
import type { EndReason } from '../../db/domain/calls/ends.ts';
import { type CallTerminal, type Progress, terminalOf } from '../../db/domain/calls/outcome.ts';
import { refusalOf } from '../../db/domain/refusal.ts';
import { unreachable } from '../../db/domain/unexpected.ts';
import type { LegEnd } from '../sip/telephony.ts';
import type { CallDirection, CallEffect, CallEvent, CallPlan, CallTimer } from './events.ts';

export type { CallDirection, CallEffect, CallEvent, CallPlan, CallReport, CallTimer } from './events.ts';

interface Life {
  direction: CallDirection;
  plan: CallPlan | null;
  /** A row exists and must be closed. */
  rowWritten: boolean;
  serial: number;
  timers: Partial<Record<CallTimer, number>>;
}

type Stage =
  | { phase: 'offered' }
  | { phase: 'opening' }
  | { phase: 'ringing'; rang: boolean }
  | { phase: 'answered'; answered: Progress }
  | { phase: 'ending'; terminal: CallTerminal }
  | { phase: 'ended'; terminal: CallTerminal | null };

export type CallState = Stage & { life: Life };

interface Step {
  nowMs: number;
  life: Life;
  effects: CallEffect[];
}

/** How long an unanswered phone rings. */
export const RING_TIMEOUT_MS = 45_000;
/** A browser already has its token; one that has not joined by now never will. */
const JOIN_TIMEOUT_MS = 60_000;
/** Covers the recorder's last write and the WAV's close; a request to end a call is answered within 2 s. */
const CLOSE_MS = 1_500;
/** Warning before the limit: time for one question and its answer. */
const WARNING_MS = 30_000;
/** A machine's greeting is over by then, with or without a beep. */
const BEEP_MS = 25_000;
/** 20 s for a REFER, 25 s of ringing, and the announcement: a transfer without a result after this time has failed. */
const TRANSFER_MS = 70_000;

export function offeredCall(direction: CallDirection): CallState {
  const life: Life = { direction, plan: null, rowWritten: direction !== 'inbound', serial: 0, timers: {} };
  return { phase: 'offered', life };
}

export function stepCall(state: CallState, event: CallEvent): [CallState, CallEffect[]] {
  const { life } = state;
  if (state.phase === 'ended') return [state, []];
  if (event.type === 'timer-fired' && life.timers[event.timer] !== event.serial) return [state, []];
  const step: Step = { nowMs: event.nowMs, life: { ...life, timers: { ...life.timers } }, effects: [] };
  if (event.type === 'timer-fired') delete step.life.timers[event.timer];
  const stage = dispatch(step, state, event);
  return [{ ...stage, life: step.life }, step.effects];
}

function dispatch(step: Step, state: Stage, event: CallEvent): Stage {
  switch (state.phase) {
    case 'ended':
      return state;
    case 'ending':
      return closing(step, state, event);
    default:
  }
  switch (event.type) {
    case 'end-requested':
      return end(step, state, 'api');
    case 'shutdown':
      return end(step, state, 'shutdown');
    case 'call-failed':
      return end(step, state, 'crash');
    case 'withdrawn':
      return state.phase === 'offered' ? end(step, state, event.reason) : state;
    default:
  }
  switch (state.phase) {
    case 'offered':
      return offered(step, state, event);
    case 'opening':
      return opening(step, state, event);
    case 'ringing':
      return ringing(step, state, event);
    case 'answered':
      return talking(step, state, event);
  }
}

function arm(step: Step, timer: CallTimer, delayMs: number): void {
  const serial = ++step.life.serial;
  step.life.timers[timer] = serial;
  step.effects.push({ type: 'arm-timer', timer, serial, delayMs });
}

function disarm(step: Step, ...timers: CallTimer[]): void {
  for (const timer of timers) {
    if (step.life.timers[timer] === undefined) continue;
    delete step.life.timers[timer];
    step.effects.push({ type: 'cancel-timer', timer });
  }
}

/** Admission made the plan; no step after the offer happens without one. */
function planOf(life: Life): CallPlan {
  if (life.plan === null) throw new Error('a call continued without admission');
  return life.plan;
}

function offered(step: Step, state: Stage, event: CallEvent): Stage {
  const { life, effects } = step;
  switch (event.type) {
    case 'admitted':
      life.plan = event.plan;
      if (!life.rowWritten) effects.push({ type: 'write-row' });
      life.rowWritten = true;
      if (life.direction === 'inbound') effects.push({ type: 'ring-leg' });
      effects.push({ type: 'open-audio' });
      return { phase: 'opening' };
    case 'leg-ended':
      return end(step, state, 'caller_hangup');
    default:
      return state;
  }
}

function opening(step: Step, state: Stage, event: CallEvent): Stage {
  const { life, effects } = step;
  switch (event.type) {
    case 'audio-opened': {
      const { address, port } = event;
      if (life.direction === 'inbound') effects.push({ type: 'answer-leg', address, port });
      if (life.direction === 'outbound') {
        effects.push({ type: 'dial-leg', address, port });
        arm(step, 'ring', RING_TIMEOUT_MS);
      }
      if (life.direction === 'web') arm(step, 'join', JOIN_TIMEOUT_MS);
      return { phase: 'ringing', rang: false };
    }
    case 'audio-open-failed':
      return end(step, state, 'media_failure');
    case 'leg-ended':
      return end(step, state, endOf(event.end, 'caller_hangup'));
    default:
      return state;
  }
}

function ringing(step: Step, state: Extract<Stage, { phase: 'ringing' }>, event: CallEvent): Stage {
  switch (event.type) {
    case 'leg-ringing':
      if (event.earlyAudio !== null) step.effects.push({ type: 'connect-audio', audio: event.earlyAudio });
      return { ...state, rang: true };
    case 'leg-answered':
      step.effects.push({ type: 'connect-audio', audio: event.audio });
      return answer(step);
    case 'socket-joined':
      return step.life.direction === 'web' ? answer(step) : state;
    case 'leg-ended':
      return notAnswered(step, state, event.end);
    case 'media-lost':
      if (event.reason === 'rtp-timeout') return state;
      return end(step, state, socketClosed(step));
    case 'timer-fired':
      return end(step, state, event.timer === 'join' ? 'not_joined' : 'no_answer');
    default:
      return state;
  }
}

/** A browser's socket is its caller. A telephone call's socket is an audio fork, whose leg is still up. */
const socketClosed = ({ life }: Step): EndReason => (life.direction === 'web' ? 'caller_hangup' : 'crash');

/** @param local the reason if we ended the leg ourselves */
function endOf({ by }: LegEnd, local: 'caller_hangup' | 'agent_hangup'): EndReason {
  switch (by) {
    case 'remote':
      return 'caller_hangup';
    case 'local':
      return local;
    case 'network':
      return 'network';
    case 'server':
      return 'crash';
    default:
      return unreachable(by);
  }
}

function notAnswered(step: Step, state: Stage, legEnd: LegEnd): Stage {
  if (step.life.direction !== 'outbound') return end(step, state, endOf(legEnd, 'caller_hangup'));
  if (legEnd.by === 'server') return end(step, state, 'crash');
  const { reason, retryable } = refusalOf(legEnd.sipStatus, legEnd.q850Cause);
  return end(step, state, reason, retryable);
}

function answer(step: Step): Stage {
  const { life, effects, nowMs } = step;
  disarm(step, 'ring', 'join');
  effects.push({ type: 'write-answered' }, { type: 'start-dialogue' });
  const maxMs = planOf(life).maxDurationMs;
  // With a limit below twice the warning's length, the warning would take up half the call.
  if (maxMs >= 2 * WARNING_MS) arm(step, 'limit-warning', maxMs - WARNING_MS);
  arm(step, 'limit', maxMs);
  const transfer = { state: 'none', target: '' } as const;
  return {
    phase: 'answered',
    answered: { answeredAtMs: nowMs, exchanges: 0, spoke: false, machine: 'none', transfer },
  };
}

type Talking = Extract<Stage, { phase: 'answered' }>;

function talking(step: Step, state: Talking, event: CallEvent): Stage {
  const { answered } = state;
  switch (event.type) {
    case 'leg-audio-changed':
      step.effects.push({ type: 'connect-audio', audio: event.audio });
      return state;
    case 'exchange-done':
      return change(answered, { exchanges: answered.exchanges + 1, spoke: true });
    case 'caller-spoke':
      return answered.spoke ? state : change(answered, { spoke: true });
    case 'leg-ended': {
      // Many exchanges send BYE after accepting a REFER and never report: the caller is with the other side.
      const { state: transfer } = answered.transfer;
      if ((transfer === 'accepted' || transfer === 'bridged') && event.end.by === 'remote')
        return end(step, state, 'transfer');
      return end(step, state, endOf(event.end, 'agent_hangup'));
    }
    case 'media-lost':
      return end(step, state, event.reason === 'socket-closed' ? socketClosed(step) : 'media_timeout');
    case 'goodbye-said':
      return end(step, state, event.reason);
    case 'transfer-requested':
    case 'transfer-outcome':
      return transferring(step, state, event);
    case 'person-left':
      return personLeft(step, state);
    case 'amd-verdict':
    case 'beep':
    case 'message-left':
      return machineAnswers(step, state, event);
    case 'timer-fired':
      return talkingTimer(step, state, event.timer);
    default:
      return state;
  }
}

function change(answered: Progress, facts: Partial<Progress>): Talking {
  return { phase: 'answered', answered: { ...answered, ...facts } };
}

function talkingTimer(step: Step, state: Talking, timer: CallTimer): Stage {
  const { answered } = state;
  switch (timer) {
    case 'limit-warning':
      if (answered.transfer.state !== 'bridged') step.effects.push({ type: 'warn-limit', remainingMs: WARNING_MS });
      return state;
    case 'limit':
      return end(step, state, 'max_duration');
    case 'beep':
      return machineAnswers(step, state, { type: 'beep' });
    case 'transfer':
      return transferring(step, state, { type: 'transfer-outcome', result: 'failed' });
    default:
      return state;
  }
}

type TransferEvent =
  | Extract<CallEvent, { type: 'transfer-requested' }>
  | { type: 'transfer-outcome'; result: 'accepted' | 'referred' | 'bridged' | 'failed'; stays?: true };

function transferring(step: Step, state: Talking, event: TransferEvent): Stage {
  const { answered } = state;
  if (event.type === 'transfer-requested') {
    // One transfer at a time: a second request while one is under way is ignored.
    if (answered.transfer.state !== 'none') return state;
    const { target, wish, forMs = TRANSFER_MS } = event;
    step.effects.push({ type: 'transfer', target, ...(wish === undefined ? {} : { wish }) });
    arm(step, 'transfer', forMs);
    return change(answered, { transfer: { state: 'pending', target: event.target } });
  }
  const { state: transfer, target } = answered.transfer;
  // A person has handed the caller on to nobody: the agent has left long ago.
  if (transfer === 'bridged' && event.result === 'failed' && !answered.transfer.stays)
    return end(step, state, 'transfer');
  if (transfer !== 'pending' && transfer !== 'accepted') return state;
  if (event.result === 'accepted') return change(answered, { transfer: { state: 'accepted', target } });
  disarm(step, 'transfer');
  switch (event.result) {
    case 'referred':
      return end(step, state, 'transfer');
    case 'bridged':
      step.effects.push({ type: event.stays ? 'listen-to-both' : 'stop-dialogue' });
      return change(answered, { transfer: { state: 'bridged', target, ...(event.stays ? { stays: true } : {}) } });
    case 'failed':
      step.effects.push({ type: 'end-transfer' });
      return change(answered, { transfer: { state: 'none', target: '' } });
  }
}

function personLeft(step: Step, state: Talking): Stage {
  if (!state.answered.transfer.stays) return state;
  step.effects.push({ type: 'return-to-caller' });
  return change(state.answered, { transfer: { state: 'none', target: '' } });
}

type MachineEvent =
  | { type: 'amd-verdict'; verdict: 'human' | 'machine' | 'machine-beep' | 'screening' | 'uncertain' }
  | { type: 'beep' }
  | { type: 'message-left' };

/** An answering machine: hang up, or wait for the tone and leave the campaign's message. */
function machineAnswers(step: Step, state: Talking, event: MachineEvent): Stage {
  const { answered } = state;
  switch (event.type) {
    case 'amd-verdict': {
      const isMachine = event.verdict === 'machine' || event.verdict === 'machine-beep';
      // A screening service passes the call on to a human; an uncertain verdict is treated as human.
      if (!isMachine || answered.machine !== 'none') return state;
      if (planOf(step.life).voicemail !== 'leave_message') {
        return end(step, change(answered, { machine: 'waiting' }), 'voicemail');
      }
      if (event.verdict === 'machine-beep') return speakMessage(step, answered);
      step.effects.push({ type: 'await-beep' });
      arm(step, 'beep', BEEP_MS);
      return change(answered, { machine: 'waiting' });
    }
    case 'beep':
      return answered.machine === 'waiting' ? speakMessage(step, answered) : state;
    case 'message-left':
      return answered.machine === 'speaking' ? end(step, change(answered, { machine: 'left' }), 'voicemail') : state;
  }
}

function speakMessage(step: Step, answered: Progress): Stage {
  disarm(step, 'beep');
  step.effects.push({ type: 'leave-message' });
  return change(answered, { machine: 'speaking' });
}

// The end

/** Ends the call for the first reason; later events only complete the end. */
function end(step: Step, state: Stage, reason: EndReason, retryable: boolean | null = null): Stage {
  const { life, effects } = step;
  const progress = state.phase === 'answered' ? state.answered : null;
  const terminal = terminalOf(progress, reason, step.nowMs, retryable);
  disarm(step, 'ring', 'join', 'limit-warning', 'limit', 'beep', 'transfer');
  if (state.phase === 'answered') effects.push({ type: 'stop-dialogue' });
  // Hanging up an ended leg does nothing.
  if (life.direction !== 'web') effects.push({ type: 'hang-up-leg' });
  if (state.phase === 'offered') return finish(step, terminal);
  effects.push({ type: 'close-audio' });
  arm(step, 'close', CLOSE_MS);
  return { phase: 'ending', terminal };
}

/** The recording closes; then the terminal row is written. */
function closing(step: Step, state: Extract<Stage, { phase: 'ending' }>, event: CallEvent): Stage {
  const { terminal } = state;
  switch (event.type) {
    case 'audio-closed':
      return finish(step, { ...terminal, recordingPath: event.recordingPath });
    case 'audio-open-failed':
    case 'call-failed':
    case 'timer-fired':
      return finish(step, terminal);
    case 'leg-answered':
      // The answer crossed our CANCEL: RFC 3261 9.1 requires ACK and BYE.
      step.effects.push({ type: 'hang-up-leg' });
      return state;
    default:
      return state;
  }
}

function finish(step: Step, terminal: CallTerminal): Stage {
  const { life, effects } = step;
  disarm(step, 'close');
  if (!life.rowWritten) return { phase: 'ended', terminal: null };
  effects.push({ type: 'write-terminal', terminal });
  return { phase: 'ended', terminal };
}
