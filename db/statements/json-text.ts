// SQL that builds JSON text in the database, so that rows need not become objects only to be serialised again.
import type { Dialect } from '../dialect.ts';

/** A part of one text: constants are merged with their neighbours, which halves the work of a row. */
export type Part = { text: string } | { sql: (dialect: Dialect) => readonly string[] };

/** Text or null; escapes the same characters as JSON.stringify. */
export const textJson = (column: string): Part[] => [{ sql: (dialect) => [dialect.quotedJson(column)] }];

/** A column that is never null, without characters to escape: an id, an enum. */
export const wordJson = (column: string): Part[] => [{ text: '"' }, { sql: () => [column] }, { text: '"' }];

/** A number or JSON text that is never null. */
export const rawJson = (column: string): Part[] => [{ sql: () => [column] }];

/** A number or JSON text, or null. */
export const rawOrNullJson = (column: string): Part[] => [
  { sql: (dialect) => [`coalesce(${dialect.asText(column)}, 'null')`] },
];

/** Ms since the epoch as ISO-8601 UTC with milliseconds. */
export const timeJson = (column: string): Part[] => [
  { text: '"' },
  { sql: (dialect) => dialect.isoTime(column) },
  { text: '"' },
];

export const timeOrNullJson = (column: string): Part[] => [
  {
    sql: (dialect) => {
      const quoted = withConstantsMerged([`'"'`, ...dialect.isoTime(column), `'"'`]);
      return [`coalesce(${quoted.join(' || ')}, 'null')`];
    },
  },
];

/** Always this text. */
export const constantJson = (json: string): Part[] => [{ text: json }];

/** SQL that gives an object with these members, in this order. */
export function objectJson(dialect: Dialect, members: Readonly<Record<string, readonly Part[]>>): string {
  const parts = Object.entries(members).flatMap(([name, parts], i) => [
    `'${i === 0 ? '{' : ','}"${name}":'`,
    ...parts.flatMap((part) => ('text' in part ? [`'${part.text}'`] : part.sql(dialect))),
  ]);
  return `concat(${withConstantsMerged([...parts, `'}'`]).join(', ')})`;
}

const isConstant = (sql: string): boolean => /^'[^']*'$/.test(sql);

/** Neighbouring constants as one. */
function withConstantsMerged(list: readonly string[]): string[] {
  const merged: string[] = [];
  for (const sql of list) {
    const last = merged.at(-1);
    if (last !== undefined && isConstant(last) && isConstant(sql))
      merged[merged.length - 1] = last.slice(0, -1) + sql.slice(1);
    else merged.push(sql);
  }
  return merged;
}
