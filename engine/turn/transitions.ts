// The transitions between phases: a turn is guessed, committed, answered, cut or retracted. The handlers of the phases
// (caller-turn.ts, agent-turn.ts) decide when; this file says what each transition consists of.
import { endpoint } from './endpointing.ts';
import type { ReplyCause } from './events.ts';
import {
  type Heard,
  hasAllTexts,
  hasUtterance,
  heardText,
  isPending,
  joinHeard,
  openSegment,
  replyKey,
  withoutAsides,
  withoutNoise,
} from './heard.ts';
import {
  type AgentReply,
  arm,
  type BrokenPause,
  beginSpeech,
  disarm,
  dropReply,
  finishSpeech,
  followDeadline,
  type InPhase,
  type Phase,
  type Step,
  wantReply,
} from './turn-context.ts';

/**
 * An utterance's result is asked for this long before its turn can end. Late enough that a short pause in a sentence does
 * not split the utterance, early enough for a recogniser of 150 ms and one more attempt at the reply.
 */
const FINISH_LEAD_MS = 350;
/** Replies prepared in one pause. Each that is not used costs tokens. */
const MAX_GUESSES = 3;
/** After noise the agent waits this long before it prompts, even if the prompt is due. */
const PROMPT_GRACE_MS = 1_000;

/** The floor is free: gives it to the caller, to waiting digits or to a waiting request, in this order. */
export function next(step: Step, overheard: Heard | null): Phase {
  disarm(step, 'doubt', 'reply-deadline', 'endpoint', 'finish');
  if (overheard?.talking) return startHearing(step, overheard);
  if (overheard !== null && overheard.segments.length > 0)
    return startPause(step, { ...overheard, cannotInterrupt: false });
  const { context } = step;
  const [digits, ...groups] = context.digitGroups;
  if (digits !== undefined) {
    context.digitGroups = groups;
    return askForReply(step, { kind: 'digits', digits }, null);
  }
  const [request, ...requests] = context.requests;
  if (request !== undefined) {
    context.requests = requests;
    return askForReply(step, { kind: 'requested', request }, null);
  }
  disarm(step, 'stt-deadline', 'max-utterance');
  arm(step, 'idle', Math.max(context.quietSinceMs + step.config.idleMs, step.nowMs + PROMPT_GRACE_MS));
  return { phase: 'listening' };
}

/** The caller speaks and has the floor. */
export function startHearing(step: Step, heard: Heard): InPhase<'hearing'> {
  disarm(step, 'idle', 'doubt', 'endpoint', 'finish');
  if (step.context.timers['max-utterance'] === undefined) {
    arm(step, 'max-utterance', step.nowMs + step.config.maxUtteranceMs);
  }
  return { phase: 'hearing', heard: { ...heard, cannotInterrupt: false }, broken: null };
}

/** The caller may be going on. The prepared reply is kept until that is certain. */
export function breakPause(step: Step, pausing: InPhase<'pausing'>, speechAtMs: number): Phase {
  const { heard, candidate, guesses } = pausing;
  const hearing = startHearing(step, beginSpeech(step, heard, speechAtMs, false));
  return { ...hearing, broken: { heard, candidate, guesses } };
}

/** It was a click: back to the pause as if its silence had not been broken. */
export function mendPause(step: Step, hearing: InPhase<'hearing'>, broken: BrokenPause): Phase {
  const { heard, candidate, guesses } = broken;
  const fresh = hearing.heard.segments.filter((segment) => !hasUtterance(heard, segment.utterance));
  for (const { utterance, result } of fresh) {
    if (result === null) step.effects.push({ type: 'cancel-utterance', utterance });
  }
  // Results that came meanwhile belong to the earlier words.
  const segments = hearing.heard.segments.filter((segment) => !fresh.includes(segment));
  return settlePause(step, {
    phase: 'pausing',
    heard: { ...heard, segments },
    candidate,
    guesses,
    due: false,
    rest: null,
  });
}

