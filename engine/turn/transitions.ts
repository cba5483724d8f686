// The transitions between phases: a turn is guessed, committed, answered, cut or retracted. The phase handlers
// (caller-turn.ts, agent-turn.ts) decide when; this file defines the steps of each transition.
//
// A transition ends in a phase, or goes on as another (`Onward`); `arrive` is the one place that follows them. Each
// round takes something that waited, such as overheard speech, keys or a request, so the way ends in one phase.
//
//   transition                      ends in, or goes on as
//   cut, missReply, end-reply       next, ask-for-reply
//   retract, take-back              hearing, settle-pause
//   next                            hearing, settle-pause, ask-for-reply, open, listening
//   open                            ask-for-reply
//   settle-pause                    next (it was noise), commit, pausing (perhaps with a prepared reply)
//   commit                          open, ask-for-reply, end-reply, speaking, thinking
//   ask-for-reply                   thinking

import { finishSpeech, followDeadline, goOnSpeaking, hearWhole } from './caller-speech.ts';
import type { ReplyCause } from './events.ts';
import { acknowledgeSoon } from './group-acknowledgement.ts';
import {
  type Heard,
  hasAllTexts,
  hasUtterance,
  heardText,
  isPending,
  isStale,
  openSegment,
  replyKey,
  type Segment,
  withoutAsides,
  withoutNoise,
} from './heard.ts';
import { isGreeting } from './interruption.ts';
import { endpointOf } from './pause-end.ts';
import { asksToStop, asksToWait, isBackchannel, isSalutation } from './spoken.ts';
import {
  type AgentReply,
  arm,
  type BrokenPause,
  disarm,
  dropReply,
  type InPhase,
  lexiconOf,
  noteFalseAlarm,
  type Phase,
  type Step,
  wantReply,
} from './turn-context.ts';

/**
 * An utterance's result is requested this long before its turn can end. Late enough that a short pause in a sentence
 * does not split the utterance, early enough for a recogniser of 150 ms and one more attempt at the reply.
 */
const FINISH_LEAD_MS = 350;
/** In this time the detector has found the speech that goes on when late packets come. */
const LATE_SPEECH_MS = 200;
/** Replies prepared in one pause. Each unused one costs tokens. */
const MAX_GUESSES = 3;
/** After noise the agent waits this long before prompting, even if the prompt is due. */
const PROMPT_GRACE_MS = 1_000;
/** Silence granted to a caller who asked for patience. */
const PATIENCE_MS = 30_000;
/**
 * An answer to the agent's question begins at most this long before the question ends; an earlier plain yes is a
 * backchannel.
 */
const EARLY_ANSWER_MS = 1_000;
const EARLY_YES_MS = 2_500;

/** A phase, or the transition that follows. */
export type Move = Phase | Onward;

type Onward =
  | { goesOn: 'next'; overheard: Heard | null }
  | { goesOn: 'open'; overheard: Heard | null }
  | { goesOn: 'settle-pause'; pausing: InPhase<'pausing'> }
  | { goesOn: 'commit'; pausing: InPhase<'pausing'> }
  | { goesOn: 'ask-for-reply'; cause: ReplyCause; overheard: Heard | null }
  | { goesOn: 'end-reply'; reply: AgentReply; overheard: Heard | null };

/** The floor is free: the next waiting item gets it. */
export const next = (overheard: Heard | null): Onward => ({ goesOn: 'next', overheard });

/** The agent's opening. */
export const open = (overheard: Heard | null): Onward => ({ goesOn: 'open', overheard });

/** A pause whose text or time has changed. */
export const settlePause = (pausing: InPhase<'pausing'>): Onward => ({ goesOn: 'settle-pause', pausing });

/** Asks for a reply that answers no turn of the caller, and waits for it. */
export const askForReply = (cause: ReplyCause, overheard: Heard | null): Onward => ({
  goesOn: 'ask-for-reply',
  cause,
  overheard,
});

/** The reply is over: spoken to its end, empty, or failed. */
export const endReply = (reply: AgentReply, overheard: Heard | null): Onward => ({
  goesOn: 'end-reply',
  reply,
  overheard,
});

