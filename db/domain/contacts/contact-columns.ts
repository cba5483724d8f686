// Finds the meaning of a contact table's columns by their headers, and the one of telephone numbers by its values: for
// files that the dashboard reads and those that the API is sent.
import { cellText, writtenNumber } from './contact-table.ts';

export type Target = 'phoneNumber' | 'name' | 'email' | 'variable' | 'metadata' | 'skip';

export interface Column {
  header: string;
  target: Target;
  /** Name of the variable or of the metadata. */
  key: string;
}

const KEYS_MAX = 50;

/** A telephone in the seven languages, after marks over letters are taken away. */
const PHONE =
  /phone|telef|\btelem|\bmobi|movil|handy|celular|cellulare|rufnummer|whatsapp|\b(?:cell|tel|gsm|mob|natel|portable)\b/;
/** Headers that may mean a telephone if the values do not say otherwise. */
const ANY_NUMBER = /^(?:contact )?(?:number|nummer|nr|no|numero|num)$/;
const FAX = /fax/;
const EMAIL = /e-?mail/i;
const NAME = /^(full|contact|customer|client)?[\s_-]*name$/i;
const METADATA = /(^|[\s_-])(id|uuid|crm)$|^(id|crm)/i;

/**
 * Guesses the columns; the first matching one is the name or the address. The column of numbers is the one whose values
 * are numbers: "Customer number" is none, although it says so.
 * @param rows some of the table's, without its head
 */
export function guessColumns(headers: readonly string[], rows: ReadonlyArray<readonly string[]> = []): Column[] {
  const phone = phoneColumn(headers, rows);
  const taken = new Set<Target>();
  return headers.map((written, index) => {
    const header = cellText(written);
    const target = index === phone ? 'phoneNumber' : guessTarget(header, taken);
    taken.add(target);
    return { header, target, key: keyOf(header) };
  });
}

/** Rows that are looked at. */
const SAMPLE_ROWS = 200;

/** The index of the column with telephone numbers; -1: no header and no value speaks for one. */
function phoneColumn(headers: readonly string[], rows: ReadonlyArray<readonly string[]>): number {
  const sample = rows.slice(0, SAMPLE_ROWS);
  let best = { index: -1, score: 0 };
  for (const [index, header] of headers.entries()) {
    const score = phoneScore(
      header,
      sample.map((row) => cellText(row[index])),
    );
    if (score > best.score) best = { index, score };
  }
  return best.index;
}

/** More than 0 if the column may have the numbers. A number with its country's code says more than any header. */
function phoneScore(header: string, cells: readonly string[]): number {
  const name = cellText(header).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  if (FAX.test(name)) return 0;
  const filled = cells.filter((cell) => cell !== '');
  const share = (is: (cell: string) => boolean): number =>
    filled.length === 0 ? 0 : filled.filter(is).length / filled.length;
  const complete = share((cell) => writtenNumber(cell).startsWith('+'));
  const possible = share((cell) => /^\(?[+0]?[\d\s()./-]{7,20}$/.test(cell));
  const named = PHONE.test(name) ? 2 : ANY_NUMBER.test(name.replace(/[._-]+/g, ' ').trim()) ? 0.5 : 0;
  if (named === 0 && complete < 0.5) return 0;
  return 4 * complete + named + possible + (0.5 * filled.length) / Math.max(1, cells.length);
}

function guessTarget(header: string, taken: ReadonlySet<Target>): Target {
  if (header === '') return 'skip';
  if (EMAIL.test(header)) return taken.has('email') ? 'variable' : 'email';
  if (NAME.test(header)) return taken.has('name') ? 'variable' : 'name';
  return METADATA.test(header) ? 'metadata' : 'variable';
}

/** "First name" as firstName: a placeholder may have only letters, digits and _. */
export function keyOf(header: string): string {
  const words = header
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .split(/[^A-Za-z0-9_]+/)
    .filter(Boolean);
  return words
    .map((word, index) => {
      if (index > 0) return word.charAt(0).toUpperCase() + word.slice(1);
      return word === word.toUpperCase() ? word.toLowerCase() : word.charAt(0).toLowerCase() + word.slice(1);
    })
    .join('')
    .slice(0, 64);
}

/** The fault of the choice of columns as a whole. */
export function columnsFault(columns: readonly Column[]): string | null {
  const phones = columns.filter(({ target }) => target === 'phoneNumber').length;
  if (phones === 0) return 'Say which column has the phone number.';
  for (const target of ['phoneNumber', 'name', 'email'] as const) {
    if (columns.filter((column) => column.target === target).length > 1) return 'Two columns say the same.';
  }
  for (const target of ['variable', 'metadata'] as const) {
    const keys = columns.filter((column) => column.target === target).map(({ key }) => key);
    if (keys.includes('')) return 'A column needs a name of letters or digits before it can be a variable.';
    if (new Set(keys).size < keys.length) return 'Two columns would have the same name.';
    if (keys.length > KEYS_MAX) return `At most ${KEYS_MAX} columns can be variables.`;
  }
  return null;
}
