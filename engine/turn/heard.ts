// What the caller has said since they took the floor: one or more STT utterances (a pause may end an utterance without
// ending the turn) that are joined into one turn. Values only; every function returns a new one.
import type { SttResult } from '../../models/stt/stt.ts';
import { isBackchannel, isSalutation, normalizeSpeech } from './barge-in.ts';

export interface Segment {
  utterance: number;
  /** Voiced time of earlier bursts of this utterance, and of the running one. */
  voicedBeforeMs: number;
  burstMs: number;
  partial: string;
  /** When the result was asked for; null while the utterance is open. */
  finishedAtMs: number | null;
  result: SttResult | null;
  failed: boolean;
}

export interface Heard {
  segments: readonly Segment[];
  startedAtMs: number;
  lastSpeechAtMs: number;
  /** Voice is on the line now. */
  talking: boolean;
  /** Said where the agent does not yield: it waits for its answer and interrupts nothing. */
  cannotInterrupt: boolean;
}

/** Shorter voicing without any text is a click, a cough or a breath. */
const NOISE_MS = 150;
/** Speech over the agent that was not understood: under this it is taken for a cough or an echo. */
const STRAY_MS = 600;
/** Of text that had to be taken from a partial: there is no measure of it. */
const PARTIAL_CONFIDENCE = 0.5;
/** Bounds one turn; a turn of so many pieces joins its oldest two. */
const MAX_SEGMENTS = 64;

export function newSegment(utterance: number): Segment {
  return {
    utterance,
    voicedBeforeMs: 0,
    burstMs: 0,
    partial: '',
    finishedAtMs: null,
    result: null,
    failed: false,
  };
}

export function startHeard(utterance: number, speechAtMs: number, cannotInterrupt: boolean): Heard {
  return {
    segments: [newSegment(utterance)],
    startedAtMs: speechAtMs,
    lastSpeechAtMs: speechAtMs,
    talking: true,
    cannotInterrupt,
  };
}

/** The utterance that still takes audio, if any. Only the last can. */
export function openSegment(heard: Heard): Segment | null {
  const last = heard.segments.at(-1);
  return last !== undefined && last.finishedAtMs === null && last.result === null ? last : null;
}

export function hasUtterance(heard: Heard | null, utterance: number): heard is Heard {
  return heard?.segments.some((segment) => segment.utterance === utterance) ?? false;
}

export function withSegment(heard: Heard, utterance: number, change: Partial<Segment>): Heard {
  const segments = heard.segments.map((segment) =>
    segment.utterance === utterance ? { ...segment, ...change } : segment,
  );
  return { ...heard, segments };
}

export function addSegment(heard: Heard, utterance: number): Heard {
  const [first, second, ...others] = heard.segments;
  const full = heard.segments.length >= MAX_SEGMENTS && first !== undefined && second !== undefined;
  const kept = full ? [mergeOldest(first, second), ...others] : heard.segments;
  return { ...heard, segments: [...kept, newSegment(utterance)] };
}

function mergeOldest(first: Segment, second: Segment): Segment {
  const a = settled(first);
  const b = settled(second);
  const understood = a.understood || b.understood;
  const text = [a, b]
    .filter((result) => result.understood || !understood)
    .map((result) => result.text)
    .join(' ')
    .trim();
  return {
    ...second,
    voicedBeforeMs: first.voicedBeforeMs + first.burstMs + second.voicedBeforeMs,
    finishedAtMs: second.finishedAtMs ?? first.finishedAtMs,
    result: { text, confidence: Math.min(a.confidence, b.confidence), understood },
    failed: first.failed && second.failed,
  };
}

/** What is known of an utterance: its result, else its partial. */
function settled(segment: Segment): SttResult {
  if (segment.result !== null) return segment.result;
  const text = segment.partial.trim();
  return { text, confidence: text === '' ? 0 : PARTIAL_CONFIDENCE, understood: text !== '' };
}

export function isPending(heard: Heard): boolean {
  return heard.segments.some((segment) => segment.result === null);
}

/** Something is known of every utterance, be it a guess. */
export function hasAllTexts(heard: Heard): boolean {
  return heard.segments.every((segment) => segment.result !== null || segment.partial.trim() !== '');
}