/** Follows the transitions until a phase is reached. */
export function arrive(step: Step, move: Move): Phase {
  let current = move;
  while ('goesOn' in current) current = goOn(step, current);
  return current;
}

function goOn(step: Step, onward: Onward): Move {
  switch (onward.goesOn) {
    case 'next':
      return giveFloor(step, onward.overheard);
    case 'open':
      return beginOpening(step, onward.overheard);
    case 'settle-pause':
      return judgePause(step, onward.pausing);
    case 'commit':
      return commit(step, onward.pausing);
    case 'ask-for-reply':
      return awaitReply(step, wantReply(step, onward.cause, null, true), null, onward.overheard);
    case 'end-reply':
      return concludeReply(step, onward.reply, onward.overheard);
  }
}

/** Gives the free floor to the caller, to waiting digits or to a waiting request, in this order. */
function giveFloor(step: Step, overheard: Heard | null): Move {
  disarm(step, 'doubt', 'reply-deadline', 'endpoint', 'finish', 'acknowledge');
  if (overheard?.talking) return startHearing(step, overheard);
  if (overheard !== null && overheard.segments.length > 0)
    return startPause(step, { ...overheard, cannotInterrupt: false });
  const { context } = step;
  const [digits, ...groups] = context.digitGroups;
  if (digits !== undefined) {
    context.digitGroups = groups;
    return askForReply({ kind: 'digits', digits }, null);
  }
  const [request, ...requests] = context.requests;
  if (request !== undefined) {
    context.requests = requests;
    return askForReply({ kind: 'requested', request }, null);
  }
  disarm(step, 'stt-deadline', 'max-utterance');
  if (context.openingAtMs !== null) {
    if (step.nowMs >= context.openingAtMs) return open(null);
    arm(step, 'opening', context.openingAtMs);
    return { phase: 'listening' };
  }
  const idleMs = context.isPatient ? Math.max(PATIENCE_MS, step.config.idleMs) : step.config.idleMs;
  arm(step, 'idle', Math.max(context.quietSinceMs + idleMs, step.nowMs + PROMPT_GRACE_MS));
  return { phase: 'listening' };
}

function beginOpening(step: Step, overheard: Heard | null): Onward {
  step.context.openingAtMs = null;
  disarm(step, 'opening');
  return askForReply({ kind: 'opening' }, overheard);
}

/** The caller speaks and has the floor. */
export function startHearing(step: Step, heard: Heard): InPhase<'hearing'> {
  disarm(step, 'idle', 'doubt', 'endpoint', 'finish', 'acknowledge', 'opening');
  if (step.context.timers['max-utterance'] === undefined) {
    arm(step, 'max-utterance', step.nowMs + step.config.maxUtteranceMs);
  }
  return { phase: 'hearing', heard: { ...hearWhole(step, heard), cannotInterrupt: false }, broken: null };
}

/** The caller may go on. The prepared reply is kept until that is certain. */
export function breakPause(
  step: Step,
  pausing: InPhase<'pausing'>,
  speechAtMs: number,
  faint: boolean,
): InPhase<'hearing'> {
  const { heard, candidate, guesses } = pausing;
  const hearing = startHearing(step, goOnSpeaking(step, heard, speechAtMs, faint));
  return { ...hearing, broken: { heard, candidate, guesses } };
}

/** The sound was a click: returns to the pause as if its silence had not been broken. */
export function mendPause(step: Step, hearing: InPhase<'hearing'>, broken: BrokenPause): Onward {
  const { heard, candidate, guesses } = broken;
  const fresh = hearing.heard.segments.filter((segment) => !hasUtterance(heard, segment.utterance));
  for (const { utterance, result } of fresh) {
    if (result === null) step.effects.push({ type: 'cancel-utterance', utterance });
  }
  // Results that came in the meantime belong to the earlier words.
  const segments = hearing.heard.segments.filter((segment) => !fresh.includes(segment));
  return settlePause({
    phase: 'pausing',
    heard: { ...heard, segments },
    candidate,
    guesses,
    due: false,
    rest: null,
  });
}

