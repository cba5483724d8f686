// The phases in which the caller has the floor or may take it at any time: listening, hearing, pausing.
import {
  askWords,
  beginSpeech,
  cancelSpeech,
  continueSpeech,
  finishSpeech,
  followDeadline,
  goOnSpeaking,
  stopSpeech,
} from './caller-speech.ts';
import type { TurnEvent } from './events.ts';
import { acknowledge } from './group-acknowledgement.ts';
import { failSegment, giveUpWaiting, type Heard, hasUtterance, openSegment, withSegment, withWords } from './heard.ts';
import type { Move } from './transitions.ts';
import {
  askForReply,
  breakPause,
  mendPause,
  next,
  open,
  settlePause,
  startHearing,
  startPause,
} from './transitions.ts';
import { arm, disarm, dropReply, type InPhase, noteReply, type Step } from './turn-context.ts';
import { withResult } from './whole-turn.ts';

/** Voice shorter than three VAD windows is no word. */
export const CLICK_MS = 96;
/** Time that a caller at the maximum turn length still gets to pause for breath. */
const BREATHLESS_MS = 10_000;

/**
 * Applies the recogniser's texts, or the deadline that replaces them. Returns the same value if the event is unrelated.
 */
export function hearText(step: Step, heard: Heard, event: TurnEvent): Heard {
  switch (event.type) {
    case 'stt-partial': {
      const segment = heard.segments.find((each) => each.utterance === event.utterance);
      if (segment === undefined || segment.result !== null) return heard;
      if (event.asked !== undefined) return withWords(heard, segment, event.text, event.asked);
      if (segment.partial === event.text) return heard;
      return withSegment(heard, event.utterance, { partial: event.text });
    }
    case 'stt-final': {
      const segment = heard.segments.find((each) => each.utterance === event.utterance);
      if (segment === undefined || segment.result !== null) return heard;
      return withResult(heard, segment, event.result, step.nowMs);
    }
    case 'stt-failed':
      return hasUtterance(heard, event.utterance) ? failSegment(heard, event.utterance) : heard;
    case 'timer-fired':
      return event.timer === 'stt-deadline' ? giveUpWaiting(heard, step.nowMs - step.config.sttDeadlineMs) : heard;
    default:
      return heard;
  }
}

/** Opens another utterance if the recogniser ended one by itself while the caller still speaks. */
export function keepOpen(step: Step, heard: Heard, event: TurnEvent): Heard {
  const unasked = event.type === 'stt-final' && heard.talking && openSegment(heard) === null;
  return unasked ? beginSpeech(step, heard, step.nowMs, heard.cannotInterrupt) : heard;
}

export function listen(step: Step, state: InPhase<'listening'>, event: TurnEvent): Move {
  switch (event.type) {
    case 'speech-started': {
      const heard = beginSpeech(step, null, event.speechAtMs, false, event.faint ?? false);
      arm(step, 'max-utterance', event.speechAtMs + step.config.maxUtteranceMs);
      return startHearing(step, heard);
    }
    case 'timer-fired': {
      if (event.timer === 'opening') return open(null);
      if (event.timer !== 'idle') return state;
      step.context.isPatient = false;
      const count = ++step.context.prompts;
      const last = count > step.config.idlePrompts;
      return askForReply({ kind: 'idle', count, last }, null);
    }
    case 'reply-requested':
    case 'digit':
      return next(null);
    default:
      return state;
  }
}

