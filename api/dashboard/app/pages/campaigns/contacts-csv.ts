// Reads contacts from the table of a file: the meaning of its columns, the contact of each row, and its faults.
import type { AddContactsBody } from '../../api-types.ts';

export type ContactInput = AddContactsBody['contacts'][number];

export type Target = 'phoneNumber' | 'name' | 'email' | 'variable' | 'metadata' | 'skip';

export interface Column {
  header: string;
  target: Target;
  /** Name of the variable or of the metadata. */
  key: string;
}

export interface ContactRow {
  /** Line in the file: the header is line 1. */
  line: number;
  cells: readonly string[];
  contact: ContactInput | null;
  problem: string | null;
  /** An earlier line with the same number: the service merges both. */
  sameAs: number | null;
}

const NAME_CHARS_MAX = 200;
const VALUE_CHARS_MAX = 1_000;
const KEYS_MAX = 50;
const BATCH_CONTACTS_MAX = 500;
/** The service accepts 1 MiB; the rest is for JSON's escapes. */
const BATCH_BYTES_MAX = 600_000;

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

/** @param toE164 returns the number in E.164, or null if it is not valid */
export function readContacts(
  rows: ReadonlyArray<readonly string[]>,
  columns: readonly Column[],
  toE164: (text: string) => string | null,
  firstLine: number,
): ContactRow[] {
  const seen = new Map<string, number>();
  return rows.map((cells, index) => {
    const line = firstLine + index;
    const read = readContact(cells, columns, toE164);
    if (read.contact === null) return { line, cells, ...read, sameAs: null };
    const sameAs = seen.get(read.contact.phoneNumber) ?? null;
    if (sameAs === null) seen.set(read.contact.phoneNumber, line);
    return { line, cells, ...read, sameAs };
  });
}

function readContact(
  cells: readonly string[],
  columns: readonly Column[],
  toE164: (text: string) => string | null,
): Pick<ContactRow, 'contact' | 'problem'> {
  const refuse = (problem: string) => ({ contact: null, problem });
  const contact: ContactInput = { phoneNumber: '' };
  const variables: Record<string, string> = {};
  const metadata: Record<string, string> = {};
  for (const [index, { target, key, header }] of columns.entries()) {
    const text = (cells[index] ?? '').trim();
    if (text === '' || target === 'skip') continue;
    if (target === 'phoneNumber') {
      const number = toE164(text);
      if (number === null) return refuse(`${text} is no phone number`);
      contact.phoneNumber = number;
    } else if (target === 'name') {
      if (text.length > NAME_CHARS_MAX) return refuse(`The name is longer than ${NAME_CHARS_MAX} characters`);
      contact.name = text;
    } else if (target === 'email') {
      if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)) return refuse(`${text} is no e-mail address`);
      contact.email = text;
    } else {
      if (text.length > VALUE_CHARS_MAX) return refuse(`${header} is longer than ${VALUE_CHARS_MAX} characters`);
      (target === 'variable' ? variables : metadata)[key] = text;
    }
  }
  if (contact.phoneNumber === '') return refuse('No phone number');
  if (Object.keys(variables).length > 0) contact.variables = variables;
  if (Object.keys(metadata).length > 0) contact.metadata = metadata;
  return { contact, problem: null };
}

export type Sendable = ContactRow & { contact: ContactInput };

export const isSendable = (row: ContactRow): row is Sendable => row.contact !== null;

/** Batches of rows, one request each. */
export function batchesOf(rows: readonly Sendable[]): Sendable[][] {
  const batches: Sendable[][] = [];
  const encoder = new TextEncoder();
  let bytes = 0;
  for (const row of rows) {
    const size = encoder.encode(JSON.stringify(row.contact)).length;
    const last = batches.at(-1);
    if (last === undefined || last.length >= BATCH_CONTACTS_MAX || bytes + size > BATCH_BYTES_MAX) {
      batches.push([row]);
      bytes = size;
    } else {
      last.push(row);
      bytes += size;
    }
  }
  return batches;
}

/** RFC 4180. */
export const csvOf = (rows: ReadonlyArray<readonly string[]>): string =>
  rows
    .map((row) => row.map(cellOf).join(','))
    .join('\r\n')
    .concat('\r\n');

const cellOf = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
