// The caller's speech since taking the floor: one or more STT utterances form one turn, because a pause may end an
// utterance without ending the turn. Immutable values; every function returns a new one.
import type { SttResult } from '../../models/stt/stt.ts';
import type { Lexicon } from './barge-in.ts';
import { isAnswer, normalizeSpeech, onlyEncourages } from './spoken.ts';

/** One utterance of the recogniser. */
export interface Segment {
  utterance: number;
  /** The utterance with whose beginning its sound begins: itself, or an earlier one of the turn that it repeats. */
  since: number;
  startedAtMs: number;
  /** Voiced time of this utterance's earlier bursts. */
  voicedBeforeMs: number;
  /** Voiced time of its current or last burst. */
  burstMs: number;
  /** Somebody else's voice, not this caller's. */
  isOther: boolean;
  /** It was hummed through closed lips. */
  hums: boolean;
  /** The newest partial text, empty before the first. */
  partial: string;
  /** Requests for the words so far, the newest answered, and the voiced time at the newest request and answer. */
  asks: number;
  answered: number;
  askedMs: number;
  answeredMs: number;
  /** When the result was requested; null while the utterance is open. */
  finishedAtMs: number | null;
  /** Null while outstanding; a failed utterance gets its partial as result. */
  result: SttResult | null;
  /** The recogniser failed, and there was no partial to use instead. */
  failed: boolean;
}

/** Speech of the caller. All times are on the call's clock. */
export interface Heard {
  segments: readonly Segment[];
  startedAtMs: number;
  lastSpeechAtMs: number;
  /** The caller is speaking now. */
  talking: boolean;
  /** Spoken while the agent does not yield: it is answered later and interrupts nothing. */
  cannotInterrupt: boolean;
  /** Nothing in it was as loud as this caller: perhaps a radio, perhaps the caller turned away. */
  faint: boolean;
  /** Whether the newest voice is as near as this caller; null while the caller's level is unknown. */
  isNear: boolean | null;
  /** The caller's level is unknown, and the newest voice is as loud as a turn that was not understood. */
  isLikely: boolean;
  /** For how long the newest voice has sounded as if it wanted the floor. */
  pressMs: number;
  /** Intonation at its end, and a turn-end model's judgement of the silence since; null if unknown. */
  finality: number | null;
  likelihood: number | null;
  /** It had no words after enough time for some; from now on only words interrupt. */
  dismissed: boolean;
  /** Audio that the recogniser was asked for so far, ms. */
  askedForMs: number;
  /** It has reached the maximum turn length and ends at the next short silence. */
  overlong: boolean;
}

/** Voice shorter than this without any text is a click, a cough or a breath. */
const NOISE_MS = 150;
/** The limit with a recogniser that hears every word: a radio, a dog. Longer voice is mumbling, and the agent asks. */
const WORDLESS_NOISE_MS = 10_000;
/** Speech shorter than this over the agent that was not understood counts as a cough, a hum or an echo. */
export const STRAY_MS = 600;
/** For text from a partial, which has no confidence. */
const PARTIAL_CONFIDENCE = 0.5;
/** Bounds one turn: beyond it the oldest two segments are merged. */
const MAX_SEGMENTS = 64;

function newSegment(utterance: number, startedAtMs: number, since = utterance): Segment {
  return {
    utterance,
    since,
    startedAtMs,
    voicedBeforeMs: 0,
    burstMs: 0,
    isOther: false,
    hums: false,
    partial: '',
    asks: 0,
    answered: 0,
    askedMs: 0,
    answeredMs: 0,
    finishedAtMs: null,
    result: null,
    failed: false,
  };
}

export function startHeard(utterance: number, speechAtMs: number, cannotInterrupt: boolean, faint: boolean): Heard {
  return {
    segments: [newSegment(utterance, speechAtMs)],
    startedAtMs: speechAtMs,
    lastSpeechAtMs: speechAtMs,
    talking: true,
    cannotInterrupt,
    faint,
    isNear: null,
    isLikely: false,
    pressMs: 0,
    finality: null,
    likelihood: null,
    dismissed: false,
    askedForMs: 0,
    overlong: false,
  };
}

