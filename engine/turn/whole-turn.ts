// A turn for a recogniser that hears more in a whole turn than in its pieces (`hearsTurns`): after a pause, the
// utterance begins again where the turn began, results of the pieces are provisional, and the sound that is asked for
// is bounded.
import type { SttResult } from '../../models/stt/stt.ts';
import { type Heard, repeats, type Segment, settled, voicedMsOf, withSegment } from './heard.ts';

/** Recognisers of whole utterances take 30 s, and a turn may go on for another ten. */
const REPEATED_MS = 20_000;
/** Sound in requests for one turn, as a multiple of its length: up to here words so far are asked for, or the whole. */
const WORDS_SHARE = 2;
const WHOLE_SHARE = 2.5;
/** A short turn may cost a little more. */
const FREE_MS = 1_000;
/** Speech after a pause is assumed to be so long when its cost is weighed. */
const NEXT_MS = 1_000;

/**
 * The utterance where speech at `atMs` is heard from: the turn's first that is not too long ago and not too dear;
 * undefined: none is.
 */
export function repeatedFrom(heard: Heard, atMs: number): number | undefined {
  const mostMs = (atMs - heard.startedAtMs) * WHOLE_SHARE + FREE_MS;
  const mayCostMs = Math.min(REPEATED_MS, mostMs - heard.askedForMs - NEXT_MS);
  return heard.segments.find(({ startedAtMs }) => atMs - startedAtMs <= mayCostMs)?.since;
}

/**
 * The result of an utterance that repeats earlier ones takes their place if it has words. A stand-in's result does not
 * take the place of the recogniser's own, and would say their words twice: then it counts as not understood.
 */
export function withResult(heard: Heard, segment: Segment, result: SttResult, atMs: number): Heard {
  const earlier = heard.segments.filter((each) => repeats(segment, each));
  const isOwn = (each: Segment): boolean => settled(each).text !== '' && !each.result?.standIn;
  const isPoorer = (result.standIn ?? false) && earlier.some(isOwn);
  const taken = isPoorer ? { ...result, text: '', confidence: 0, understood: false } : result;
  const settledAt = { result: taken, finishedAtMs: segment.finishedAtMs ?? atMs };
  const isHeard = taken.understood && taken.text.trim() !== '';
  const replaced = earlier.filter((each) => isHeard || settled(each).text === '');
  const [first] = replaced;
  if (first === undefined) return withSegment(heard, segment.utterance, settledAt);
  const voicedMs = replaced.reduce((sum, each) => sum + voicedMsOf(each), 0);
  const whole = { ...settledAt, startedAtMs: first.startedAtMs, voicedBeforeMs: segment.voicedBeforeMs + voicedMs };
  const segments = heard.segments.filter((each) => !replaced.includes(each));
  return withSegment({ ...heard, segments }, segment.utterance, whole);
}

/** Settles utterances that `newest` repeats: nobody waits for their results, which are `late`. */
export function supersede(heard: Heard, newest: Segment): { heard: Heard; late: number[] } {
  const late = heard.segments.filter((each) => each.result === null && repeats(newest, each));
  const settledTo = late.reduce(
    (each, segment) => withSegment(each, segment.utterance, { result: settled(segment) }),
    heard,
  );
  return { heard: settledTo, late: late.map(({ utterance }) => utterance) };
}

/** From the beginning of this utterance's sound to `atMs`. */
export function soundMs(heard: Heard, { since, startedAtMs }: Segment, atMs: number): number {
  return atMs - (heard.segments.find((each) => each.since === since)?.startedAtMs ?? startedAtMs);
}

/** Whether its words so far may be asked for; otherwise its result has to do. */
export function mayAsk(heard: Heard, segment: Segment, atMs: number): boolean {
  const mostMs = (atMs - heard.startedAtMs) * WORDS_SHARE + FREE_MS;
  return heard.askedForMs + soundMs(heard, segment, atMs) <= mostMs;
}