/** The caller has fallen silent. */
export function startPause(step: Step, heard: Heard): Onward {
  disarm(step, 'idle', 'doubt');
  return settlePause({ phase: 'pausing', heard, candidate: null, guesses: 0, due: false, rest: null });
}

/** Judges a pause again: the turn was noise, has ended, or is still open. */
function judgePause(step: Step, pausing: InPhase<'pausing'>): Move {
  const heard = isPending(pausing.heard) ? pausing.heard : withoutNoise(pausing.heard, step.config.hearsWords);
  if (heard === null || heard.segments.length === 0) {
    dropReply(step, pausing.candidate);
    disarm(step, 'stt-deadline', 'max-utterance');
    followDeadline(step, pausing.rest);
    return next(pausing.rest);
  }
  const { settled, complete } = followSilence(step, { ...pausing, heard });
  const hasEnded = settled.due && !isPending(settled.heard);
  return hasEnded ? { goesOn: 'commit', pausing: settled } : guess(step, settled, complete);
}

/** Sets the pause's timers from its text, and requests the recogniser's result when due. */
function followSilence(step: Step, pausing: InPhase<'pausing'>): { settled: InPhase<'pausing'>; complete: boolean } {
  const { nowMs, context } = step;
  let { heard } = pausing;
  const { delayMs, complete, isGroup } = endpointOf(step, heard);
  // Without packets it is unknown whether the caller is silent.
  const isKnown = context.lineLostAtMs === null;
  const due = pausing.due || (isKnown && nowMs >= heard.lastSpeechAtMs + delayMs);
  if (due || !isKnown) disarm(step, 'endpoint', 'finish');
  else arm(step, 'endpoint', heard.lastSpeechAtMs + delayMs);
  if (isGroup && isKnown && !due && pausing.rest === null) acknowledgeSoon(step, heard);
  else disarm(step, 'acknowledge');
  const open = openSegment(heard);
  if (open !== null) {
    // A recogniser without partials is asked at once, because only its result brings the text. The text before it
    // ("… and") does not tell how it ends.
    const silent = (open.partial === '' || isStale(open)) && endpointOf(step, { ...heard, segments: [open] }).complete;
    const askAtMs = heard.lastSpeechAtMs + (silent ? 0 : Math.max(0, delayMs - FINISH_LEAD_MS));
    // Speech may have begun in what came late: two utterances would both have its first word.
    const finishAtMs = Math.max(askAtMs, (context.lineBackAtMs ?? Number.NEGATIVE_INFINITY) + LATE_SPEECH_MS);
    if (due || (isKnown && nowMs >= finishAtMs)) {
      disarm(step, 'finish');
      heard = finishSpeech(step, heard);
    } else if (isKnown) arm(step, 'finish', finishAtMs);
  }
  followDeadline(step, heard, pausing.rest);
  return { settled: { ...pausing, heard, due }, complete };
}

/** Prepares a reply to the turn as heard so far, while its end is uncertain. */
function guess(step: Step, pausing: InPhase<'pausing'>, complete: boolean): InPhase<'pausing'> {
  const said = heardText(pausing.heard);
  const key = replyKey(said);
  const { candidate, guesses } = pausing;
  // The agent's own opening comes first, and needs no preparation.
  const mayPrepare = step.config.guessing && step.context.openingAtMs === null;
  if (candidate?.key === key || !mayPrepare) return pausing;
  dropReply(step, candidate);
  const whole = !isPending(pausing.heard);
  const worthwhile = said.text === '' ? whole && !said.failed : whole || (complete && hasAllTexts(pausing.heard));
  const isIdle = pausing.heard.faint && !whole;
  if (!worthwhile || isIdle || guesses >= MAX_GUESSES) return { ...pausing, candidate: null };
  const reply = wantReply(step, turnCause(step, pausing.heard), key, false);
  return { ...pausing, candidate: reply, guesses: guesses + 1 };
}

