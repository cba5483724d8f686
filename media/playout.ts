// The agent's speech as a queue of clauses in text order, and the map from samples back to text: `heard` derives the
// words that reached the caller from the samples sent. Only one reply (epoch) at a time is open for sending. Audio of
// others may be queued meanwhile, because a reply is prepared before the caller's turn is known to be over.
//
//   queueClause(text) ─► appendAudio(pieces) ─► pull() 20 ms ─► heard(epoch)
//                                               duck: lower · pause, resume: on at a word · flush: forgets the rest
import { joinSamples } from './frame.ts';
import { samplesSinceGap, samplesToGap } from './word-gap.ts';

// 120 s at 8 kHz are 1.9 MB. A reply is a few sentences; audio beyond this is refused, and the clause ends there.
const MAX_QUEUED_MS = 120_000;
const MAX_CLAUSES = 256;
// Too short to be a delay, long enough not to click.
const FADE_MS = 5;
/** A word is understood this long before its end. */
const WORD_TAIL_MS = 60;
/** -12 dB: clearly lower, but every word can still be followed. */
const DUCKED_GAIN = 0.25;
/** A pause waits at most this long for a gap between two words; else it breaks a word off. */
const GAP_WITHIN_MS = 100;
/** A word that was broken off is said again from its beginning, if that is not longer ago. */
const WORD_MS = 500;
// Estimates the length of a clause that is still being rendered.
const CHARACTERS_PER_SECOND = 15;

/** Words that are no answer: they bridge a wait, or say that nobody answers. */
export type ClauseKind = 'filler' | 'apology';

export interface ClauseKey {
  epoch: number;
  /** Grows within the epoch; clauses are spoken in its order. */
  index: number;
}

/** Where a word of a clause ends: in its text (offset), and in its audio (ms). */
interface PlacedWord {
  endChar: number;
  endMs: number;
}

interface Clause {
  epoch: number;
  index: number;
  text: string;
  /** Null: an answer. */
  kind: ClauseKind | null;
  pieces: Int16Array[];
  /** Samples received so far, sent or not. */
  samples: number;
  /** Samples sent so far. */
  sent: number;
  /** All audio has arrived. */
  whole: boolean;
  /** Its audio ended before its text: synthesis failed, or the queue was full. */
  cut: boolean;
  /** End positions of its words, as far as the synthesiser has reported them; empty if it reports none. */
  words: PlacedWord[];
  /** The first piece with unsent samples, and the position in it. */
  piece: number;
  offset: number;
  /** Pieces that were sent too long ago to be said again, and their samples. */
  released: { pieces: number; samples: number };
}

export class Playout {
  readonly #maxSamples: number;
  readonly #fadeSamples: number;
  readonly #samplesPerCharacter: number;
  readonly #frameSamples: number;
  readonly #wordSamples: number;
  #clauses: Clause[] = [];
  #queuedSamples = 0;
  #openEpoch: number | null = null;
  /** Of the clause whose samples were sent last. */
  #sentKind: ClauseKind | null = null;
  #paused = false;
  /** Samples that are still sent after a pause request, up to the next gap. */
  #untilGap = 0;
  /** The pause has broken a word off. */
  #isMidWord = false;
  /** Target gain and current gain; the gain moves over a fade's length. */
  #wantedGain = 1;
  #gain = 1;
  /** The fade-out to send next, after a pause or flush; null if there is none. */
  #tail: Int16Array | null = null;
  #fadeIn = false;

  constructor(sampleRateHz: number) {
    this.#maxSamples = (MAX_QUEUED_MS * sampleRateHz) / 1000;
    this.#fadeSamples = (FADE_MS * sampleRateHz) / 1000;
    this.#samplesPerCharacter = sampleRateHz / CHARACTERS_PER_SECOND;
    this.#frameSamples = sampleRateHz / 50;
    this.#wordSamples = (WORD_MS * sampleRateHz) / 1000;
  }

  get openEpoch(): number | null {
    return this.#openEpoch;
  }

  /** The kind of the clause whose samples the last `pull` sent; null: an answer. */
  get sentKind(): ClauseKind | null {
    return this.#sentKind;
  }