/** The caller has fallen silent. */
export function startPause(step: Step, heard: Heard): Phase {
  disarm(step, 'idle', 'doubt');
  return settlePause(step, { phase: 'pausing', heard, candidate: null, guesses: 0, due: false, rest: null });
}

/** Re-evaluates a pause after its text or the time has changed: the turn was noise, has ended, or is still open. */
export function settlePause(step: Step, pausing: InPhase<'pausing'>): Phase {
  const heard = isPending(pausing.heard) ? pausing.heard : withoutNoise(pausing.heard);
  if (heard === null || heard.segments.length === 0) {
    dropReply(step, pausing.candidate);
    disarm(step, 'stt-deadline', 'max-utterance');
    followDeadline(step, pausing.rest);
    return next(step, pausing.rest);
  }
  const { settled, complete } = followSilence(step, { ...pausing, heard });
  const hasEnded = settled.due && !isPending(settled.heard);
  return hasEnded ? commit(step, settled) : guess(step, settled, complete);
}

/** Sets the pause's timers by its text, and asks the recogniser for the result when that is due. */
function followSilence(step: Step, pausing: InPhase<'pausing'>): { settled: InPhase<'pausing'>; complete: boolean } {
  const { nowMs, config, context } = step;
  let { heard } = pausing;
  const { delayMs, complete } = endpoint(heardText(heard).text, context.expects, config.silenceThresholdMs);
  const due = pausing.due || nowMs >= heard.lastSpeechAtMs + delayMs;
  if (due) disarm(step, 'endpoint');
  else arm(step, 'endpoint', heard.lastSpeechAtMs + delayMs);
  const open = openSegment(heard);
  if (open !== null) {
    // A recogniser that gives no partials is asked at once, since nothing else brings its text.
    const silent = complete && open.partial === '';
    const finishAtMs = heard.lastSpeechAtMs + (silent ? 0 : Math.max(0, delayMs - FINISH_LEAD_MS));
    if (due || nowMs >= finishAtMs) {
      disarm(step, 'finish');
      heard = finishSpeech(step, heard);
    } else arm(step, 'finish', finishAtMs);
  }
  followDeadline(step, heard, pausing.rest);
  return { settled: { ...pausing, heard, due }, complete };
}

/** Prepares a reply to the turn as it seems to be, while its end is still uncertain. */
function guess(step: Step, pausing: InPhase<'pausing'>, complete: boolean): InPhase<'pausing'> {
  const said = heardText(pausing.heard);
  const key = replyKey(said);
  const { candidate, guesses } = pausing;
  if (candidate?.key === key) return pausing;
  dropReply(step, candidate);
  const whole = !isPending(pausing.heard);
  const worthwhile = said.text === '' ? whole && !said.failed : whole || (complete && hasAllTexts(pausing.heard));
  if (!worthwhile || guesses >= MAX_GUESSES) return { ...pausing, candidate: null };
  const reply = wantReply(step, turnCause(pausing.heard), key, false);
  return { ...pausing, candidate: reply, guesses: guesses + 1 };
}

function turnCause(heard: Heard): ReplyCause {
  const { text, understood, confidence } = heardText(heard);
  return { kind: 'turn', text, understood, confidence, startedAtMs: heard.startedAtMs };
}

/** The caller's turn has ended. */
function commit(step: Step, pausing: InPhase<'pausing'>): Phase {
  const { heard, candidate, rest } = pausing;
  disarm(step, 'endpoint', 'finish', 'max-utterance');
  step.context.prompts = 0;
  step.context.quietSinceMs = step.nowMs;
  const said = heardText(heard);
  if (said.failed) {
    dropReply(step, candidate);
    return askForReply(step, { kind: 'fallback', reason: 'stt-failed' }, rest);
  }
  const cause = turnCause(heard);
  const key = replyKey(said);
  if (candidate === null || candidate.key !== key || candidate.failed) {
    dropReply(step, candidate);
    return awaitReply(step, wantReply(step, cause, key, true), heard, rest);
  }
  step.effects.push({ type: 'commit-reply', epoch: candidate.epoch, cause });
  const reply = { ...candidate, cause };
  // The candidate may have become audible in the pause, or have turned out to be empty.
  if (reply.complete && reply.clauses === 0) return endReply(step, reply, rest);
  return reply.audioReady ? openReply(step, reply, rest) : awaitReply(step, reply, heard, rest);
}

