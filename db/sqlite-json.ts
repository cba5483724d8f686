// SQL that builds JSON text in the database, so that rows need not become objects only to be serialised again. The
// functions are SQLite's: PostgreSQL has to_json() for json_quote(), to_char() for date() and time(), string_agg() for
// group_concat().

/** A part of one text: constants are merged with their neighbours, which halves the work of a row. */
export type Part = { text: string } | { sql: string };

/** Text or null; escapes the same characters as JSON.stringify. */
export const textJson = (column: string): Part[] => [{ sql: `json_quote(${column})` }];

/** A column that is never null, without characters to escape: an id, an enum. */
export const wordJson = (column: string): Part[] => [{ text: '"' }, { sql: column }, { text: '"' }];

/** A number or JSON text that is never null. */
export const rawJson = (column: string): Part[] => [{ sql: column }];

/** A number or JSON text, or null. */
export const rawOrNullJson = (column: string): Part[] => [{ sql: `coalesce(${column}, 'null')` }];

const day = (column: string): string => `date(${column} / 1000.0, 'unixepoch')`;
const time = (column: string): string => `time(${column} / 1000.0, 'unixepoch', 'subsec')`;

/** Ms since the epoch as ISO-8601 UTC with milliseconds. One strftime() takes twice as long as the two. */
export const timeJson = (column: string): Part[] => [
  { text: '"' },
  { sql: day(column) },
  { text: 'T' },
  { sql: time(column) },
  { text: 'Z"' },
];

export const timeOrNullJson = (column: string): Part[] => [
  { sql: `coalesce('"' || ${day(column)} || 'T' || ${time(column)} || 'Z"', 'null')` },
];

/** SQL that gives an object with these members, in this order. */
export function objectJson(members: Readonly<Record<string, readonly Part[]>>): string {
  const joined: string[] = [];
  let text = '{';
  for (const [i, [name, parts]] of Object.entries(members).entries()) {
    text += `${i === 0 ? '' : ','}"${name}":`;
    for (const part of parts) {
      if ('text' in part) text += part.text;
      else {
        if (text !== '') joined.push(`'${text}'`);
        joined.push(part.sql);
        text = '';
      }
    }
  }
  return `concat(${[...joined, `'${text}}'`].join(', ')})`;
}

/** Always this text. */
export const constantJson = (json: string): Part[] => [{ text: json }];

/** An aggregate: a column of all rows in their order, separated by commas; null without rows. */
export const joinedText = (column: string): string => `group_concat(${column})`;
