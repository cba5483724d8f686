// The phases in which the agent has the floor: thinking, speaking, doubting. The caller's speech is collected as
// `overheard` until it takes the floor or turns out to need no answer.
import {
  askWords,
  beginSpeech,
  continueSpeech,
  finishSpeech,
  followDeadline,
  stopSpeech,
  voiceOf,
} from './caller-speech.ts';
import { CLICK_MS, hearText, keepOpen } from './caller-turn.ts';
import { continuesPast, continuesTurn, goesOnAlone, retract, takeBack } from './continued-turn.ts';
import type { TurnEvent } from './events.ts';
import { type Heard, isPending, openSegment, voicedMsOf, withSegment } from './heard.ts';
import {
  isElsewhere,
  isEncouragement,
  isGreeting,
  isInterruption,
  isLong,
  isNoWords,
  isOther,
  isUnknownObjection,
  isWordless,
  phraseWordsOf,
  understoodText,
  voiceSilences,
} from './interruption.ts';
import { asksToWait, speechWords } from './spoken.ts';
import { cut, dropAsides, endReply, type Move, missReply, next, openReply, resume } from './transitions.ts';
import {
  type AgentReply,
  arm,
  disarm,
  falseAlarmsOf,
  type InPhase,
  isArmed,
  lexiconOf,
  needOf,
  noteReply,
  type Step,
  yields,
} from './turn-context.ts';

/** A sound that has stopped may still turn out to be words within this time. A slower recogniser is not waited for. */
const DOUBT_MS = 250;
/** A sound without words delays a ready reply by at most this: a radio may go on for ever. */
const HOLD_MS = 1_200;
/** After this many false alarms in a row, the first sound no longer lowers the agent's voice. */
const WARY_ALARMS = 3;
const WARY_ONSET_MS = 250;
/** Voiced times at which the words over the agent are asked for, until some decide. */
const ASK_AT_MS = [128, 224, 352, 480, 640, 800];
/** A recogniser of phrases on a busy machine tells a word within this time of its end. */
const RESULT_MS = 1_500;
/** How much longer the reply's deadline may run while the caller is heard. */
const DEADLINE_GRACE_MS = 500;
/** A fixed sentence whose voice is late is waited for so many deadlines more; then nothing will come. */
const PUT_OFF_DEADLINES = 2;

function isOfReply(event: TurnEvent, reply: AgentReply): boolean {
  switch (event.type) {
    case 'clause-queued':
    case 'audio-ready':
    case 'reply-complete':
    case 'reply-failed':
    case 'playout-drained':
      return event.epoch === reply.epoch;
    default:
      return false;
  }
}

/** The caller's speech while the agent has the floor; null while there is none. */
function overhear(step: Step, overheard: Heard | null, event: TurnEvent, cannotInterrupt: boolean): Heard | null {
  switch (event.type) {
    case 'speech-started':
      return overheard?.talking
        ? overheard
        : beginSpeech(step, overheard, event.speechAtMs, cannotInterrupt, event.faint ?? false);
    case 'speech-continued':
      return overheard === null ? null : continueSpeech(overheard, event.voicedMs, voiceOf(event));
    case 'speech-stopped': {
      if (overheard === null || !overheard.talking) return overheard;
      return finishSpeech(step, stopSpeech(overheard, event));
    }
    default: {
      if (overheard === null) return null;
      const changed = hearHum(step, hearText(step, overheard, event));
      if (changed === overheard) return overheard;
      followDeadline(step, changed);
      return keepOpen(step, changed, event);
    }
  }
}

/** A recogniser of phrases hears "wait" in many a hum. The sound is a surer sign. */
function hearHum({ config }: Step, heard: Heard): Heard {
  const latest = heard.segments.at(-1);
  if (!config.knowsPhrases || latest === undefined || latest.result === null || !latest.hums) return heard;
  const { result, utterance } = latest;
  if (!asksToWait(result.text, lexiconOf(config).words)) return heard;
  return withSegment(heard, utterance, { result: { ...result, text: 'mm-hmm' } });
}

