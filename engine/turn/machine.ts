// The turn-taking machine of one call: who has the floor. It is pure, and runs in the media shard beside the audio, so
// that pausing the agent costs no thread hop. Time comes in with each event. Timers are effects; a replaced or
// cancelled one is recognised by its serial and ignored.
//
//             speech-started        speech-stopped        turn ends          first audio
//  listening ───────────────► hearing ────────────► pausing ─────────► thinking ─────────► speaking
//      ▲                         ▲                     │ speech-started   │ goes on            │ speech-started
//      │                         ├─────────────────────┘◄─────────────────┘                    ▼
//      │                         └───────────────── confirmed: flush ◄──────────────────── doubting (paused)
//      └────────────── playout drained ◄──────────── resume where it paused ◄─────────────────┘ cough, "uh-huh"
import { doubt, speak, think } from './agent-turn.ts';
import { cancelSpeech } from './caller-speech.ts';
import { hear, listen, pause } from './caller-turn.ts';
import type { TurnConfig, TurnEffect, TurnEvent, TurnTimer } from './events.ts';
import { type Heard, heardText } from './heard.ts';
import { endpointOf } from './pause-end.ts';
import { closeDigits, collectDigit } from './pressed-keys.ts';
import { arrive, cut, type Move, next, open, settlePause, stopReply } from './transitions.ts';
import {
  arm,
  disarm,
  dropReply,
  newContext,
  type Phase,
  queueRequest,
  type Step,
  type TurnState,
} from './turn-context.ts';

export type { AgentRequest, ReplyCause, TurnConfig, TurnEffect, TurnEvent, TurnPhase, TurnTimer } from './events.ts';
export type { TurnState } from './turn-context.ts';

/**
 * Events kept while the peer holds the call; far more than one reply's clauses. At the limit the newest are dropped.
 */
const MAX_HELD_EVENTS = 1_000;
/** A longer gap of the line counts as silence. */
const MAX_GAP_MS = 2_000;

/** @throws {RangeError} when a duration of the configuration is not a positive number. */
export function initialTurn(config: TurnConfig): TurnState {
  const { silenceThresholdMs, idleMs, sttDeadlineMs, replyDeadlineMs, speechDeadlineMs, maxUtteranceMs } = config;
  for (const [name, ms] of Object.entries({
    silenceThresholdMs,
    idleMs,
    sttDeadlineMs,
    replyDeadlineMs,
    speechDeadlineMs,
    maxUtteranceMs,
  })) {
    if (!(ms > 0)) throw new RangeError(`${name} must be positive, is ${ms}`);
  }
  return { phase: 'waiting', context: newContext };
}

export function stepTurn(state: TurnState, event: TurnEvent, config: TurnConfig): [TurnState, TurnEffect[]] {
  if (state.phase === 'ended') return [state, []];
  const { context } = state;
  if (event.type === 'timer-fired' && context.timers[event.timer]?.serial !== event.serial) return [state, []];
  const step: Step = {
    nowMs: event.nowMs,
    config,
    context: { ...context, timers: { ...context.timers } },
    effects: [],
  };
  const after = dispatch(step, state, event);
  if (after.phase !== state.phase) step.effects.push({ type: 'phase-changed', phase: after.phase });
  return [{ ...after, context: step.context }, step.effects];
}

function dispatch(step: Step, state: Phase, event: TurnEvent): Phase {
  if (event.type === 'ended') return end(step, state);
  if (event.type === 'held') return event.held ? beginHold(step, state) : endHold(step, state);
  if (step.context.held !== null) {
    keepForLater(step, event);
    return state;
  }
  if (event.type === 'timer-fired') delete step.context.timers[event.timer];
  return act(step, state, event);
}

/** Handles one event of a call that is not on hold. */
function act(step: Step, state: Phase, event: TurnEvent): Phase {
  return arrive(step, react(step, state, event));
}