/** The words of the newest sound, as far as they are known and believed. */
export function newestText({ segments }: Heard): string {
  const latest = segments.at(-1);
  if (latest === undefined) return '';
  return latest.result === null ? latest.partial : latest.result.understood ? latest.result.text : '';
}

/** The utterance that still takes audio; null when none does. Only the last can. */
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

export function addSegment(heard: Heard, utterance: number, speechAtMs: number, since = utterance): Heard {
  const [first, second, ...others] = heard.segments;
  const full = heard.segments.length >= MAX_SEGMENTS && first !== undefined && second !== undefined;
  const kept = full ? [mergeOldest(first, second), ...others] : heard.segments;
  return { ...heard, segments: [...kept, newSegment(utterance, speechAtMs, since)] };
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
    since: first.since,
    startedAtMs: first.startedAtMs,
    voicedBeforeMs: first.voicedBeforeMs + first.burstMs + second.voicedBeforeMs,
    finishedAtMs: second.finishedAtMs ?? first.finishedAtMs,
    result: { text, confidence: Math.min(a.confidence, b.confidence), understood },
    failed: first.failed && second.failed,
  };
}

/** Whether the sound of `later` begins with that of this utterance, or before it. */
export const repeats = (later: Segment, { utterance }: Segment): boolean =>
  later.since <= utterance && utterance < later.utterance;

/** Without those whose words are in a later one. */
function unrepeated(segments: readonly Segment[]): readonly Segment[] {
  const last = segments.at(-1);
  if (last === undefined || last.since === last.utterance) return segments;
  const { text, understood, standIn } = settled(last);
  return text === '' || !understood || standIn ? segments : segments.filter((each) => !repeats(last, each));
}

/** The best text of an utterance: its result, else its partial. */
export function settled(segment: Segment): SttResult {
  if (segment.result !== null) return segment.result;
  const text = segment.partial.trim();
  return { text, confidence: text === '' ? 0 : PARTIAL_CONFIDENCE, understood: text !== '' };
}

export function isPending(heard: Heard): boolean {
  return heard.segments.some((segment) => segment.result === null);
}

/** Whether every utterance has a text of all that was said in it, at least a partial one. */
export function hasAllTexts(heard: Heard): boolean {
  return heard.segments.every(
    (segment) => segment.result !== null || (segment.partial.trim() !== '' && !isStale(segment)),
  );
}

/** Uses the partial as result of every utterance whose result was requested at or before `askedAtMs`. */
export function giveUpWaiting(heard: Heard, askedAtMs: number): Heard {
  const segments = heard.segments.map((segment) =>
    segment.result === null && segment.finishedAtMs !== null && segment.finishedAtMs <= askedAtMs
      ? { ...segment, result: settled(segment), failed: segment.partial.trim() === '' }
      : segment,
  );
  return { ...heard, segments };
}

/** Uses the partial of an utterance that failed; without a partial the utterance counts as failed. */
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

/** When the oldest outstanding result was requested; null if none is outstanding. */
export function oldestAsked(heard: Heard | null): number | null {
  const asked = (heard?.segments ?? []).filter((segment) => segment.result === null).map((each) => each.finishedAtMs);
  return asked.reduce<number | null>(
    (least, each) => (each === null ? least : least === null ? each : Math.min(least, each)),
    null,
  );
}

export function voicedMsOf({ voicedBeforeMs, burstMs }: Segment): number {
  return voicedBeforeMs + burstMs;
}

/** Something was said since the words so far were asked for, or they have not come. */
export function isStale(segment: Segment): boolean {
  const { result, asks, answered } = segment;
  return result === null && asks > 0 && (answered < asks || !isAsked(segment));
}

/** Nothing was said since the words so far were asked for. */
export function isAsked(segment: Segment): boolean {
  return segment.asks > 0 && segment.askedMs === voicedMsOf(segment);
}

/** Words that the recogniser was asked for. An answer to an older request changes nothing. */
export function withWords(heard: Heard, segment: Segment, text: string, asked: number): Heard {
  if (asked < segment.answered) return heard;
  const answeredMs = asked === segment.asks ? segment.askedMs : segment.answeredMs;
  if (text === segment.partial && asked === segment.answered) return heard;
  return withSegment(heard, segment.utterance, { partial: text, answered: asked, answeredMs });
}