function turnCause({ config }: Step, heard: Heard): Extract<ReplyCause, { kind: 'turn' }> {
  const { text, understood, confidence } = heardText(heard);
  const cause = { kind: 'turn', text, understood, confidence, startedAtMs: heard.startedAtMs } as const;
  if (!understood) return cause;
  const { words } = lexiconOf(config);
  if (asksToStop(text, words)) return { ...cause, asksToStop: true };
  return asksToWait(text, words) ? { ...cause, asksToWait: true } : cause;
}

/** The caller's turn has ended. */
function commit(step: Step, pausing: InPhase<'pausing'>): Move {
  const { heard, candidate, rest } = pausing;
  disarm(step, 'endpoint', 'finish', 'acknowledge', 'max-utterance');
  step.context.prompts = 0;
  step.context.wentOn /= 2;
  step.context.acknowledged = null;
  step.context.quietSinceMs = step.nowMs;
  const said = heardText(heard);
  const sureness = endpointOf(step, heard).sure ? {} : { unsure: true as const };
  const cause = { ...turnCause(step, heard), ...sureness };
  step.context.requests = step.context.requests.filter(({ kind }) => kind !== 'answer');
  step.context.isPatient = cause.asksToWait ?? cause.asksToStop ?? false;
  if (step.context.openingAtMs !== null) {
    dropReply(step, candidate);
    const { text, understood, confidence, startedAtMs } = cause;
    if (text !== '') step.effects.push({ type: 'unanswered-turn', text, understood, confidence, startedAtMs });
    return open(rest);
  }
  if (said.failed) {
    dropReply(step, candidate);
    return askForReply({ kind: 'fallback', reason: 'stt-failed' }, rest);
  }
  step.context.hasStated ||= !isSalutation(said.text, lexiconOf(step.config).words);
  const key = replyKey(said);
  if (candidate === null || candidate.key !== key || candidate.failed) {
    dropReply(step, candidate);
    return awaitReply(step, wantReply(step, cause, key, true), heard, rest);
  }
  step.effects.push({ type: 'commit-reply', epoch: candidate.epoch, cause });
  const reply = { ...candidate, cause };
  // The candidate may have become audible in the pause, or may have been empty.
  if (reply.complete && reply.clauses === 0) return endReply(reply, rest);
  return reply.audioReady ? openReply(step, reply, heard, rest) : awaitReply(step, reply, heard, rest);
}

/** Waits for the first audio of a committed reply. */
function awaitReply(step: Step, reply: AgentReply, turn: Heard | null, overheard: Heard | null): Phase {
  disarm(step, 'idle');
  const { replyDeadlineMs, speechDeadlineMs } = step.config;
  const deadlineAtMs = step.nowMs + (reply.clauses > 0 ? speechDeadlineMs : replyDeadlineMs);
  arm(step, 'reply-deadline', deadlineAtMs);
  return { phase: 'thinking', reply: { ...reply, deadlineAtMs }, turn, overheard };
}

/**
 * The agent speaks. The caller's earlier words are answered later and do not interrupt. `mayInterrupt`: a sound that
 * goes on without a word yet; it may still bring words.
 */
export function openReply(
  step: Step,
  reply: AgentReply,
  turn: Heard | null,
  overheard: Heard | null,
  mayInterrupt = false,
): Phase {
  disarm(step, 'reply-deadline', 'doubt');
  step.effects.push({ type: 'open-playout', epoch: reply.epoch });
  const kept = overheard === null ? null : { ...overheard, cannotInterrupt: !mayInterrupt };
  // Nothing that the caller says could belong to a turn that was too long.
  const start =
    turn === null || turn.overlong || step.config.keepsHeardReplies
      ? null
      : { turn, openedAtMs: step.nowMs, wasSure: endpointOf(step, turn).sure };
  return { phase: 'speaking', reply: { ...reply, openedAtMs: step.nowMs }, overheard: kept, start };
}

