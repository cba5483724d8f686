// The rows of a table as spreadsheets write them (RFC 4180), read in one pass, whatever somebody sends. A general
// parser tries each quote again up to the next separator, and one table of 1 MiB took minutes.

interface TableRows {
  /** Without rows that have no text. */
  rows: string[][];
  /** The place of each, from 0, with those without text counted: as somebody finds it in the file. */
  places: number[];
  separator: string;
  /** The row, from 0, with a quote that is not closed or not doubled: nothing is read behind it. */
  brokenRow: number | null;
}

interface Cell {
  text: string;
  /** Where its separator or the end of its line stands. */
  end: number;
}

const SEPARATORS = [',', '\t', '|', ';'];
const SAMPLE_ROWS = 10;
const SAMPLE_CHARACTERS = 20_000;

/** At most `rowsMax` rows. `separator`: null where the rows themselves have to show it. */
export function tableRows(text: string, separator: string | null, rowsMax: number): TableRows {
  const marked = text.startsWith('\ufeff') ? text.slice(1) : text;
  const used = separator ?? separatorIn(marked.slice(0, SAMPLE_CHARACTERS));
  return { separator: used, ...rowsBy(used, marked, rowsMax) };
}

/** The one by which the rows are of equal lengths, and the longest. */
function separatorIn(sample: string): string {
  let best = { separator: ',', differences: Number.POSITIVE_INFINITY, cells: 1 };
  for (const separator of SEPARATORS) {
    const lengths = rowsBy(separator, sample, SAMPLE_ROWS).rows.map(({ length }) => length);
    const cells = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
    const differences = lengths.reduce((sum, length, at) => sum + Math.abs(length - (lengths[at - 1] ?? length)), 0);
    if (cells > best.cells && differences <= best.differences) best = { separator, differences, cells };
  }
  return best.separator;
}

function rowsBy(separator: string, text: string, rowsMax: number): Omit<TableRows, 'separator'> {
  const rows: string[][] = [];
  const places: number[] = [];
  let row: string[] = [];
  let index = 0;
  for (let at = 0; rows.length < rowsMax && at <= text.length; ) {
    const cell = text[at] === '"' ? quotedCell(text, at, separator) : plainCell(text, at, separator);
    if (cell === null) return { rows, places, brokenRow: index };
    row.push(cell.text);
    const isRowOver = text[cell.end] !== separator;
    at = cell.end + (text.startsWith('\r\n', cell.end) ? 2 : 1);
    if (!isRowOver) continue;
    if (row.some((each) => each.trim() !== '')) {
      rows.push(row);
      places.push(index);
    }
    row = [];
    index++;
  }
  return { rows, places, brokenRow: null };
}

const isLineEnd = (character: string | undefined): boolean =>
  character === '\n' || character === '\r' || character === undefined;

/** Quotes inside of it are characters like others. */
function plainCell(text: string, start: number, separator: string): Cell {
  let end = start;
  while (text[end] !== separator && !isLineEnd(text[end])) end++;
  return { text: text.slice(start, end), end };
}

/** Blanks behind the closing quote do no harm. Null: it is not closed, or has a single quote inside. */
function quotedCell(text: string, start: number, separator: string): Cell | null {
  let close = text.indexOf('"', start + 1);
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  if (close < 0) return null;
  let end = close + 1;
  while (text[end] === ' ') end++;
  if (text[end] !== separator && !isLineEnd(text[end])) return null;
  return { text: text.slice(start + 1, close).replaceAll('""', '"'), end };
}
