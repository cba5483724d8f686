// The agent's speech as a queue of clauses in the order of their text, and the map from samples back to text: `heard` derives
// the words that reached the caller from the samples sent. One reply (epoch) at a time is open for sending. Audio of others
// may be queued meanwhile, because a reply is prepared before the caller's turn is known to be over.
//
//   queueClause(text) ─► appendAudio(pieces) ─► pull() 20 ms ─► heard(epoch)
//                                               pause / resume: keeps its place · flush: forgets the rest

// 120 s at 8 kHz are 1.9 MB. A reply is a few sentences; audio beyond this is refused and the clause ends.
const MAX_QUEUED_MS = 120_000;
const MAX_CLAUSES = 256;
// Too short to be a delay, long enough not to click.
const FADE_MS = 5;
// Estimates the length of a clause that is still being rendered.
const CHARACTERS_PER_SECOND = 15;

export interface ClauseKey {
  epoch: number;
  /** Grows within the epoch; clauses are spoken in its order. */
  index: number;
}

interface Clause {
  epoch: number;
  index: number;
  text: string;
  pieces: Int16Array[];
  /** Samples received so far, sent or not. */
  samples: number;
  /** Samples sent so far. */
  sent: number;
  /** No more audio will come. */
  whole: boolean;
  /** Its audio ended before its text: synthesis failed, or the queue was full. */
  cut: boolean;
  /** First piece that still holds unsent samples, and how far into it. */
  piece: number;
  offset: number;
}

export class Playout {
  readonly #maxSamples: number;
  readonly #fadeSamples: number;
  readonly #samplesPerCharacter: number;
  #clauses: Clause[] = [];
  #queuedSamples = 0;
  #openEpoch: number | null = null;
  #paused = false;
  /** The fade-out to be sent next, after a pause or flush; null when there is none. */
  #tail: Int16Array | null = null;
  #fadeIn = false;

  constructor(sampleRateHz: number) {
    this.#maxSamples = (MAX_QUEUED_MS * sampleRateHz) / 1000;
    this.#fadeSamples = (FADE_MS * sampleRateHz) / 1000;
    this.#samplesPerCharacter = sampleRateHz / CHARACTERS_PER_SECOND;
  }

  get openEpoch(): number | null {
    return this.#openEpoch;
  }

  /** Whether all clauses of `epoch` are whole and sent; true when there are none. */
  drained(epoch: number): boolean {
    for (const clause of this.#clauses) {
      if (clause.epoch === epoch && (!clause.whole || clause.sent < clause.samples)) return false;
    }
    return true;
  }

  /** Queues the text of a clause; indices may come in any order. False when the queue is full or the clause is queued already. */
  queueClause(key: ClauseKey, text: string): boolean {
    if (this.#clauses.length >= MAX_CLAUSES || this.#find(key)) return false;
    const clause: Clause = {
      ...key,
      text,
      pieces: [],
      samples: 0,
      sent: 0,
      whole: false,
      cut: false,
      piece: 0,
      offset: 0,
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

  /**
   * Adds audio to a clause; the array is kept, not copied. `last` completes the clause. False when the clause is unknown or
   * complete (its epoch may have been flushed), or when the queue is full: then it ends with the audio it has.
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

  /** Ends a clause whose speech failed: only what was sent of it counts as said. */
  failClause(key: ClauseKey): void {
    const clause = this.#find(key);
    if (clause && !clause.whole) {
      clause.whole = true;
      clause.cut = true;
    }
  }

  /** Sends the audio of `epoch`, and of no other, from now on. */
  open(epoch: number): void {
    this.#openEpoch = epoch;
    this.#paused = false;
  }

  /** Fades out within 5 ms and keeps its place. */
  pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    this.#tail = this.#fadeOut();
  }

  /** Continues at the sample where `pause` stopped. */
  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#tail = null;
    this.#fadeIn = true;
  }

  /** Drops everything of `epoch`; what was being sent fades out within 5 ms. Call `heard` before. */
  flush(epoch: number): void {
    if (this.#openEpoch === epoch) {
      if (!this.#paused) this.#tail = this.#fadeOut();
      this.#openEpoch = null;
      this.#paused = false;
    }
    this.#clauses = this.#clauses.filter((clause) => clause.epoch !== epoch);
    this.#queuedSamples = this.#clauses.reduce((sum, clause) => sum + clause.samples - clause.sent, 0);
  }

  /** Fills `out` with the next samples to send. Returns how many are the open epoch's speech; the rest is silence. */
  pull(out: Int16Array): number {
    let written = 0;
    if (this.#tail) {
      out.set(this.#tail.subarray(0, out.length));
      written = Math.min(this.#tail.length, out.length);
      this.#tail = null;
    }
    if (this.#paused || this.#openEpoch === null) {
      out.fill(0, written);
      return 0;
    }
    let spoken = 0;
    for (const clause of this.#clauses) {
      if (clause.epoch !== this.#openEpoch) continue;
      const begin = written;
      written = this.#take(clause, out, written);
      if (this.#fadeIn && written > begin) this.#applyFadeIn(out, begin, written);
      spoken += written - begin;
      // The next clause must wait for audio of this one that is still being rendered.
      if (written === out.length || !clause.whole) break;
    }
    out.fill(0, written);
    return spoken;
  }

  /** The text of `epoch` that the caller has heard up to the last `pull`, cut at a word; empty when nothing was sent. */
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

  // By proportion of characters, which is accurate to a word when the pace is even.
  #heardWords(clause: Clause): string {
    const { text, sent } = clause;
    if (sent === 0 || text === '') return '';
    const guess = text.length * this.#samplesPerCharacter;
    const total = clause.whole && !clause.cut ? clause.samples : Math.max(clause.samples, guess);
    const characters = (text.length * sent) / total;
    let end = 0;
    for (const word of text.matchAll(/\S+/g)) {
      // A word counts once two thirds of it were sent.
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
        // Sent audio is released; only its length is needed.
        clause.pieces[clause.piece] = EMPTY;
        clause.piece++;
        clause.offset = 0;
      }
    }
    clause.sent += at - from;
    this.#queuedSamples -= at - from;
    return at;
  }

  // A copy of the next 5 ms with falling gain. The queue keeps its place, so a resume loses nothing.
  #fadeOut(): Int16Array | null {
    const clause = this.#clauses.find((one) => one.epoch === this.#openEpoch && one.sent < one.samples && one.sent > 0);
    const piece = clause?.pieces[clause.piece];
    if (!clause || !piece) return null;
    const tail = piece.slice(clause.offset, clause.offset + this.#fadeSamples);
    for (let i = 0; i < tail.length; i++) tail[i] = ((tail[i] as number) * (tail.length - i)) / (tail.length + 1);
    return tail;
  }

  #applyFadeIn(out: Int16Array, from: number, to: number): void {
    const count = Math.min(this.#fadeSamples, to - from);
    for (let i = 0; i < count; i++) out[from + i] = ((out[from + i] as number) * (i + 1)) / (count + 1);
    this.#fadeIn = false;
  }
}

const EMPTY = new Int16Array(0);