export function hear(step: Step, state: InPhase<'hearing'>, event: TurnEvent): Move {
  const { heard } = state;
  switch (event.type) {
    case 'speech-started':
      // A repeated onset changes nothing, unless the recogniser has dropped the utterance.
      return heard.talking
        ? state
        : { ...state, heard: goOnSpeaking(step, heard, event.speechAtMs, event.faint ?? false) };
    case 'speech-continued': {
      const longer = { ...state, heard: continueSpeech(heard, event.voicedMs, { faint: event.faint ?? false }) };
      return event.voicedMs < CLICK_MS ? longer : giveUpPause(step, longer);
    }
    case 'speech-paused':
      return { ...state, heard: askWords(step, heard) };
    case 'speech-stopped': {
      if (state.broken !== null && event.voicedMs < CLICK_MS) return mendPause(step, state, state.broken);
      giveUpPause(step, state);
      return startPause(step, stopSpeech(heard, event));
    }
    case 'clause-queued':
    case 'audio-ready':
    case 'reply-complete':
    case 'reply-failed': {
      const { broken } = state;
      if (broken === null || broken.candidate?.epoch !== event.epoch) return state;
      return { ...state, broken: { ...broken, candidate: noteReply(broken.candidate, event) } };
    }
    case 'timer-fired':
      if (event.timer === 'max-utterance') return endLongTurn(step, giveUpPause(step, state));
      break;
    default:
  }
  const changed = keepOpen(step, hearText(step, heard, event), event);
  if (changed === heard) return state;
  followDeadline(step, changed);
  return { ...state, heard: changed };
}

/** The maximum turn length is reached: the turn ends at the next breath, or in mid-word if there is none. */
function endLongTurn(step: Step, state: InPhase<'hearing'>): Move {
  const { heard } = state;
  if (heard.faint) {
    // This is a radio, not the caller.
    cancelSpeech(step, heard);
    return next(null);
  }
  if (heard.overlong) return breakOff(step, heard);
  arm(step, 'max-utterance', step.nowMs + BREATHLESS_MS);
  return { ...state, heard: { ...heard, overlong: true } };
}

/** The caller does go on: drops the prepared reply. */
function giveUpPause(step: Step, state: InPhase<'hearing'>): InPhase<'hearing'> {
  if (state.broken === null) return state;
  dropReply(step, state.broken.candidate);
  return { ...state, broken: null };
}

/** Ends the turn of a caller who does not stop. Later words are kept until the agent has replied. */
function breakOff(step: Step, heard: Heard): Move {
  const soFar = finishSpeech(step, { ...heard, talking: false, lastSpeechAtMs: step.nowMs });
  const rest = beginSpeech(step, null, step.nowMs, true);
  return settlePause({ phase: 'pausing', heard: soFar, candidate: null, guesses: 0, due: true, rest });
}

/** A result may end in mid-thought ("… and") where its first words seemed complete: it judges the silence anew. */
function mayGoOn({ context }: Step, { heard, rest }: InPhase<'pausing'>, event: TurnEvent): boolean {
  return event.type === 'stt-final' && rest === null && !heard.overlong && context.lineLostAtMs === null;
}

export function pause(step: Step, state: InPhase<'pausing'>, event: TurnEvent): Move {
  const { heard, candidate, rest } = state;
  switch (event.type) {
    case 'speech-started': {
      if (rest !== null) {
        return rest.talking ? state : { ...state, rest: beginSpeech(step, rest, event.speechAtMs, true) };
      }
      return breakPause(step, state, event.speechAtMs, event.faint ?? false);
    }
    case 'speech-continued':
      return rest === null ? state : { ...state, rest: continueSpeech(rest, event.voicedMs) };
    case 'speech-stopped': {
      if (rest === null || !rest.talking) return state;
      return { ...state, rest: finishSpeech(step, stopSpeech(rest, event)) };
    }
    case 'clause-queued':
    case 'audio-ready':
    case 'reply-complete':
    case 'reply-failed':
      return candidate?.epoch === event.epoch ? { ...state, candidate: noteReply(candidate, event) } : state;
    case 'turn-judged':
      if (rest !== null) return state;
      return settlePause({ ...state, heard: { ...heard, likelihood: event.likelihood } });
    case 'timer-fired':
      if (event.timer === 'acknowledge') {
        acknowledge(step, heard);
        return state;
      }
      if (event.timer === 'finish') return settlePause({ ...state, heard: finishSpeech(step, heard) });
      if (event.timer === 'endpoint' || event.timer === 'max-utterance') {
        disarm(step, 'max-utterance');
        return settlePause({ ...state, due: true });
      }
      break;
    default:
  }
  const changed = hearText(step, heard, event);
  const changedRest = rest === null ? null : keepOpen(step, hearText(step, rest, event), event);
  if (changed === heard && changedRest === rest) return state;
  const due = state.due && !mayGoOn(step, state, event);
  return settlePause({ ...state, heard: changed, rest: changedRest, due });
}
