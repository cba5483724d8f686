// Reads contacts from the table of a file: the contact of each row, and its faults.

import type { Column } from '../../../../../db/domain/contacts/contact-columns.ts';
import { cellText, extraCells, writtenNumber } from '../../../../../db/domain/contacts/contact-table.ts';
import { isEmail } from '../../../../../db/domain/contacts/email.ts';
import * as LIMITS from '../../api-limits.ts';
import type { AddContactsBody } from '../../api-types.ts';
import { t } from '../../words/words.ts';

export type ContactInput = AddContactsBody['contacts'][number];

export interface ContactRow {
  /** Line in the file: the header is line 1. */
  line: number;
  cells: readonly string[];
  contact: ContactInput | null;
  problem: string | null;
  /** An earlier line with the same number: the service merges both. */
  sameAs: number | null;
}

const { name: NAME, variables: VARIABLES } = LIMITS.AddContactsBody.contacts.items;
const NAME_CHARS_MAX = NAME.maxLength;
const VALUE_CHARS_MAX = VARIABLES.values.maxLength;
const BATCH_CONTACTS_MAX = 500;
/** The service accepts 1 MiB; the rest is for JSON's escapes. */
const BATCH_BYTES_MAX = 600_000;

/** @param toE164 returns the number in E.164, or null if it is not valid */
export function readContacts(
  rows: ReadonlyArray<readonly string[]>,
  columns: readonly Column[],
  toE164: (text: string) => string | null,
  lines: readonly number[],
): ContactRow[] {
  const seen = new Map<string, number>();
  return rows.map((cells, index) => {
    const line = lines[index] ?? index + 1;
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
  if (extraCells(cells, columns.length) > 0) return refuse(t('More cells than the first line: quotes are missing'));
  const contact: ContactInput = { phoneNumber: '' };
  const variables: Record<string, string> = {};
  const metadata: Record<string, string> = {};
  for (const [index, { target, key, header }] of columns.entries()) {
    const text = cellText(cells[index]);
    if (text === '' || target === 'skip') continue;
    if (target === 'phoneNumber') {
      const number = toE164(writtenNumber(text));
      if (number === null) return refuse(t('{text} is no phone number', { text }));
      contact.phoneNumber = number;
    } else if (target === 'name') {
      if (text.length > NAME_CHARS_MAX)
        return refuse(t('The name is longer than {number} characters', { number: NAME_CHARS_MAX }));
      contact.name = text;
    } else if (target === 'email') {
      if (!isEmail(text)) return refuse(t('{text} is no e-mail address', { text }));
      contact.email = text;
    } else {
      if (text.length > VALUE_CHARS_MAX)
        return refuse(t('{header} is longer than {number} characters', { header, number: VALUE_CHARS_MAX }));
      (target === 'variable' ? variables : metadata)[key] = text;
    }
  }
  if (contact.phoneNumber === '') return refuse(t('No phone number'));
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