/** Ends a reply. A failed one is followed by the fallback, unless it was the fallback. */
function concludeReply(step: Step, reply: AgentReply, overheard: Heard | null): Onward {
  disarm(step, 'reply-deadline', 'doubt');
  step.context.retractions = 0;
  step.context.quietSinceMs = step.nowMs;
  const rest = overheard === null ? null : dropAsides(step, reply, overheard, answersFromMs(step));
  if (reply.failed && reply.cause.kind !== 'fallback') {
    return askForReply({ kind: 'fallback', reason: 'reply-failed' }, rest);
  }
  return next(rest);
}

/**
 * Drops what needs no answer of the speech over this reply. `answersFromMs`: from when a plain yes or no is its answer;
 * null while that is unknown.
 */
export function dropAsides(
  step: Step,
  reply: AgentReply,
  heard: Heard,
  answersFromMs: number | null = null,
): Heard | null {
  const { config, effects } = step;
  const lexicon = lexiconOf(config);
  const { hearsWords } = config;
  const meetsGreeting = (segment: Segment): boolean => isGreeting(step, reply, segment);
  const kept = withoutAsides(heard, { lexicon, hearsWords, meetsGreeting, answersFromMs });
  for (const { utterance, result, startedAtMs } of heard.segments) {
    if (hasUtterance(kept, utterance) || !result?.understood) continue;
    if (isBackchannel(result.text, lexicon.words, lexicon.backchannels))
      effects.push({ type: 'note-encouragement', atMs: startedAtMs });
  }
  return kept;
}

/** The time from which a plain yes or no counts as an answer to the reply that ends now. */
function answersFromMs({ context, nowMs }: Step): number {
  return nowMs - (context.expects === 'yes-no' ? EARLY_YES_MS : EARLY_ANSWER_MS);
}

/** No audio came in time. Rendered audio of the reply is dropped; the caller's turn stays in the history. */
export function missReply(step: Step, reply: AgentReply, overheard: Heard | null): Onward {
  step.effects.push({ type: 'flush-playout', epoch: reply.epoch, interrupted: false });
  disarm(step, 'reply-deadline', 'doubt');
  step.context.quietSinceMs = step.nowMs;
  if (reply.cause.kind === 'fallback') return next(overheard);
  return askForReply({ kind: 'fallback', reason: 'reply-deadline' }, overheard);
}

/** Somebody else wants the agent silent: no interruption by the caller, and no failure. */
export function stopReply(step: Step, reply: AgentReply, overheard: Heard | null, interrupted: boolean): Onward {
  step.effects.push({ type: 'flush-playout', epoch: reply.epoch, interrupted });
  disarm(step, 'reply-deadline', 'doubt');
  step.context.quietSinceMs = step.nowMs;
  return next(overheard);
}

/** The caller takes the floor from the speaking agent. Backchannels before the newest words are dropped. */
export function cut(step: Step, reply: AgentReply, overheard: Heard | null): Onward {
  step.effects.push(
    { type: 'flush-playout', epoch: reply.epoch, interrupted: true },
    { type: 'barge-in', epoch: reply.epoch, atMs: step.nowMs },
  );
  step.context.prompts = 0;
  step.context.retractions = 0;
  step.context.falseAlarms = 0;
  step.context.quietSinceMs = step.nowMs;
  return next(overheard && withoutEncouragement(step, reply, overheard));
}

function withoutEncouragement(step: Step, reply: AgentReply, overheard: Heard): Heard {
  const earlier = { ...overheard, segments: overheard.segments.slice(0, -1) };
  const kept = dropAsides(step, reply, earlier, Number.POSITIVE_INFINITY);
  return { ...overheard, segments: [...(kept?.segments ?? []), ...overheard.segments.slice(-1)] };
}

/** A false alarm: the agent goes on at full volume, from where it paused. */
export function resume(step: Step, { reply, paused, start }: InPhase<'doubting'>, overheard: Heard): Phase {
  disarm(step, 'doubt');
  noteFalseAlarm(step);
  step.effects.push(
    { type: paused ? 'resume-playout' : 'unduck-playout' },
    { type: 'false-interruption', epoch: reply.epoch },
  );
  const settled = !overheard.talking && !isPending(overheard);
  return {
    phase: 'speaking',
    reply,
    overheard: settled ? dropAsides(step, reply, overheard) : overheard,
    start,
  };
}