  /** Whether all clauses of `epoch` are whole and sent; true if there are none. */
  drained(epoch: number): boolean {
    for (const clause of this.#clauses) {
      if (clause.epoch === epoch && (!clause.whole || clause.sent < clause.samples)) return false;
    }
    return true;
  }

  /**
   * Queues the text of a clause; indices may come in any order. False if the queue is full or the clause is already
   * queued.
   */
  queueClause(key: ClauseKey, text: string, kind: ClauseKind | null = null): boolean {
    if (this.#clauses.length >= MAX_CLAUSES || this.#find(key)) return false;
    const clause: Clause = {
      ...key,
      text,
      kind,
      pieces: [],
      samples: 0,
      sent: 0,
      whole: false,
      cut: false,
      words: [],
      piece: 0,
      offset: 0,
      released: { pieces: 0, samples: 0 },
    };
    let at = this.#clauses.length;
    while (at > 0) {
      const before = this.#clauses[at - 1] as Clause;
      if (before.epoch < key.epoch || (before.epoch === key.epoch && before.index < key.index)) break;
      at--;
    }
    this.#clauses.splice(at, 0, clause);
    return true;
  }

  /** Adds words to a clause whose text comes with its audio, or after it. */
  extendText(key: ClauseKey, text: string): void {
    const clause = this.#find(key);
    if (clause) clause.text += text;
  }

  /** The newest clause of `epoch`; null if there is none. */
  lastIndex(epoch: number): number | null {
    return this.#clauses.findLast((clause) => clause.epoch === epoch)?.index ?? null;
  }

  /** How much of a clause's audio was sent, ms; 0 if there is no such clause. */
  sentMs(key: ClauseKey): number {
    return ((this.#find(key)?.sent ?? 0) * 1_000) / (this.#frameSamples * 50);
  }

  /**
   * Adds audio to a clause; the array is kept, not copied. `last` completes the clause. False if the clause is unknown
   * or complete (its epoch may have been flushed), or if the queue is full: the clause then ends with the audio that it
   * has.
   */
  appendAudio(key: ClauseKey, samples: Int16Array, last: boolean): boolean {
    const clause = this.#find(key);
    if (!clause || clause.whole) return false;
    const fits = this.#queuedSamples + samples.length <= this.#maxSamples;
    if (fits && samples.length > 0) {
      clause.pieces.push(samples);
      clause.samples += samples.length;
      this.#queuedSamples += samples.length;
    }
    if (last || !fits) clause.whole = true;
    if (!fits) clause.cut = true;
    return fits;
  }

  /** Adds end positions of further words of a clause. Without them the heard text is estimated by proportion. */
  placeWords(key: ClauseKey, words: readonly PlacedWord[]): void {
    this.#find(key)?.words.push(...words);
  }

  /** Ends a clause whose synthesis failed: only its sent part counts as spoken. */
  failClause(key: ClauseKey): void {
    const clause = this.#find(key);
    if (clause && !clause.whole) {
      clause.whole = true;
      clause.cut = true;
    }
  }

  /** From now on sends the audio of `epoch` only. */
  open(epoch: number): void {
    this.#openEpoch = epoch;
    this.#paused = false;
    this.#wantedGain = 1;
    this.#gain = 1;
  }

  /** Lowers the agent's volume by 12 dB, until `unduck`, `resume` or the next epoch. */
  duck(): void {
    this.#wantedGain = DUCKED_GAIN;
  }

  unduck(): void {
    this.#wantedGain = 1;
  }

  /** Samples still sent before a pause is silent. */
  get samplesToSilence(): number {
    return this.#untilGap;
  }

  /** Falls silent at the next gap between words, or at once if none is near, and keeps its position. */
  pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    const untilGap = samplesToGap(this.#peek((GAP_WITHIN_MS * this.#frameSamples * 50) / 1000), this.#frameSamples);
    this.#untilGap = untilGap ?? 0;
    this.#isMidWord = untilGap === null;
    if (this.#untilGap === 0) this.#tail = this.#fadeOut();
  }

  /** Continues at full volume where `pause` stopped, or at the beginning of the word that it has broken off. */
  resume(): void {
    this.#wantedGain = 1;
    if (!this.#paused) return;
    this.#paused = false;
    if (this.#untilGap > 0) {
      this.#untilGap = 0;
      return;
    }
    if (this.#isMidWord) this.#stepBack();
    this.#tail = null;
    this.#gain = 1;
    this.#fadeIn = true;
  }

  /** Drops all audio of `epoch`; the part being sent fades out within 5 ms. Call `heard` before. */
  flush(epoch: number): void {
    if (this.#openEpoch === epoch) {
      if (!this.#paused || this.#untilGap > 0) this.#tail = this.#fadeOut();
      this.#openEpoch = null;
      this.#paused = false;
      this.#untilGap = 0;
    }
    this.#clauses = this.#clauses.filter((clause) => clause.epoch !== epoch);
    this.#queuedSamples = this.#clauses.reduce((sum, clause) => sum + clause.samples - clause.sent, 0);
  }

  /**
   * Fills `out` with the next samples to send. Returns how many of them are the open epoch's speech; the rest is
   * silence.
   */
  pull(out: Int16Array): number {
    let written = 0;
    if (this.#tail) {
      out.set(this.#tail.subarray(0, out.length));
      written = Math.min(this.#tail.length, out.length);
      this.#tail = null;
    }
    if (this.#openEpoch === null || (this.#paused && this.#untilGap === 0)) {
      out.fill(0, written);
      return 0;
    }
    const spoken = this.#speak(out, written);
    if (this.#paused) {
      this.#untilGap = Math.max(0, this.#untilGap - out.length);
      if (this.#untilGap === 0) this.#tail = this.#fadeOut();
    }
    return spoken;
  }

  #speak(out: Int16Array, from: number): number {
    let written = from;
    let spoken = 0;
    for (const clause of this.#clauses) {
      if (clause.epoch !== this.#openEpoch) continue;
      const begin = written;
      written = this.#take(clause, out, written);
      if (this.#fadeIn && written > begin) this.#applyFadeIn(out, begin, written);
      if (written > begin) this.#sentKind = clause.kind;
      spoken += written - begin;
      // The next clause must wait for the audio of this one that is still being rendered.
      if (written === out.length || !clause.whole) break;
    }
    this.#applyGain(out, from, written);
    out.fill(0, written);
    return spoken;
  }

  /** The text of `epoch` that the caller has heard up to the last `pull`, cut at a word; empty if nothing was sent. */
  heard(epoch: number): string {
    const parts: string[] = [];
    for (const clause of this.#clauses) {
      if (clause.epoch !== epoch) continue;
      const isDone = clause.whole && !clause.cut && clause.sent >= clause.samples;
      const text = isDone ? clause.text : this.#heardWords(clause);
      if (text !== '') parts.push(text);
    }
    return parts.join(' ').trim();
  }

  // Uses the synthesiser's own times; without them, the proportion of characters, accurate to a word at an even pace.
  #heardWords(clause: Clause): string {
    const { text, sent, words } = clause;
    if (sent === 0 || text === '') return '';
    if (words.length > 0) {
      const sentMs = (sent * 1000) / (this.#frameSamples * 50);
      return text.slice(0, words.findLast(({ endMs }) => endMs - WORD_TAIL_MS <= sentMs)?.endChar ?? 0).trimEnd();
    }
    const guess = text.length * this.#samplesPerCharacter;
    const total = clause.whole && !clause.cut ? clause.samples : Math.max(clause.samples, guess);
    const characters = (text.length * sent) / total;
    let end = 0;
    for (const word of text.matchAll(/\S+/g)) {
      // A word counts once two thirds of it was sent.
      if (word.index + word[0].length * 0.67 > characters) break;
      end = word.index + word[0].length;
    }
    return text.slice(0, end);
  }

  #find(key: ClauseKey): Clause | undefined {
    return this.#clauses.find((clause) => clause.epoch === key.epoch && clause.index === key.index);
  }

  #take(clause: Clause, out: Int16Array, from: number): number {
    let at = from;
    while (at < out.length && clause.piece < clause.pieces.length) {
      const piece = clause.pieces[clause.piece] as Int16Array;
      const count = Math.min(piece.length - clause.offset, out.length - at);
      out.set(piece.subarray(clause.offset, clause.offset + count), at);
      at += count;
      clause.offset += count;
      if (clause.offset >= piece.length) {
        clause.piece++;
        clause.offset = 0;
      }
    }
    clause.sent += at - from;
    this.#queuedSamples -= at - from;
    this.#release(clause);
    return at;
  }

  /** Drops the audio of pieces that will not be said again. */
  #release({ released, pieces, piece, sent }: Clause): void {
    for (; released.pieces < piece; released.pieces++) {
      const length = pieces[released.pieces]?.length ?? 0;
      if (sent - released.samples - length < this.#wordSamples) return;
      pieces[released.pieces] = EMPTY;
      released.samples += length;
    }
  }

  /** Back to the beginning of the word that was broken off. */
  #stepBack(): void {
    const clause = this.#speaking();
    if (!clause) return;
    let left = samplesSinceGap(this.#behind(clause), this.#frameSamples);
    clause.sent -= left;
    this.#queuedSamples += left;
    while (left > 0) {
      if (clause.offset === 0) clause.offset = clause.pieces[--clause.piece]?.length ?? 0;
      const count = Math.min(left, clause.offset);
      clause.offset -= count;
      left -= count;
    }
  }

  /** The part of the clause that was sent last. */
  #behind({ pieces, piece, offset, sent, released }: Clause): Int16Array {
    const kept = [...pieces.slice(released.pieces, piece), pieces[piece]?.subarray(0, offset) ?? EMPTY];
    return joinSamples(kept).subarray(-Math.min(this.#wordSamples, sent - released.samples));
  }

  #speaking(): Clause | undefined {
    return this.#clauses.find((one) => one.epoch === this.#openEpoch && one.sent < one.samples && one.sent > 0);
  }

  // A copy of the next 5 ms with falling gain. The queue keeps its place, so a resume loses nothing.
  #fadeOut(): Int16Array | null {
    const clause = this.#speaking();
    const piece = clause?.pieces[clause.piece];
    if (!clause || !piece) return null;
    const tail = piece.slice(clause.offset, clause.offset + this.#fadeSamples);
    const gain = this.#gain;
    for (let i = 0; i < tail.length; i++)
      tail[i] = ((tail[i] as number) * gain * (tail.length - i)) / (tail.length + 1);
    return tail;
  }

  #applyGain(out: Int16Array, from: number, to: number): void {
    const wanted = this.#wantedGain;
    if (this.#gain === 1 && wanted === 1) return;
    const step = (1 - DUCKED_GAIN) / this.#fadeSamples;
    for (let at = from; at < to; at++) {
      const left = wanted - this.#gain;
      this.#gain = Math.abs(left) <= step ? wanted : this.#gain + Math.sign(left) * step;
      out[at] = Math.round((out[at] as number) * this.#gain);
    }
  }

  /** A copy of the audio that the open epoch sends next, as far as it is rendered. */
  #peek(count: number): Int16Array {
    const ahead = new Int16Array(count);
    let at = 0;
    for (const clause of this.#clauses) {
      if (clause.epoch !== this.#openEpoch || at === count) continue;
      for (let index = clause.piece; index < clause.pieces.length && at < count; index++) {
        const rest = (clause.pieces[index] as Int16Array).subarray(index === clause.piece ? clause.offset : 0);
        ahead.set(rest.subarray(0, count - at), at);
        at += Math.min(rest.length, count - at);
      }
      if (!clause.whole) break;
    }
    return ahead.subarray(0, at);
  }

  #applyFadeIn(out: Int16Array, from: number, to: number): void {
    const count = Math.min(this.#fadeSamples, to - from);
    for (let i = 0; i < count; i++) out[from + i] = ((out[from + i] as number) * (i + 1)) / (count + 1);
    this.#fadeIn = false;
  }
}

const EMPTY = new Int16Array(0);
