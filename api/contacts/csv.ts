// Contacts as a table: the body `text/csv` becomes the body of JSON that means the same, so that one set of limits,
// checks and messages holds for both.
import { columnsFault, guessColumns } from '../../db/domain/contact-columns.ts';
import { invalid } from '../frame/errors.ts';
import type { ContactsBody } from './schema.ts';

type Contact = ContactsBody['contacts'][number];

/** The first row has the names of the columns; rows without any text are left out. @throws {ApiError} 422 */
export async function contactsOfCsv(text: string): Promise<ContactsBody> {
  const { default: papaparse } = await import('papaparse');
  const { data, errors } = papaparse.parse<string[]>(text, { skipEmptyLines: 'greedy' });
  const broken = errors.find(({ type }) => type === 'Quotes');
  if (broken)
    throw wrongTable(`row ${(broken.row ?? 0) + 1} of the table has a quote that is not closed or not doubled`);
  const [headers, ...rows] = data;
  if (headers === undefined) throw wrongTable('is empty: the first row must name the columns');
  const columns = guessColumns(headers);
  const fault = columnsFault(columns);
  if (fault !== null) throw wrongTable(`the table's first row does not name the columns well. ${fault}`);
  return {
    contacts: rows.map((cells) => {
      const contact: Contact = { phoneNumber: '' };
      const variables: Record<string, string> = {};
      const metadata: Record<string, string> = {};
      for (const [index, { target, key }] of columns.entries()) {
        const cell = (cells[index] ?? '').trim();
        if (cell === '' || target === 'skip') continue;
        if (target === 'variable') variables[key] = cell;
        else if (target === 'metadata') metadata[key] = cell;
        else contact[target] = cell;
      }
      if (Object.keys(variables).length > 0) contact.variables = variables;
      if (Object.keys(metadata).length > 0) contact.metadata = metadata;
      return contact;
    }),
  };
}

const wrongTable = (message: string) => invalid([{ field: 'contacts', message }]);