export function think(step: Step, state: InPhase<'thinking'>, event: TurnEvent): Move {
  if (isOfReply(event, state.reply)) return onReplyEventWhileThinking(step, state, event);
  if (event.type === 'timer-fired') {
    if (event.timer === 'reply-deadline')
      return isWorthVoice(state.reply) ? putOff(step, state) : missReply(step, state.reply, state.overheard);
    if (event.timer === 'doubt') return openIfReady(step, state);
  }
  const heard = overhear(step, state.overheard, event, false);
  if (heard === state.overheard || heard === null) return state;
  if (continuesTurn(step, state, heard)) return retract(step, state, heard);
  if (event.type === 'speech-started') disarm(step, 'doubt');
  if (event.type === 'speech-stopped') arm(step, 'doubt', step.nowMs + DOUBT_MS);
  if (heard.talking || isPending(heard)) return openIfReady(step, { ...state, overheard: heard });
  disarm(step, 'doubt');
  return openIfReady(step, { ...state, overheard: dropAsides(step, state.reply, heard) });
}

function onReplyEventWhileThinking(step: Step, state: InPhase<'thinking'>, event: TurnEvent): Move {
  // The playout is not open yet, so nothing can have drained.
  if (event.type === 'playout-drained') return state;
  const reply = noteReply(state.reply, event);
  if (reply.audioReady) return openIfReady(step, { ...state, reply });
  if (reply.failed) {
    step.effects.push({ type: 'flush-playout', epoch: reply.epoch, interrupted: false });
    return endReply(reply, state.overheard);
  }
  if (reply.complete && reply.clauses === 0) return endReply(reply, state.overheard);
  if (state.reply.clauses > 0 || reply.clauses === 0) return { ...state, reply };
  // The model has spoken: from now on only its voice can be late.
  const deadlineAtMs = step.nowMs + step.config.speechDeadlineMs;
  if (reply.deadlineAtMs !== null && reply.deadlineAtMs <= deadlineAtMs) return { ...state, reply };
  arm(step, 'reply-deadline', deadlineAtMs);
  return { ...state, reply: { ...reply, deadlineAtMs } };
}

/** An apology in place of words that are there would need the same voice, and a caller who waits wants these words. */
function isWorthVoice({ cause, clauses, putOff }: AgentReply): boolean {
  const isFixed = cause.kind === 'opening' || (cause.kind === 'requested' && cause.request.kind === 'say');
  return isFixed && clauses > 0 && putOff === undefined;
}

function putOff(step: Step, state: InPhase<'thinking'>): Move {
  const deadlineAtMs = step.nowMs + PUT_OFF_DEADLINES * step.config.speechDeadlineMs;
  arm(step, 'reply-deadline', deadlineAtMs);
  return { ...state, reply: { ...state.reply, deadlineAtMs, putOff: true } };
}

/** Opens the playout when audio is ready, but not while the caller speaks or has just spoken. */
function openIfReady(step: Step, state: InPhase<'thinking'>): Move {
  const { reply, turn, overheard } = state;
  if (!reply.audioReady) return state;
  disarm(step, 'reply-deadline');
  if (overheard === null || overheard.cannotInterrupt || overheard.faint)
    return openReply(step, reply, turn, overheard);
  if (!overheard.talking && !isArmed(step, 'doubt')) return openReply(step, reply, turn, overheard);
  const latest = overheard.segments.at(-1);
  const isEndless =
    overheard.talking && latest !== undefined && isWordless(step, latest) && voicedMsOf(latest) >= HOLD_MS;
  return isEndless ? openReply(step, reply, turn, overheard, true) : state;
}