function react(step: Step, state: Phase, event: TurnEvent): Move {
  switch (event.type) {
    case 'expects':
      step.context.expects = event.expects;
      step.context.digitCount = event.digitCount ?? null;
      return state;
    case 'line-lost':
      return loseLine(step, state);
    case 'line-back':
      return regainLine(step, state, event.missingMs);
    case 'reply-requested':
      queueRequest(step, event.request, event.isUrgent);
      if (event.isUrgent) return silence(step, state);
      break;
    case 'silenced':
      return silence(step, state);
    case 'secret-key':
      step.context.quietSinceMs = step.nowMs;
      return silence(step, state);
    case 'digit':
      if (state.phase === 'waiting' || state.phase === 'ended') return state;
      collectDigit(step, event.digit);
      if (state.phase === 'pausing') return keysIntoPause(step, state);
      // A pressed key is deliberate, so it interrupts at any sensitivity.
      if ((state.phase === 'speaking' || state.phase === 'doubting') && !state.reply.protected) {
        return cut(step, state.reply, state.overheard);
      }
      break;
    case 'timer-fired':
      if (event.timer === 'digits') {
        closeDigits(step);
        if (state.phase === 'pausing') return keysIntoPause(step, state);
        return state.phase === 'listening' ? next(null) : state;
      }
      if (event.timer === 'line') return regainLine(step, state, MAX_GAP_MS);
      break;
    default:
  }
  switch (state.phase) {
    case 'waiting':
      if (event.type !== 'answered') return state;
      if (step.config.openingDelayMs === 0) return open(null);
      step.context.openingAtMs = step.nowMs + step.config.openingDelayMs;
      return next(null);
    case 'listening':
      return listen(step, state, event);
    case 'hearing':
      return hear(step, state, event);
    case 'pausing':
      return pause(step, state, event);
    case 'thinking':
      return think(step, state, event);
    case 'speaking':
      return speak(step, state, event);
    case 'doubting':
      return doubt(step, state, event);
    case 'ended':
      return state;
  }
}

// Silence at somebody's word

/** The agent's reply ends here, or is not begun. The caller's words stay in the history. */
function silence(step: Step, state: Phase): Move {
  step.context.prompts = 0;
  switch (state.phase) {
    case 'thinking':
      return stopReply(step, state.reply, state.overheard, false);
    case 'speaking':
    case 'doubting':
      return stopReply(step, state.reply, state.overheard, true);
    case 'pausing':
      dropReply(step, state.candidate);
      return settlePause({ ...state, candidate: null });
    case 'hearing':
      dropReply(step, state.broken?.candidate ?? null);
      return { ...state, broken: state.broken && { ...state.broken, candidate: null } };
    case 'listening':
      return next(null);
    case 'waiting':
    case 'ended':
      return state;
  }
}

// Keys

/** The caller says "my number is" and keys it in: the sentence waits for the keys, and needs no reply of its own. */
function keysIntoPause(step: Step, state: Extract<Phase, { phase: 'pausing' }>): Move {
  const { context, nowMs } = step;
  const { heard, candidate, rest } = state;
  if (rest !== null) return state;
  const isWaiting = context.digits !== '';
  if (isWaiting) return settlePause({ ...state, due: false, heard: { ...heard, lastSpeechAtMs: nowMs } });
  if (endpointOf(step, heard).complete) return state;
  dropReply(step, candidate);
  cancelSpeech(step, heard);
  disarm(step, 'endpoint', 'finish', 'max-utterance', 'stt-deadline');
  const { text, understood, confidence } = heardText(heard);
  const { startedAtMs } = heard;
  if (text !== '') step.effects.push({ type: 'unanswered-turn', text, understood, confidence, startedAtMs });
  return next(null);
}

// Gaps of the line

/** A pause during a loss of packets does not count as silence and does not end the turn. */
function loseLine(step: Step, state: Phase): Move {
  step.context.lineLostAtMs = step.nowMs;
  arm(step, 'line', step.nowMs + MAX_GAP_MS);
  return state.phase === 'pausing' && !state.due ? settlePause(state) : state;
}

/** Counts the silence so far without the audio that was missing in it. */
function regainLine(step: Step, state: Phase, missingMs: number): Move {
  const { context, nowMs } = step;
  if (context.lineLostAtMs === null) return state;
  context.lineLostAtMs = null;
  context.lineBackAtMs = nowMs;
  disarm(step, 'line');
  if (state.phase !== 'pausing') return state;
  const lastSpeechAtMs = Math.min(nowMs, state.heard.lastSpeechAtMs + missingMs);
  return settlePause({ ...state, heard: { ...state.heard, lastSpeechAtMs } });
}