/** Asks for a reply that answers no turn of the caller, and waits for it. */
export function askForReply(step: Step, cause: ReplyCause, overheard: Heard | null): Phase {
  return awaitReply(step, wantReply(step, cause, null, true), null, overheard);
}

/** Waits for the first audio of a committed reply. */
function awaitReply(step: Step, reply: AgentReply, turn: Heard | null, overheard: Heard | null): Phase {
  disarm(step, 'idle');
  arm(step, 'reply-deadline', step.nowMs + step.config.replyDeadlineMs);
  return { phase: 'thinking', reply, turn, overheard };
}

/** The agent speaks. What the caller said before is answered later and does not interrupt. */
export function openReply(step: Step, reply: AgentReply, overheard: Heard | null): Phase {
  disarm(step, 'reply-deadline', 'doubt');
  step.effects.push({ type: 'open-playout', epoch: reply.epoch });
  return { phase: 'speaking', reply, overheard: overheard === null ? null : { ...overheard, cannotInterrupt: true } };
}

/** The reply is over: spoken to its end, empty, or failed. A failed one is followed by the fallback, unless it was that. */
export function endReply(step: Step, reply: AgentReply, overheard: Heard | null): Phase {
  disarm(step, 'reply-deadline', 'doubt');
  step.context.quietSinceMs = step.nowMs;
  const rest = overheard === null ? null : withoutAsides(overheard, reply.cause.kind === 'opening');
  if (reply.failed && reply.cause.kind !== 'fallback') {
    return askForReply(step, { kind: 'fallback', reason: 'reply-failed' }, rest);
  }
  return next(step, rest);
}

/** No audio came in time. What was rendered of the reply is dropped; the caller's turn stays in the history. */
export function missReply(step: Step, reply: AgentReply, overheard: Heard | null): Phase {
  step.effects.push({ type: 'flush-playout', epoch: reply.epoch, interrupted: false });
  disarm(step, 'reply-deadline', 'doubt');
  step.context.quietSinceMs = step.nowMs;
  if (reply.cause.kind === 'fallback') return next(step, overheard);
  return askForReply(step, { kind: 'fallback', reason: 'reply-deadline' }, overheard);
}

/** The caller goes on before anything of the reply was heard, so both utterances become one turn. */
export function retract(step: Step, thinking: InPhase<'thinking'>, overheard: Heard): Phase {
  dropReply(step, thinking.reply);
  disarm(step, 'reply-deadline', 'doubt');
  step.context.prompts = 0;
  const heard = { ...joinHeard(thinking.turn, overheard), cannotInterrupt: false };
  return heard.talking ? startHearing(step, heard) : startPause(step, heard);
}

/** The caller takes the floor from the speaking agent. */
export function cut(step: Step, reply: AgentReply, overheard: Heard | null): Phase {
  step.effects.push(
    { type: 'flush-playout', epoch: reply.epoch, interrupted: true },
    { type: 'barge-in', epoch: reply.epoch, atMs: step.nowMs },
  );
  step.context.prompts = 0;
  step.context.quietSinceMs = step.nowMs;
  return next(step, overheard);
}

/** A false alarm: the agent continues where it paused. */
export function resume(step: Step, reply: AgentReply, overheard: Heard): Phase {
  disarm(step, 'doubt');
  step.effects.push({ type: 'resume-playout' }, { type: 'false-interruption', epoch: reply.epoch });
  return { phase: 'speaking', reply, overheard: withoutAsides(overheard, reply.cause.kind === 'opening') };
}