export function speak(step: Step, state: InPhase<'speaking'>, event: TurnEvent): Move {
  const { reply } = state;
  if (isOfReply(event, reply)) return onReplyEventWhileSpeaking(step, state, event);
  if (event.type === 'timer-fired' && event.timer === 'reply-deadline') return missReply(step, reply, state.overheard);
  const mayCut = yields(step, reply);
  if (event.type === 'speech-started' && mayCut && !event.faint && !state.overheard?.talking) {
    const overheard = { ...beginSpeech(step, state.overheard, event.speechAtMs, false), cannotInterrupt: false };
    return onsetMs(step) === 0 ? lowerVoice(step, state, overheard) : { ...state, overheard };
  }
  const heard = overhear(step, state.overheard, event, true);
  if (heard === state.overheard || heard === null) return state;
  const need = needOf(step);
  if (continuesPast(step, state, heard)) return takeBack(step, reply, state.start, heard);
  if (mayCut && need !== null && isInterruption(step, reply, heard, need)) return cut(step, reply, heard);
  if (mayCut && event.type === 'speech-continued' && isDoubtful(step, heard)) return lowerVoice(step, state, heard);
  const settled = !heard.talking && !isPending(heard);
  if (mayCut && settled && isUnknownObjection(step, heard, false)) return cut(step, reply, heard);
  return { ...state, overheard: settled ? dropAsides(step, reply, heard) : heard };
}

/** Length of voice that lowers the agent's volume: zero, unless the line has brought false alarms. */
function onsetMs(step: Step): number {
  return falseAlarmsOf(step) >= WARY_ALARMS ? WARY_ONSET_MS : 0;
}

function isDoubtful(step: Step, heard: Heard): boolean {
  const latest = heard.segments.at(-1);
  if (latest === undefined || !heard.talking || heard.cannotInterrupt || heard.faint || heard.dismissed) return false;
  return voicedMsOf(latest) >= Math.max(1, onsetMs(step)) && !isEncouragement(step, latest);
}

function lowerVoice(step: Step, { reply, start }: InPhase<'speaking'>, overheard: Heard): Move {
  step.effects.push({ type: 'duck-playout' });
  return { phase: 'doubting', reply, overheard, paused: false, start };
}

function onReplyEventWhileSpeaking(step: Step, state: InPhase<'speaking'>, event: TurnEvent): Move {
  const reply = noteReply(state.reply, event);
  if (reply.drained && reply.complete) return endReply(reply, state.overheard);
  // Silence in the middle of a reply: the next clause gets the same deadline as the first.
  if (event.type === 'playout-drained') arm(step, 'reply-deadline', deadlineOf(step, reply));
  if (event.type === 'clause-queued') disarm(step, 'reply-deadline');
  return { ...state, reply };
}

function deadlineOf({ nowMs, config }: Step, { clauses, deadlineAtMs }: AgentReply): number {
  const isBegun = clauses > 0 || deadlineAtMs === null;
  return isBegun ? nowMs + config.replyDeadlineMs : Math.max(nowMs, deadlineAtMs);
}

export function doubt(step: Step, state: InPhase<'doubting'>, event: TurnEvent): Move {
  if (isOfReply(event, state.reply)) return onReplyEventWhileDoubting(step, state, event);
  const { reply } = state;
  if (event.type === 'timer-fired') {
    if (event.timer === 'doubt') return decide(step, state);
    // The caller may be speaking, so the fallback waits until that is clear.
    if (event.timer === 'reply-deadline') {
      arm(step, 'reply-deadline', step.nowMs + DEADLINE_GRACE_MS);
      return state;
    }
  }
  if (event.type === 'speech-stopped' && isClick(state.overheard, event.voicedMs)) {
    return resume(step, state, dropOpen(step, state.overheard));
  }
  const heard = overhear(step, state.overheard, event, false);
  if (heard === null || (heard === state.overheard && event.type !== 'speech-paused')) return state;
  const need = needOf(step);
  if (continuesPast(step, state, heard)) return takeBack(step, reply, state.start, heard);
  if (need !== null && isInterruption(step, reply, heard, need)) return cut(step, reply, heard);
  if (event.type === 'speech-started') disarm(step, 'doubt');
  if (event.type === 'speech-stopped') {
    // Too short for an interruption: the agent goes on at full volume, and words may still stop it.
    if (!state.paused && !isLong(step, heard)) return resume(step, state, heard);
    arm(step, 'doubt', step.nowMs + DOUBT_MS);
  }
  if (!heard.talking && !isPending(heard)) {
    if (isUnknownObjection(step, heard, state.paused)) return cut(step, reply, heard);
    return resume(step, state, heard);
  }
  if (isNoWords(step, heard)) return resume(step, state, { ...heard, dismissed: true });
  const asked = event.type === 'speech-paused' || isAskDue(heard) ? askWords(step, heard) : heard;
  return fallSilent(step, { ...state, overheard: asked }, event);
}

