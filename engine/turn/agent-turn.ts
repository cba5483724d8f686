// The phases in which the agent has the floor: thinking, speaking, doubting. Here the caller's speech is overheard, until
// it takes the floor or turns out to be an aside.
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

/** For this long, a sound that has stopped may still turn out to be words. A slower recogniser is not waited for. */
const DOUBT_MS = 250;
/** While nothing of the reply was heard, a clear sound or one real word is enough to continue the caller's turn. */
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

/** The caller's speech while the agent has the floor; null while there is none. */
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

/** Whether the newest utterance interrupts the agent. Older ones were judged when they were new. */
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
  // The playout is not open yet, so nothing can have drained.
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

/** Opens the playout when audio is ready, but not over a caller who speaks or has just spoken. */
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
  // Silence in the middle of a reply: the next clause gets the same deadline as the first.
  if (event.type === 'playout-drained') arm(step, 'reply-deadline', step.nowMs + step.config.replyDeadlineMs);
  if (event.type === 'clause-queued') disarm(step, 'reply-deadline');
  return { ...state, reply };
}

export function doubt(step: Step, state: InPhase<'doubting'>, event: TurnEvent): Phase {
  if (isOfReply(event, state.reply)) return onReplyEventWhileDoubting(step, state, event);
  const { reply } = state;
  if (event.type === 'timer-fired') {
    if (event.timer === 'doubt') return decide(step, state);
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

/** Too short for a word, and none was heard: not worth asking the recogniser, or pausing for its answer. */
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

/** The wait for words is over: the voice alone decides. */
function decide(step: Step, { reply, overheard }: InPhase<'doubting'>): Phase {
  const need = interruptionNeed(step.config.interruptionSensitivity);
  const cuts = need !== null && isInterruption(overheard, need, 0);
  return cuts ? cut(step, reply, overheard) : resume(step, reply, overheard);
}

function onReplyEventWhileDoubting(step: Step, state: InPhase<'doubting'>, event: TurnEvent): Phase {
  const reply = noteReply(state.reply, event);
  if (reply.protected) return resume(step, reply, { ...state.overheard, cannotInterrupt: true });
  // The reply had been sent to its end just when the caller began, so nothing was interrupted.
  if (reply.drained && reply.complete) {
    step.context.quietSinceMs = step.nowMs;
    return reply.failed ? endReply(step, reply, state.overheard) : next(step, state.overheard);
  }
  if (event.type === 'clause-queued') disarm(step, 'reply-deadline');
  return { ...state, reply };
}
