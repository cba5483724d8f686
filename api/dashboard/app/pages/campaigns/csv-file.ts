// Reads a table from a file. The parser is loaded when the first file is chosen.
export interface CsvTable {
  fileName: string;
  rows: string[][];
}

const FILE_BYTES_MAX = 20 * 1024 * 1024;
const ROWS_MAX = 100_000;

/** @throws {Error} with a text for the user if the file cannot be read */
export async function readCsv(file: File): Promise<CsvTable> {
  if (file.size > FILE_BYTES_MAX) throw new Error(`${file.name} is larger than 20 MB: split it into several files.`);
  const [{ default: papaparse }, bytes] = await Promise.all([import('papaparse'), file.arrayBuffer()]);
  const { data } = papaparse.parse<string[]>(textOf(bytes), { skipEmptyLines: 'greedy' });
  if (data.length === 0) throw new Error(`${file.name} is empty.`);
  if (data.length > ROWS_MAX) throw new Error(`${file.name} has more than 100,000 lines: split it into several files.`);
  const width = Math.max(...data.slice(0, 1_000).map((row) => row.length));
  return {
    fileName: file.name,
    rows: data.map((row) => (row.length < width ? [...row, ...pad(width - row.length)] : row)),
  };
}

const pad = (count: number): string[] => Array.from({ length: count }, () => '');

/** UTF-8; other bytes come from a spreadsheet on Windows. */
function textOf(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