/** The caller has spoken long enough for the next request for their words. */
function isAskDue(heard: Heard): boolean {
  const open = openSegment(heard);
  return open !== null && heard.talking && voicedMsOf(open) >= (ASK_AT_MS[open.asks] ?? Number.POSITIVE_INFINITY);
}

/** Pauses the agent before it is certain that it must yield: at a first real word, or at a voice that goes on. */
function fallSilent(step: Step, state: InPhase<'doubting'>, event: TurnEvent): Move {
  const { paused, overheard } = state;
  const latest = overheard.segments.at(-1);
  if (paused || latest === undefined || isEncouragement(step, latest)) return state;
  if (isElsewhere(step, overheard) || isOther(step, latest)) return state;
  if (isGreeting(step, state.reply, latest)) return state;
  const hasWord = !isWordless(step, latest, phraseWordsOf(overheard)) && speechWords(understoodText(latest)).length > 0;
  const isVoice =
    event.type === 'speech-continued' && (goesOnAlone(step, state) || voiceSilences(step, overheard, latest));
  return hasWord || isVoice ? silenced(step, state) : state;
}

function silenced(step: Step, state: InPhase<'doubting'>): InPhase<'doubting'> {
  if (state.paused) return state;
  step.effects.push({ type: 'pause-playout' });
  return { ...state, paused: true };
}

/** Too short for a word, and none was heard: no reason to ask the recogniser or to pause for its answer. */
function isClick(heard: Heard, burstMs: number): boolean {
  const open = openSegment(heard);
  return heard.talking && open !== null && open.partial === '' && open.voicedBeforeMs === 0 && burstMs < CLICK_MS;
}

function dropOpen(step: Step, heard: Heard): Heard {
  const open = openSegment(heard);
  if (open === null) return { ...heard, talking: false };
  step.effects.push({ type: 'cancel-utterance', utterance: open.utterance });
  return { ...heard, talking: false, segments: heard.segments.filter((segment) => segment !== open) };
}

/** The wait for words is over: decide by the voice alone, unless the words are sure to come. */
function decide(step: Step, state: InPhase<'doubting'>): Move {
  const { reply, overheard } = state;
  const need = needOf(step);
  const goesOn = continuesPast(step, state, overheard, true);
  const cuts = need !== null && isInterruption(step, reply, overheard, need, { graceMs: 0 });
  if ((state.paused || goesOn || cuts) && isWorthWaiting(step, overheard)) {
    arm(step, 'doubt', step.nowMs + DOUBT_MS);
    return silenced(step, state);
  }
  if (goesOn) return takeBack(step, reply, state.start, overheard);
  return cuts ? cut(step, reply, overheard) : resume(step, state, overheard);
}

/**
 * The recogniser, busy with others, has not told the word yet: until it does, silence costs no more than a decision by
 * the voice, which takes a "got it" for the rest of the turn.
 */
function isWorthWaiting(step: Step, overheard: Heard): boolean {
  const asked = overheard.segments.at(-1)?.finishedAtMs ?? null;
  const isLate = asked === null || step.nowMs - asked >= RESULT_MS;
  return step.config.knowsPhrases === true && isPending(overheard) && !isLate;
}

function onReplyEventWhileDoubting(step: Step, state: InPhase<'doubting'>, event: TurnEvent): Move {
  const reply = noteReply(state.reply, event);
  if (reply.protected) return resume(step, { ...state, reply }, { ...state.overheard, cannotInterrupt: true });
  // The reply had been played to its end just as the caller began, so nothing was interrupted.
  if (reply.drained && reply.complete) {
    step.context.quietSinceMs = step.nowMs;
    return reply.failed ? endReply(reply, state.overheard) : next(state.overheard);
  }
  if (event.type === 'clause-queued') disarm(step, 'reply-deadline');
  return { ...state, reply };
}
