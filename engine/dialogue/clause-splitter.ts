// Cuts streamed model text into clauses that can be spoken separately. The first clause is cut early, so that the
// caller hears something soon; later ones are whole sentences, which sound better. Units of speech (a number, a time of
// day, an address, "Dr. Smith") are never split, and clause length is bounded.
//
// The cuts depend on the text alone, never on how the stream was split into tokens.

/** The first clause may end at a comma, unless it is just an "Oh,". */
const FIRST_MIN_CHARS = 8;
/** With at least this many words, the first clause may end between two words, because the caller is waiting. */
const FIRST_MIN_WORDS = 4;
/** Past this length a sentence may be cut at a comma. */
const LATER_MIN_CHARS = 60;
/** Without any boundary, cut between words: at about 6 s of speech for the first clause, 13 s later. */
const FIRST_MAX_CHARS = 90;
const LATER_MAX_CHARS = 200;
/** A shorter rest of a sentence is no clause where the whole text is known: "apartment 3B." */
const MIN_REST_CHARS = 30;
/** Or a letter that stands for one: "unit C". */
const HAS_FIGURE = /\d|(?<![\p{L}'’])[B-HJ-Z](?![\p{L}'’])/u;
/** Text needed after a boundary to be sure of it: closing quotes, a space, the next letter. */
const LOOKAHEAD_CHARS = 8;

/** Stand before a name or a number: the sentence continues in any case. */
const LEADING = new Set([
  'dr',
  'mr',
  'mrs',
  'ms',
  'mx',
  'prof',
  'rev',
  'hon',
  'e.g',
  'i.e',
  'vs',
  'approx',
  'ca',
  'cf',
  // German "z. B.", "d. h.", "bzw.", Spanish "Sra.", Italian "sig."
  ...['z', 'd', 'bzw', 'sra', 'srta', 'sig', 'dott'],
]);
/** Stand before a number only. */
const NUMBERED = new Set(['no', 'nos', 'nr', 'núm', 'p', 'pp', 'tel', 'ext', 'apt', 'ste', 'fig']);
/** May end a sentence: they do if the next word is capitalised. */
const TRAILING = new Set([
  ...['a.m', 'p.m', 'st', 'ave', 'rd', 'blvd', 'ln', 'hwy', 'inc', 'ltd', 'co', 'corp', 'jr', 'sr', 'etc', 'dept'],
  ...['jan', 'feb', 'mar', 'apr', 'jun', 'jul', 'aug', 'sep', 'sept', 'oct', 'nov', 'dec', 'mon', 'tue', 'tues'],
  ...[
    'wed',
    'thu',
    'thur',
    'thurs',
    'fri',
    'sat',
    'sun',
    'min',
    'mins',
    'hr',
    'hrs',
    'lb',
    'oz',
    'ft',
    'appt',
    'u.s',
    'u.k',
  ],
]);

/**
 * Precedes a German day of the month, whose full stop ends no sentence: "am 23. November", "Montag, 3. Mai". The text
 * after it may not have arrived yet.
 */
const BEFORE_GERMAN_DAY =
  /(^|\s)((?<!\bI )am|vom|zum|den|der|dem|bis|(Mon|Diens|Donners|Frei|Sams|Sonn)tag,|Mittwoch,)\s$/i;

const CLOSERS = new Set(['"', "'", '”', '’', ')', ']', '*']);
const SENTENCE_ENDS = new Set(['.', '?', '!', '…']);
const PAUSES = new Set([',', ';', ':', '—', '–']);

export class ClauseSplitter {
  #buffer = '';
  #first = true;
  #opening: string | null = null;

  /** The known opening that was the first clause; null if none was. */
  get opening(): string | null {
    return this.#opening;
  }

