// Tables of contacts as spreadsheets write them: their encoding, the line that names the separator, marks that nobody
// sees, and numbers with blanks. For files that the dashboard reads and those that the API is sent.

/** The bytes cannot be read as text. `row` is a line of the file from 1, null where the whole is meant. */
export class TableEncodingError extends Error {
  override readonly name = 'TableEncodingError';
  readonly row: number | null;
  constructor(row: number | null, message: string) {
    super(message);
    this.row = row;
  }
}

/** Encodings of Unicode by their first bytes; UTF-8's own mark is skipped by the decoder. */
const MARKS: ReadonlyArray<[readonly number[], string]> = [
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/**
 * UTF-8; a line with other bytes comes from a spreadsheet on Windows, which writes Windows-1252.
 * @param charset as declared; null: not @throws {TableEncodingError}
 */
export function tableText(bytes: Uint8Array, charset: string | null = null): string {
  const marked = MARKS.find(([mark]) => mark.every((byte, at) => bytes[at] === byte))?.[1];
  if (marked !== undefined) return decoded(marked, bytes);
  if (charset !== null && !/^utf-?8$/i.test(charset)) return decoded(charset, bytes);
  if (bytes.includes(0)) throw new TableEncodingError(null, 'is neither UTF-8 nor Windows-1252: save it as UTF-8');
  try {
    return decoded('utf-8', bytes);
  } catch {
    return decoded('utf-8', windowsLinesAsUtf8(bytes));
  }
}

function decoded(charset: string, bytes: Uint8Array): string {
  const decoder = decoderOf(charset);
  try {
    return decoder.decode(bytes);
  } catch {
    throw new TableEncodingError(null, `is not in the encoding ${charset}`);
  }
}

function decoderOf(charset: string) {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    throw new TableEncodingError(null, `is in the encoding ${charset}, which is not known: save it as UTF-8`);
  }
}

/** The letters of Windows-1252 from 0x80 to 0x9f; five bytes mean nothing. The others are those of Unicode. */
const WINDOWS_LETTERS = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

/**
 * Each line that is no UTF-8 is taken as Windows-1252. In one pass, without an exception a line: a table of short lines
 * has hundreds of thousands.
 */
function windowsLinesAsUtf8(bytes: Uint8Array): Uint8Array {
  const text = new Uint8Array(bytes.length * 3);
  let length = 0;
  let line = 1;
  for (let from = 0; from < bytes.length; line++) {
    const end = bytes.indexOf(0x0a, from);
    const to = end < 0 ? bytes.length : end + 1;
    if (isUtf8(bytes, from, to)) {
      text.set(bytes.subarray(from, to), length);
      length += to - from;
    } else for (let at = from; at < to; at++) length = writeLetter(text, length, windowsLetter(bytes[at] ?? 0, line));
    from = to;
  }
  return text.subarray(0, length);
}

function windowsLetter(byte: number, line: number): number {
  if (byte < 0x80 || byte > 0x9f) return byte;
  const letter = WINDOWS_LETTERS.charCodeAt(byte - 0x80);
  if (letter !== 0x20) return letter;
  throw new TableEncodingError(line, `is neither UTF-8 nor Windows-1252 in line ${line}: save it as UTF-8`);
}

/** As UTF-8; returns where the next one goes. */
function writeLetter(text: Uint8Array, at: number, letter: number): number {
  let next = at;
  if (letter < 0x80) text[next++] = letter;
  else {
    if (letter < 0x800) text[next++] = 0xc0 | (letter >> 6);
    else {
      text[next++] = 0xe0 | (letter >> 12);
      text[next++] = 0x80 | ((letter >> 6) & 0x3f);
    }
    text[next++] = 0x80 | (letter & 0x3f);
  }
  return next;
}

/** RFC 3629 4. */
function isUtf8(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; ) {
    const first = bytes[at] ?? 0;
    const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    if (length === 0 || at + length > to) return false;
    for (let n = 1; n < length; n++) {
      const byte = bytes[at + n] ?? 0;
      // Neither longer than need be, nor half of a character, nor beyond the last one.
      const least = n > 1 ? 0x80 : first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
      const most = n > 1 ? 0xbf : first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
      if (byte < least || byte > most) return false;
    }
    at += length;
  }
  return true;
}

/** Excel's first line `sep=;` names the separator and is no row. */
export function separatorOf(text: string): { separator: string | null; rows: string } {
  const named = /^\ufeff?"?sep=(.)"?[;,\t ]*(?:\r\n|\r|\n|$)/i.exec(text);
  return named === null
    ? { separator: null, rows: text }
    : { separator: named[1] ?? null, rows: text.slice(named[0].length) };
}

/** Marks of direction, blanks of no width and soft hyphens come with what is copied from a telephone or a web page. */
const UNSEEN = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/g;

/** Without blanks around it and marks that nobody sees. */
export function cellText(cell: string | undefined): string {
  return (cell ?? '').replace(UNSEEN, '').trim();
}

/**
 * A number as people write it, with blanks, brackets, points or dashes, as `+` and digits; anything else as it is. The
 * apostrophe is how spreadsheets keep a number from being computed.
 */
export function writtenNumber(cell: string): string {
  const plain = cell
    .replace(/^(?:tel:|')\s*/i, '')
    .replace(/^(\+[\d\s]{1,5})\(0\)/, '$1')
    .replace(/[\s().\-/\u2010-\u2015]/g, '')
    .replace(/^00(?=[1-9])/, '+');
  return /^\+\d{7,15}$/.test(plain) ? plain : cell;
}

/** The number of cells with text behind the last column that the first row names. */
export function extraCells(cells: readonly string[], columns: number): number {
  return cells.slice(columns).filter((cell) => cellText(cell) !== '').length;
}