function isNoise(segment: Segment, hearsWords: boolean): boolean {
  const { result } = segment;
  if (result === null || segment.failed || result.text.trim() !== '') return false;
  if (hearsWords) return voicedMsOf(segment) < WORDLESS_NOISE_MS;
  return result.confidence === 0 && voicedMsOf(segment) < NOISE_MS;
}

/**
 * Drops utterances that turned out to be noise; null if nothing is left. `hearsWords`: the recogniser hears all free
 * speech, so an utterance without words is noise.
 */
export function withoutNoise(heard: Heard, hearsWords: boolean): Heard | null {
  return keep(heard, (segment) => !isNoise(segment, hearsWords));
}

interface Asides {
  lexicon: Lexicon;
  hearsWords: boolean;
  /** "Hello?" as the agent's greeting began: it needs no answer. */
  meetsGreeting(segment: Segment): boolean;
  /**
   * From this time on a plain yes or no answers the agent; an earlier one is a backchannel. Null: unknown yet, so it is
   * kept.
   */
  answersFromMs: number | null;
}

/**
 * Drops the parts of speech over the agent that need no answer: noise, backchannels, strays, "hello?" as the
 * greeting begins.
 */
export function withoutAsides(
  heard: Heard,
  { lexicon, meetsGreeting, answersFromMs, hearsWords }: Asides,
): Heard | null {
  // Far below this caller's own level: another person in the room, or a radio.
  if (heard.faint && !heard.talking) return null;
  const newest = heard.segments.at(-1);
  return keep(heard, (segment) => {
    if (segment.result === null) return true;
    const { text, understood } = segment.result;
    if (segment.isOther) return false;
    if (!understood && heard.isNear === false) return false;
    if (!understood || text.trim() === '') return !isNoise(segment, hearsWords) && voicedMsOf(segment) >= STRAY_MS;
    if (meetsGreeting(segment)) return false;
    if (!onlyEncourages(text, lexicon.words, lexicon.backchannels)) return true;
    if (!isAnswer(text, lexicon.words)) return false;
    // Only the newest can be the answer.
    return answersFromMs === null ? segment === newest : segment.startedAtMs >= answersFromMs;
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
  return {
    ...later,
    segments,
    startedAtMs: Math.min(earlier.startedAtMs, later.startedAtMs),
    faint: earlier.faint && later.faint,
    askedForMs: earlier.askedForMs + later.askedForMs,
  };
}

interface HeardText {
  text: string;
  understood: boolean;
  confidence: number;
  /** The recogniser failed on every utterance, so there is nothing to reply to. */
  failed: boolean;
}

/** The turn as one text. Utterances that were not understood are left out if another was understood. */
export function heardText(heard: Heard): HeardText {
  const results = unrepeated(heard.segments).map(settled);
  const failed = heard.segments.length > 0 && heard.segments.every((segment) => segment.failed);
  const good = results.filter((result) => result.understood && result.text.trim() !== '');
  const taken = good.length > 0 ? good : results.filter((result) => result.text.trim() !== '');
  const text = taken.map((result) => result.text.trim()).join(' ');
  const confidence = taken.length === 0 ? 0 : Math.min(...taken.map((result) => result.confidence));
  return { text, understood: good.length > 0, confidence, failed };
}

/** The recogniser has heard all of it and believes none of its words. */
export function isUnclear({ segments }: Heard): boolean {
  return (
    segments.length > 0 && segments.every(({ result, failed }) => result !== null && !result.understood && !failed)
  );
}

/** The turn as far as the words are known to its end: of an utterance that went on since, there is no text yet. */
export function freshText(heard: Heard): string {
  return heardText({ ...heard, segments: heard.segments.filter((segment) => !isStale(segment)) }).text;
}

/** Turns with equal keys get the same reply. */
export function replyKey(heard: HeardText): string {
  return `${heard.understood ? '+' : '-'}${normalizeSpeech(heard.text)}`;
}