  /** Returns the clauses that are final after this piece of text. `openings`: first words that are a whole clause. */
  push(text: string, openings: readonly string[] = []): string[] {
    this.#buffer = (this.#buffer + text).replace(/\s+/g, (blank) => (blank.includes('\n') ? '\n' : ' '));
    return [...this.#takeOpening(openings), ...this.#take(false)];
  }

  /** The text after an opening is cut as early as a first clause. */
  #takeOpening(openings: readonly string[]): string[] {
    if (!this.#first || this.#opening !== null) return [];
    const text = this.#buffer.trimStart();
    const opening = openings.find((each) => text.startsWith(`${each} `));
    if (opening === undefined) return [];
    this.#opening = opening;
    this.#buffer = text.slice(opening.length);
    return [opening];
  }

  /**
   * Cuts the first words as a clause when no boundary comes: at least four, and not ending with a word that needs a
   * next one ("from", "the"). Null if there are too few.
   */
  firstWords(canEnd: (words: string) => boolean): string | null {
    if (!this.#first) return null;
    const text = this.#buffer.trimStart();
    let words = 0;
    for (let index = 0; index < text.length; index++) {
      if (text.charAt(index) !== ' ' || isBound(text, index) || ++words < FIRST_MIN_WORDS) continue;
      const clause = text.slice(0, index);
      if (!canEnd(clause)) continue;
      this.#buffer = text.slice(index);
      this.#first = false;
      return clause;
    }
    return null;
  }

  /** End of stream: the remaining clauses. */
  end(): string[] {
    return this.#take(true);
  }

  #take(over: boolean): string[] {
    const clauses: string[] = [];
    for (;;) {
      // Whitespace between two clauses belongs to neither.
      this.#buffer = this.#buffer.trimStart();
      const end = clauseEnd(this.#buffer, this.#first, over);
      if (end === null) break;
      const clause = this.#buffer.slice(0, end).trim();
      this.#buffer = this.#buffer.slice(end);
      if (clause === '') continue;
      clauses.push(clause);
      this.#first = false;
    }
    return clauses;
  }
}

/** The clauses of a complete text. A short rest with a figure stays with the first clause: by itself it is misheard. */
export function clausesOf(text: string): string[] {
  const splitter = new ClauseSplitter();
  const clauses = [...splitter.push(text), ...splitter.end()];
  const [first = '', second = '', ...others] = clauses;
  const isCut = PAUSES.has(first.slice(-1)) && second.length < MIN_REST_CHARS && HAS_FIGURE.test(second);
  return isCut ? [`${first} ${second}`, ...others] : clauses;
}

/** End of the first clause in `text`; null while undecided. */
function clauseEnd(text: string, first: boolean, over: boolean): number | null {
  if (text === '') return null;
  const maxChars = first ? FIRST_MAX_CHARS : LATER_MAX_CHARS;
  const minChars = first ? FIRST_MIN_CHARS : LATER_MIN_CHARS;
  for (let index = 0; index < text.length && index < maxChars; index++) {
    if (!over && index + LOOKAHEAD_CHARS >= text.length && !isSettled(text, index)) return null;
    const char = text.charAt(index);
    if (char === '\n') return index + 1;
    if (SENTENCE_ENDS.has(char) && endsSentence(text, index)) return afterClosers(text, index + 1);
    if (PAUSES.has(char) && index + 1 >= minChars && endsPhrase(text, index)) return index + 1;
  }
  if (text.length > maxChars + LOOKAHEAD_CHARS || (over && text.length > maxChars))
    return forcedEnd(text, maxChars, over);
  return over ? text.length : null;
}

/** Near the end of the buffer: whether there is enough text to judge the character at `index`. */
function isSettled(text: string, index: number): boolean {
  const char = text.charAt(index);
  if (!SENTENCE_ENDS.has(char) && !PAUSES.has(char)) return true;
  const after = afterClosers(text, index + 1);
  // A letter or digit right after the mark puts it inside a word; otherwise wait for the word after the space.
  return after < text.length && (text.charAt(after) !== ' ' || after + 1 < text.length);
}

function afterClosers(text: string, from: number): number {
  let index = from;
  while (
    index < from + LOOKAHEAD_CHARS - 3 &&
    (CLOSERS.has(text.charAt(index)) || SENTENCE_ENDS.has(text.charAt(index)))
  ) {
    index++;
  }
  return index;
}

function wordBefore(text: string, index: number): string {
  const from = Math.max(text.lastIndexOf(' ', index - 1), text.lastIndexOf('\n', index - 1)) + 1;
  return text.slice(from, index).replace(/^["'“‘(*[]+/, '');
}

function endsSentence(text: string, index: number): boolean {
  const after = afterClosers(text, index + 1);
  const gap = text.charAt(after);
  if (gap !== '' && gap !== ' ' && gap !== '\n') return false;
  if (text.charAt(index) !== '.' || gap === '\n') return true;
  const following = text.charAt(after + 1);
  if (following === '') return true;
  const word = wordBefore(text, index);
  const lower = word.toLowerCase();
  const isDigit = /\d/.test(following);
  // "1. Monday": a list number is spoken with its item.
  if (/^\d{1,2}$/.test(word) && index === word.length) return false;
  if (/^\d{1,2}$/.test(word) && BEFORE_GERMAN_DAY.test(text.slice(0, index - word.length))) return false;
  // An initial. "I" alone ends sentences: "so do I."
  if (/^\p{Lu}$/u.test(word) && word !== 'I') return false;
  if (LEADING.has(lower)) return false;
  if (NUMBERED.has(lower)) return !isDigit;
  if (TRAILING.has(lower)) return /\p{Lu}/u.test(following) && !isSaint(text, index, lower);
  return true;
}

/** "St. Mary", unlike "14 Main St. We are…": a street has its name before it. */
function isSaint(text: string, index: number, word: string): boolean {
  if (word !== 'st') return false;
  const before = wordBefore(text, index - word.length - 1);
  return !/^(\p{Lu}|\d)/u.test(before);
}

function endsPhrase(text: string, index: number): boolean {
  const gap = text.charAt(index + 1);
  if (gap !== ' ' && gap !== '\n') return false;
  // "June 5, 2026", "May 17th, 2029", "1, 2, 3", "555, 0100": spoken as one number.
  const isDigitBefore = /\d(?:st|nd|rd|th)?$/.test(text.slice(Math.max(0, index - 3), index));
  return !(isDigitBefore && /\d/.test(text.charAt(index + 2)));
}

/** Cuts at the last space that splits no unit; cuts mid-word only if the text has no spaces. */
function forcedEnd(text: string, maxChars: number, over: boolean): number | null {
  for (let index = maxChars; index > maxChars / 3; index--) {
    if (text.charAt(index) === ' ' && !isBound(text, index)) return index;
  }
  const space = text.lastIndexOf(' ', maxChars);
  if (space > 0) return space;
  // A word this long is a link: it may exceed the clause length, but has a limit too.
  const next = maxChars + text.slice(maxChars).search(/\s/);
  if (next >= maxChars && next <= 2 * LATER_MAX_CHARS) return next;
  return over || text.length >= 2 * LATER_MAX_CHARS ? Math.min(text.length, 2 * LATER_MAX_CHARS) : null;
}

/** Is the space at `index` inside a number, a time of day or a name with its title? */
function isBound(text: string, index: number): boolean {
  if (/\d/.test(text.charAt(index - 1)) || /\d/.test(text.charAt(index + 1))) return true;
  return text.charAt(index - 1) === '.' && !endsSentence(text, index - 1);
}
