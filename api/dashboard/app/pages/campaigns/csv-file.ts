// Reads a table from a file, as the service reads one that it is sent.
import { separatorOf, tableText } from '../../../../../db/domain/contacts/contact-table.ts';
import { tableRows } from '../../../../../db/domain/contacts/table-rows.ts';
import { t } from '../../words/words.ts';

export interface CsvTable {
  fileName: string;
  rows: string[][];
  /** The line of each in the file, from 1, where no cell has several. */
  lines: number[];
}

const FILE_BYTES_MAX = 20 * 1024 * 1024;
const ROWS_MAX = 100_000;

/** @throws {Error} with a text for the user if the file cannot be read */
export async function readCsv(file: File): Promise<CsvTable> {
  if (file.size > FILE_BYTES_MAX)
    throw new Error(t('{name} is larger than 20 MB: split it into several files.', { name: file.name }));
  const text = textOf(file.name, new Uint8Array(await file.arrayBuffer()));
  const { separator, rows: table } = separatorOf(text);
  const { rows, places, brokenRow } = tableRows(table, separator, ROWS_MAX + 1);
  // The line that names the separator is none of the rows.
  const firstLine = table === text ? 1 : 2;
  if (brokenRow !== null)
    throw new Error(
      t('Line {line} of {name} has a quote that is not closed or not doubled.', {
        ...{ line: brokenRow + firstLine, name: file.name },
      }),
    );
  if (rows[0] === undefined) throw new Error(t('{name} is empty.', { name: file.name }));
  if (rows.length > ROWS_MAX)
    throw new Error(t('{name} has more than 100,000 lines: split it into several files.', { name: file.name }));
  // A line with more cells than the first one is a fault of that line.
  const width = rows[0].length;
  return {
    fileName: file.name,
    rows: rows.map((row) => (row.length < width ? [...row, ...pad(width - row.length)] : row)),
    lines: places.map((place) => place + firstLine),
  };
}

const pad = (count: number): string[] => Array.from({ length: count }, () => '');

/** @throws {Error} with a text for the user */
function textOf(name: string, bytes: Uint8Array): string {
  try {
    return tableText(bytes);
  } catch (error) {
    throw new Error(`${name} ${error instanceof Error ? error.message : t('cannot be read')}.`);
  }
}
