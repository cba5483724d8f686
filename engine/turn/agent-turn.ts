// The phases in which the agent has the floor: thinking, speaking, doubting. Speech of the caller is overheard here
// until it takes the floor or turns out to be an aside.
import { type InterruptionNeed, interruptionNeed, takesFloor } from './barge-in.ts';
import { CLICK_MS, hearText, keepOpen } from './caller-turn.ts';
import type { TurnEvent } from './events.ts';
import { type Heard, isPending, openSegment, withoutAsides } from './heard.ts';
import { cut, endReply, missReply, next, openReply, resume, retract } from './transitions.ts';
import {
  type AgentReply,
  arm,
  beginSpeech,
  continueSpeech,
  disarm,
  finishSpeech,
  followDeadline,
  type InPhase,
  isArmed,
  isProtected,
  noteReply,
  type Phase,
  type Step,
  stopSpeech,
  yields,
} from './turn-context.ts';

/** How long a sound that stopped may still turn out to be words. A recogniser that needs longer is not waited for. */
const DOUBT_MS = 250;
/** Nothing of the reply was heard yet, so a clear sound or one real word is enough to take the turn up again. */
const RETRACT_NEED: InterruptionNeed = { voicedMs: 300, words: 1, graceMs: 0 };

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

/** The caller's speech while the agent has the floor. Null as long as there is none. */
function overhear(step: Step, overheard: Heard | null, event: TurnEvent, cannotInterrupt: boolean): Heard | null {
  switch (event.type) {
    case 'speech-started':
      return overheard?.talking ? overheard : beginSpeech(step, overheard, event.speechAtMs, cannotInterrupt);
    case 'speech-continued':
      return overheard === null ? null : continueSpeech(overheard, event.voicedMs);
    case 'speech-stopped': {
      if (overheard === null || !overheard.talking) return overheard;
      return finishSpeech(step, stopSpeech(overheard, event.lastSpeechAtMs, event.voicedMs));
    }
    default: {
      if (overheard === null) return null;
      const changed = hearText(step, overheard, event);
      if (changed === overheard) return overheard;
      followDeadline(step, changed);
      return keepOpen(step, changed, event);
    }
  }
}

/** Is the newest utterance enough of an interruption? Older ones were judged in their time. */
function isInterruption(heard: Heard, need: InterruptionNeed, graceMs = need.graceMs): boolean {
  const latest = heard.segments.at(-1);
  if (latest === undefined || heard.cannotInterrupt) return false;
  const understood = latest.result === null || latest.result.understood;
  const text = understood ? (latest.result?.text ?? latest.partial) : '';
  const wordless = latest.result === null && text === '';
  const voicedMs = need.voicedMs + (wordless ? graceMs : 0);
  return takesFloor({ ...need, voicedMs }, latest.voicedBeforeMs + latest.burstMs, text);
}

export function think(step: Step, state: InPhase<'thinking'>, event: TurnEvent): Phase {
  if (isOfReply(event, state.reply)) return onReplyEventWhileThinking(step, state, event);
  if (event.type === 'timer-fired') {
    if (event.timer === 'reply-deadline') return missReply(step, state.reply, state.overheard);
    if (event.timer === 'doubt') return openIfReady(step, state);
  }
  const heard = overhear(step, state.overheard, event, false);
  if (heard === state.overheard || heard === null) return state;
  if (!isProtected(state.reply) && isInterruption(heard, RETRACT_NEED)) return retract(step, state, heard);
  if (event.type === 'speech-started') disarm(step, 'doubt');
  if (event.type === 'speech-stopped') arm(step, 'doubt', step.nowMs + DOUBT_MS);
  if (heard.talking || isPending(heard)) return { ...state, overheard: heard };
  disarm(step, 'doubt');
  const overheard = withoutAsides(heard, state.reply.cause.kind === 'opening');
  return openIfReady(step, { ...state, overheard });
}

function onReplyEventWhileThinking(step: Step, state: InPhase<'thinking'>, event: TurnEvent): Phase {
  // Nothing of it may be sent yet, so nothing can have drained.
  if (event.type === 'playout-drained') return state;
  const reply = noteReply(state.reply, event);
  if (reply.audioReady) return openIfReady(step, { ...state, reply });
  if (reply.failed) {
    step.effects.push({ type: 'flush-playout', epoch: reply.epoch, interrupted: false });
    return endReply(step, reply, state.overheard);
  }
  if (reply.complete && reply.clauses === 0) return endReply(step, reply, state.overheard);
  return { ...state, reply };
}

