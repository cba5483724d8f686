// Contacts as a table: the body `text/csv` becomes the body of JSON that means the same, so that one set of limits,
// checks and messages holds for both.
import { columnsFault, guessColumns } from '../../db/domain/contacts/contact-columns.ts';
import {
  cellText,
  extraCells,
  separatorOf,
  TableEncodingError,
  tableText,
  writtenNumber,
} from '../../db/domain/contacts/contact-table.ts';
import { tableRows } from '../../db/domain/contacts/table-rows.ts';
import { invalid } from '../frame/errors.ts';
import { CONTACTS_PER_REQUEST, type ContactsBody } from './schema.ts';

type Contact = ContactsBody['contacts'][number];

/** The encoding that the type declares; the bytes say it better where they can. */
export function charsetOf(contentType: string | undefined): string | null {
  return /;\s*charset="?([\w.:-]{1,40})"?/i.exec(contentType ?? '')?.[1] ?? null;
}

/** Of further ones nobody needs to know more than that they are too many. */
const ROWS_MAX = CONTACTS_PER_REQUEST + 2;
/** Each column's meaning is guessed from its values. */
const COLUMNS_MAX = 500;

/** The first row has the names of the columns; rows without any text are left out. @throws {ApiError} 422 */
export function contactsOfCsv(bytes: Buffer, charset: string | null): ContactsBody {
  const { separator, rows: text } = separatorOf(textOf(bytes, charset));
  const { rows: all, brokenRow } = tableRows(text, separator, ROWS_MAX);
  if (brokenRow !== null)
    throw wrongTable(`row ${brokenRow + 1} of the table has a quote that is not closed or not doubled`);
  const [headers, ...rows] = all;
  if (headers === undefined) throw wrongTable('is empty: the first row must name the columns');
  if (headers.length > COLUMNS_MAX)
    throw wrongTable(`has ${headers.length} columns in its first row, of at most ${COLUMNS_MAX}`);
  const columns = guessColumns(headers, rows);
  const fault = columnsFault(columns);
  if (fault !== null) throw wrongTable(`the table's first row does not name the columns well. ${fault}`);
  const cut = rows.findIndex((cells) => extraCells(cells, headers.length) > 0);
  if (cut >= 0) {
    const message = `has ${rows[cut]?.length} cells, and the first row of the table names ${headers.length}: put quotes around a text with the separator in it`;
    throw invalid([{ field: `contacts[${cut}]`, message }]);
  }
  return {
    contacts: rows.map((cells) => {
      const contact: Contact = { phoneNumber: '' };
      const variables: Record<string, string> = {};
      const metadata: Record<string, string> = {};
      for (const [index, { target, key }] of columns.entries()) {
        const cell = cellText(cells[index]);
        if (cell === '' || target === 'skip') continue;
        if (target === 'variable') variables[key] = cell;
        else if (target === 'metadata') metadata[key] = cell;
        else contact[target] = target === 'phoneNumber' ? writtenNumber(cell) : cell;
      }
      if (Object.keys(variables).length > 0) contact.variables = variables;
      if (Object.keys(metadata).length > 0) contact.metadata = metadata;
      return contact;
    }),
  };
}

function textOf(bytes: Buffer, charset: string | null): string {
  try {
    return tableText(bytes, charset);
  } catch (error) {
    if (error instanceof TableEncodingError) throw wrongTable(error.message);
    throw error;
  }
}

const wrongTable = (message: string) => invalid([{ field: 'contacts', message }]);
