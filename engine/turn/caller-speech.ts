// The caller's utterances, as the phases of the turn machine open, continue and finish them. Each function takes what
// was heard so far and gives it back changed; what the recogniser is to do stands in the step's effects.
import type { TurnEvent } from './events.ts';
import {
  addSegment,
  type Heard,
  isAsked,
  oldestAsked,
  openSegment,
  startHeard,
  voicedMsOf,
  withSegment,
} from './heard.ts';
import { arm, disarm, isArmed, type Step } from './turn-context.ts';
import { mayAsk, repeatedFrom, soundMs, supersede } from './whole-turn.ts';

/** Requests for the words so far in one turn: each costs as much as a result. */
const MAX_ASKS = 8;
/** Less voice is no word. */
const LEAST_ASKED_MS = 96;

/**
 * Voice begins. It continues the open utterance of `heard`, or opens the next one, which `repeats` the turn so far
 * where the recogniser hears more in all of it.
 */
export function beginSpeech(
  step: Step,
  earlier: Heard | null,
  speechAtMs: number,
  cannotInterrupt: boolean,
  faint = false,
  repeats = false,
): Heard {
  const heard = earlier && {
    ...earlier,
    finality: null,
    likelihood: null,
    dismissed: false,
    pressMs: 0,
    faint: earlier.faint && faint,
  };
  if (heard !== null) {
    const open = openSegment(heard);
    if (open !== null) {
      const change = { voicedBeforeMs: open.voicedBeforeMs + open.burstMs, burstMs: 0 };
      return { ...withSegment(heard, open.utterance, change), talking: true };
    }
  }
  const since = repeats && heard !== null && step.config.hearsTurns ? repeatedFrom(heard, speechAtMs) : undefined;
  const utterance = beginUtterance(step, speechAtMs, since);
  return heard === null
    ? startHeard(utterance, speechAtMs, cannotInterrupt, faint)
    : {
        ...addSegment(heard, utterance, speechAtMs, since),
        talking: true,
        cannotInterrupt: heard.cannotInterrupt || cannotInterrupt,
      };
}

function beginUtterance(step: Step, fromMs: number, since: number | undefined): number {
  const utterance = ++step.context.utterance;
  const from = since === undefined ? {} : { since };
  step.effects.push({ type: 'begin-utterance', utterance, expects: step.context.expects, fromMs, ...from });
  return utterance;
}

/** The caller who has the floor goes on after a pause. */
export function goOnSpeaking(step: Step, heard: Heard, speechAtMs: number, faint: boolean): Heard {
  return beginSpeech(step, heard, speechAtMs, false, faint, true);
}

/**
 * The caller has taken the floor, or taken it back, while speaking: the open utterance begins anew with the turn, where
 * the recogniser hears more in all of it.
 */
export function hearWhole(step: Step, heard: Heard): Heard {
  const open = openSegment(heard);
  if (!step.config.hearsTurns || open === null || open.since !== open.utterance) return heard;
  const since = repeatedFrom(heard, open.startedAtMs);
  if (since === undefined || since === open.utterance) return heard;
  step.effects.push({ type: 'cancel-utterance', utterance: open.utterance });
  const utterance = beginUtterance(step, open.startedAtMs, since);
  const again = { utterance, since, partial: '', asks: 0, answered: 0, askedMs: 0, answeredMs: 0 };
  return withSegment(heard, open.utterance, again);
}

/** The facts of a voice while it lasts, as in `Heard`; one that is left out stays as it was. */
interface VoiceSoFar {
  faint?: boolean;
  isNear?: boolean | null;
  isLikely?: boolean;
  isOther?: boolean;
  pressMs?: number;
  hums?: boolean;
}

/** Voice continues. The VAD counts from its own start, so the current burst is replaced, not added to. */
export function continueSpeech(heard: Heard, burstMs: number, voice: VoiceSoFar = {}): Heard {
  const open = openSegment(heard);
  if (open === null || !heard.talking) return heard;
  const { faint = heard.faint, isOther = open.isOther, hums = open.hums } = voice;
  const { isNear = heard.isNear, isLikely = heard.isLikely, pressMs = heard.pressMs } = voice;
  const longer = withSegment(heard, open.utterance, { burstMs, isOther, hums });
  return { ...longer, faint: heard.faint && faint, isNear, isLikely, pressMs };
}

/** The voice of an event while the agent has the floor. */
export function voiceOf(event: Extract<TurnEvent, { type: 'speech-continued' }>): VoiceSoFar {
  const { faint = false, distance, pressMs = 0, hums = false } = event;
  const isLikely = distance === 'likely';
  const isNear = distance === undefined ? true : distance === 'unknown' || isLikely ? null : false;
  return { faint, isNear, isLikely, isOther: distance === 'other', pressMs, hums };
}

export function stopSpeech(heard: Heard, event: Extract<TurnEvent, { type: 'speech-stopped' }>): Heard {
  const { lastSpeechAtMs, voicedMs, finality = null } = event;
  return { ...continueSpeech(heard, voicedMs), talking: false, lastSpeechAtMs, finality, likelihood: null };
}

/** Asks for the words so far, unless nothing was said since the last time or it was often enough for one turn. */
export function askWords(step: Step, heard: Heard): Heard {
  const open = openSegment(heard);
  if (!step.config.asksWords || open === null || heard.faint || step.context.lineLostAtMs !== null) return heard;
  const asks = heard.segments.reduce((sum, segment) => sum + segment.asks, 0);
  const askedMs = voicedMsOf(open);
  if (isAsked(open) || askedMs < LEAST_ASKED_MS || asks >= MAX_ASKS) return heard;
  if (step.config.hearsTurns && !mayAsk(heard, open, step.nowMs)) return heard;
  const number = open.asks + 1;
  step.effects.push({ type: 'ask-words', utterance: open.utterance, number });
  const askedForMs = heard.askedForMs + soundMs(heard, open, step.nowMs);
  return { ...withSegment(heard, open.utterance, { asks: number, askedMs }), askedForMs };
}

/** Requests the result of the open utterance, if there is one. */
export function finishSpeech(step: Step, heard: Heard): Heard {
  const open = openSegment(heard);
  if (open === null) return heard;
  const { heard: rest, late } = supersede(heard, open);
  for (const utterance of late) step.effects.push({ type: 'cancel-utterance', utterance });
  const same = isAsked(open) ? { asked: open.asks } : {};
  step.effects.push({ type: 'finish-utterance', utterance: open.utterance, ...same });
  if (!isArmed(step, 'stt-deadline')) arm(step, 'stt-deadline', step.nowMs + step.config.sttDeadlineMs);
  const askedForMs = heard.askedForMs + (isAsked(open) ? 0 : soundMs(heard, open, step.nowMs));
  return { ...withSegment(rest, open.utterance, { finishedAtMs: step.nowMs }), askedForMs };
}

/** Sets the STT deadline by the oldest outstanding result. */
export function followDeadline(step: Step, ...all: Array<Heard | null>): void {
  const asked = all.map(oldestAsked).filter((each) => each !== null);
  if (asked.length === 0) disarm(step, 'stt-deadline');
  else arm(step, 'stt-deadline', Math.max(step.nowMs, Math.min(...asked) + step.config.sttDeadlineMs));
}

/** Cancels every utterance of `heard` whose result is outstanding. */
export function cancelSpeech(step: Step, heard: Heard | null): void {
  for (const segment of heard?.segments ?? []) {
    if (segment.result === null) step.effects.push({ type: 'cancel-utterance', utterance: segment.utterance });
  }
}
