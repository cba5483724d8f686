// Reads a table from a file. The parser is loaded when the first file is chosen.
import { separatorOf, tableText } from '../../../../../db/domain/contacts/contact-table.ts';
import { t } from '../../words/words.ts';

export interface CsvTable {
  fileName: string;
  rows: string[][];
}

const FILE_BYTES_MAX = 20 * 1024 * 1024;
const ROWS_MAX = 100_000;

/** @throws {Error} with a text for the user if the file cannot be read */
export async function readCsv(file: File): Promise<CsvTable> {
  if (file.size > FILE_BYTES_MAX)
    throw new Error(t('{name} is larger than 20 MB: split it into several files.', { name: file.name }));
  const [{ default: papaparse }, bytes] = await Promise.all([import('papaparse'), file.arrayBuffer()]);
  const { separator, rows } = separatorOf(textOf(file.name, new Uint8Array(bytes)));
  const { data } = papaparse.parse<string[]>(rows, { skipEmptyLines: 'greedy', delimiter: separator ?? '' });
  if (data[0] === undefined) throw new Error(t('{name} is empty.', { name: file.name }));
  if (data.length > ROWS_MAX)
    throw new Error(t('{name} has more than 100,000 lines: split it into several files.', { name: file.name }));
  // A line with more cells than the first one is a fault of that line.
  const width = data[0].length;
  return {
    fileName: file.name,
    rows: data.map((row) => (row.length < width ? [...row, ...pad(width - row.length)] : row)),
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