/** The caller's words, as far as they were recognised; null while none of them waits for an answer. */
export function callerWords(state: TurnState): { text: string; startedAtMs: number } | null {
  const heard = speechOf(state);
  return heard && { text: heardText(heard).text, startedAtMs: heard.startedAtMs };
}

// Hold

function speechOf(state: Phase): Heard | null {
  switch (state.phase) {
    case 'hearing':
      return state.heard;
    case 'pausing':
      return state.rest ?? state.heard;
    case 'thinking':
    case 'speaking':
    case 'doubting':
      return state.overheard;
    default:
      return null;
  }
}

/** The peer put us on hold: speech ends here, and playout and all timers stand still. */
function beginHold(step: Step, state: Phase): Phase {
  const { context, nowMs } = step;
  if (context.held !== null || state.phase === 'waiting' || state.phase === 'ended') return state;
  const last = speechOf(state)?.segments.at(-1);
  const quiet = speechOf(state)?.talking
    ? act(step, state, { type: 'speech-stopped', nowMs, lastSpeechAtMs: nowMs, voicedMs: last?.burstMs ?? 0 })
    : state;
  const remainingMs: Partial<Record<TurnTimer, number>> = {};
  for (const [timer, { atMs }] of armedTimers(step)) {
    remainingMs[timer] = Math.max(0, atMs - nowMs);
    step.effects.push({ type: 'cancel-timer', timer });
  }
  context.timers = {};
  context.held = { remainingMs, events: [] };
  if (quiet.phase === 'speaking') step.effects.push({ type: 'pause-playout' });
  return quiet;
}

function armedTimers(step: Step): Array<[TurnTimer, { atMs: number }]> {
  return Object.entries(step.context.timers).map(([timer, armed]) => [timer as TurnTimer, armed]);
}

/** On hold the line carries music, not the caller, so only events of our own side are kept. */
function keepForLater(step: Step, event: TurnEvent): void {
  const { held } = step.context;
  const line = event.type === 'speech-started' || event.type === 'speech-continued' || event.type === 'speech-stopped';
  if (held === null || line || event.type === 'timer-fired' || held.events.length >= MAX_HELD_EVENTS) return;
  step.context.held = { ...held, events: [...held.events, event] };
}

/** Back from hold: timers continue with the time they had left, and the kept events are handled now. */
function endHold(step: Step, state: Phase): Phase {
  const { context, nowMs } = step;
  if (context.held === null) return state;
  const { remainingMs, events } = context.held;
  context.held = null;
  context.quietSinceMs = nowMs;
  for (const [timer, ms] of Object.entries(remainingMs)) arm(step, timer as TurnTimer, nowMs + ms);
  if (state.phase === 'speaking') step.effects.push({ type: 'resume-playout' });
  return events.reduce<Phase>((phase, event) => act(step, phase, { ...event, nowMs }), state);
}

// The end

/** The call is over. Speech of either side is cut off; the caller's last words still enter the transcript. */
function end(step: Step, state: Phase): Phase {
  for (const [timer] of armedTimers(step)) step.effects.push({ type: 'cancel-timer', timer });
  step.context.timers = {};
  if (state.phase === 'pausing') dropReply(step, state.candidate);
  if (state.phase === 'hearing') dropReply(step, state.broken?.candidate ?? null);
  if (state.phase === 'speaking' || state.phase === 'doubting') {
    const interrupted = !(state.reply.drained && state.reply.complete);
    step.effects.push({ type: 'flush-playout', epoch: state.reply.epoch, interrupted });
  }
  const unanswered = state.phase === 'pausing' ? [state.heard, state.rest] : [speechOf(state)];
  for (const heard of unanswered) {
    if (heard === null) continue;
    cancelSpeech(step, heard);
    const { text, understood, confidence } = heardText(heard);
    if (text === '') continue;
    const { startedAtMs } = heard;
    step.effects.push({ type: 'unanswered-turn', text, understood, confidence, startedAtMs });
  }
  return { phase: 'ended' };
}