/** Settles by its partial every utterance whose result was asked for at or before `askedAtMs`. */
export function giveUpWaiting(heard: Heard, askedAtMs: number): Heard {
  const segments = heard.segments.map((segment) =>
    segment.result === null && segment.finishedAtMs !== null && segment.finishedAtMs <= askedAtMs
      ? { ...segment, result: settled(segment), failed: segment.partial.trim() === '' }
      : segment,
  );
  return { ...heard, segments };
}

/** The utterance failed: its partial is taken, and where there is none it counts as a failure. */
export function failSegment(heard: Heard, utterance: number): Heard {
  const segments = heard.segments.map((segment) =>
    segment.utterance === utterance && segment.result === null
      ? {
          ...segment,
          finishedAtMs: segment.finishedAtMs ?? 0,
          result: settled(segment),
          failed: segment.partial.trim() === '',
        }
      : segment,
  );
  return { ...heard, segments };
}

/** When the oldest outstanding result was asked for; null when none is outstanding. */
export function oldestAsked(heard: Heard | null): number | null {
  const asked = (heard?.segments ?? []).filter((segment) => segment.result === null).map((each) => each.finishedAtMs);
  return asked.reduce<number | null>(
    (least, each) => (each === null ? least : least === null ? each : Math.min(least, each)),
    null,
  );
}

function isNoise(segment: Segment): boolean {
  const { result } = segment;
  if (result === null || segment.failed) return false;
  return result.text.trim() === '' && result.confidence === 0 && segment.voicedBeforeMs + segment.burstMs < NOISE_MS;
}

/** Without the utterances that turned out to be noise; null when nothing is left. */
export function withoutNoise(heard: Heard): Heard | null {
  return keep(heard, (segment) => !isNoise(segment));
}

/** Speech over the agent, less what asks for no answer: noise, listener's noises, strays, "hello?" over the greeting. */
export function withoutAsides(heard: Heard, overGreeting: boolean): Heard | null {
  return keep(heard, (segment) => {
    if (segment.result === null) return true;
    const { text, understood } = segment.result;
    if (understood && text.trim() !== '') return !isBackchannel(text) && !(overGreeting && isSalutation(text));
    return !isNoise(segment) && segment.voicedBeforeMs + segment.burstMs >= STRAY_MS;
  });
}

function keep(heard: Heard, wanted: (segment: Segment) => boolean): Heard | null {
  const segments = heard.segments.filter(wanted);
  if (segments.length === 0 && !heard.talking) return null;
  return segments.length === heard.segments.length ? heard : { ...heard, segments };
}

export function joinHeard(earlier: Heard | null, later: Heard): Heard {
  if (earlier === null) return later;
  let segments = [...earlier.segments, ...later.segments];
  while (segments.length > MAX_SEGMENTS) {
    const [first, second, ...others] = segments;
    if (first === undefined || second === undefined) break;
    segments = [mergeOldest(first, second), ...others];
  }
  return { ...later, segments, startedAtMs: Math.min(earlier.startedAtMs, later.startedAtMs) };
}

export interface HeardText {
  text: string;
  understood: boolean;
  confidence: number;
  /** Every utterance failed in the recogniser: there is nothing to reply to. */
  failed: boolean;
}

/** The turn as one text. What was not understood is left out when something else was. */
export function heardText(heard: Heard): HeardText {
  const results = heard.segments.map(settled);
  const failed = heard.segments.length > 0 && heard.segments.every((segment) => segment.failed);
  const good = results.filter((result) => result.understood && result.text.trim() !== '');
  const taken = good.length > 0 ? good : results.filter((result) => result.text.trim() !== '');
  const text = taken.map((result) => result.text.trim()).join(' ');
  const confidence = taken.length === 0 ? 0 : Math.min(...taken.map((result) => result.confidence));
  return { text, understood: good.length > 0, confidence, failed };
}

/** Two readings of a turn with the same key deserve the same reply. */
export function replyKey(heard: HeardText): string {
  return `${heard.understood ? '+' : '-'}${normalizeSpeech(heard.text)}`;
}