/** Opens the playout, but not over a caller who speaks or has just spoken. */
function openIfReady(step: Step, state: InPhase<'thinking'>): Phase {
  const { reply, overheard } = state;
  if (!reply.audioReady) return state;
  disarm(step, 'reply-deadline');
  const speaks = overheard !== null && !overheard.cannotInterrupt && (overheard.talking || isArmed(step, 'doubt'));
  return speaks ? state : openReply(step, reply, overheard);
}

export function speak(step: Step, state: InPhase<'speaking'>, event: TurnEvent): Phase {
  const { reply } = state;
  if (isOfReply(event, reply)) return onReplyEventWhileSpeaking(step, state, event);
  if (event.type === 'timer-fired' && event.timer === 'reply-deadline') return missReply(step, reply, state.overheard);
  const mayCut = yields(step, reply);
  if (event.type === 'speech-started' && mayCut && !state.overheard?.talking) {
    step.effects.push({ type: 'pause-playout' });
    const overheard = { ...beginSpeech(step, state.overheard, event.speechAtMs, false), cannotInterrupt: false };
    return { phase: 'doubting', reply, overheard };
  }
  const heard = overhear(step, state.overheard, event, true);
  if (heard === state.overheard || heard === null) return state;
  const need = interruptionNeed(step.config.interruptionSensitivity);
  if (mayCut && need !== null && isInterruption(heard, need)) return cut(step, reply, heard);
  const settled = !heard.talking && !isPending(heard);
  return { ...state, overheard: settled ? withoutAsides(heard, reply.cause.kind === 'opening') : heard };
}

function onReplyEventWhileSpeaking(step: Step, state: InPhase<'speaking'>, event: TurnEvent): Phase {
  const reply = noteReply(state.reply, event);
  if (reply.drained && reply.complete) return endReply(step, reply, state.overheard);
  // Silence in mid-reply: the next clause has the deadline that the first had.
  if (event.type === 'playout-drained') arm(step, 'reply-deadline', step.nowMs + step.config.replyDeadlineMs);
  if (event.type === 'clause-queued') disarm(step, 'reply-deadline');
  return { ...state, reply };
}

export function doubt(step: Step, state: InPhase<'doubting'>, event: TurnEvent): Phase {
  if (isOfReply(event, state.reply)) return onReplyEventWhileDoubting(step, state, event);
  const { reply } = state;
  if (event.type === 'timer-fired') {
    if (event.timer === 'doubt') return decide(step, state);
    // The agent is paused, so its silence is no failure; a stalled reply is looked at again after the doubt.
    if (event.timer === 'reply-deadline') return missReply(step, reply, state.overheard);
  }
  if (event.type === 'speech-stopped' && isClick(state.overheard, event.voicedMs)) {
    return resume(step, reply, dropOpen(step, state.overheard));
  }
  const heard = overhear(step, state.overheard, event, false);
  if (heard === state.overheard || heard === null) return state;
  const need = interruptionNeed(step.config.interruptionSensitivity);
  if (need !== null && isInterruption(heard, need)) return cut(step, reply, heard);
  if (event.type === 'speech-started') disarm(step, 'doubt');
  if (event.type === 'speech-stopped') arm(step, 'doubt', step.nowMs + DOUBT_MS);
  return heard.talking || isPending(heard) ? { ...state, overheard: heard } : resume(step, reply, heard);
}

/** Too short for a word, and none was heard: not worth a question to the recogniser, nor a pause for its answer. */
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

/** No more words are waited for: the voice decides. */
function decide(step: Step, { reply, overheard }: InPhase<'doubting'>): Phase {
  const need = interruptionNeed(step.config.interruptionSensitivity);
  const cuts = need !== null && isInterruption(overheard, need, 0);
  return cuts ? cut(step, reply, overheard) : resume(step, reply, overheard);
}

function onReplyEventWhileDoubting(step: Step, state: InPhase<'doubting'>, event: TurnEvent): Phase {
  const reply = noteReply(state.reply, event);
  if (reply.protected) return resume(step, reply, { ...state.overheard, cannotInterrupt: true });
  // The reply had just been sent to its end when the caller began: nothing was interrupted.
  if (reply.drained && reply.complete) {
    step.context.quietSinceMs = step.nowMs;
    return reply.failed ? endReply(step, reply, state.overheard) : next(step, state.overheard);
  }
  if (event.type === 'clause-queued') disarm(step, 'reply-deadline');
  return { ...state, reply };
}
