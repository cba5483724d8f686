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

/** Five bytes of Windows-1252 mean nothing. */
const NO_LETTER = /[\u0081\u008d\u008f\u0090\u009d]/;

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
    return linesOf(bytes).map(lineText).join('');
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

function lineText(line: Uint8Array, index: number): string {
  try {
    return decoded('utf-8', line);
  } catch {
    const text = decoded('windows-1252', line);
    if (!NO_LETTER.test(text)) return text;
    throw new TableEncodingError(index + 1, `is neither UTF-8 nor Windows-1252 in line ${index + 1}: save it as UTF-8`);
  }
}

function linesOf(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(0x0a, from);
    const to = end < 0 ? bytes.length : end + 1;
    lines.push(bytes.subarray(from, to));
    from = to;
  }
  return lines;
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
