// Finds the meaning of a contact table's columns by their headers: for files that the dashboard reads and those that
// the API is sent.

export type Target = 'phoneNumber' | 'name' | 'email' | 'variable' | 'metadata' | 'skip';

export interface Column {
  header: string;
  target: Target;
  /** Name of the variable or of the metadata. */
  key: string;
}

const KEYS_MAX = 50;

const PHONE = /phone|mobile|cell|tel\b|telephone|telefon|handy|number|nummer|numero|movil/i;
const EMAIL = /e-?mail/i;
const NAME = /^(full|contact|customer|client)?[\s_-]*name$/i;
const METADATA = /(^|[\s_-])(id|uuid|crm)$|^(id|crm)/i;

/** Guesses the columns; the first matching one is the number, the name or the address. */
export function guessColumns(headers: readonly string[]): Column[] {
  const taken = new Set<Target>();
  return headers.map((header) => {
    const target = guessTarget(header, taken);
    taken.add(target);
    return { header, target, key: keyOf(header) };
  });
}

function guessTarget(header: string, taken: ReadonlySet<Target>): Target {
  if (header.trim() === '') return 'skip';
  if (EMAIL.test(header)) return taken.has('email') ? 'variable' : 'email';
  if (PHONE.test(header)) return taken.has('phoneNumber') ? 'variable' : 'phoneNumber';
  if (NAME.test(header.trim())) return taken.has('name') ? 'variable' : 'name';
  return METADATA.test(header.trim()) ? 'metadata' : 'variable';
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
