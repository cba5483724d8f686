// Headers whose values the service never shows: they stay as they are, or all of them are written anew; those of a tool
// also one by one.
import type { FieldFault } from '../client.ts';
import { t } from '../words/words.ts';

interface HeaderRow {
  name: string;
  value: string;
}

export interface HeadersValue {
  /** The names of those that the service has. */
  kept: readonly string[];
  /** Null: they stay as they are. */
  rows: HeaderRow[] | null;
  /** Of those that stay, what is changed one by one: a new value, or null where it goes. */
  single?: Readonly<Record<string, string | null>>;
}

/** The body for headers that are changed one by one; undefined: none is. */
export function setHeadersBody({ rows, single = {} }: HeadersValue): Record<string, string | null> | undefined {
  return rows !== null || Object.keys(single).length === 0 ? undefined : { ...single };
}

/** @param change undefined: it stays as it is */
export function withSingle(value: HeadersValue, name: string, change: string | null | undefined): HeadersValue {
  const others = Object.fromEntries(Object.entries(value.single ?? {}).filter(([each]) => each !== name));
  return { ...value, single: change === undefined ? others : { ...others, [name]: change } };
}

export const headersOf = (names: readonly string[]): HeadersValue => ({
  kept: names,
  rows: names.length === 0 ? [] : null,
});

/** The names stay, the values have to be written: the service replaces all at once. */
export const replaced = ({ kept }: HeadersValue): HeadersValue => ({
  kept,
  rows: kept.map((name) => ({ name, value: '' })),
});

/** The body: nothing where they stay, null where all are taken away. */
export function headersBody({ kept, rows }: HeadersValue): Record<string, string> | null | undefined {
  if (rows === null) return undefined;
  if (rows.length === 0) return kept.length === 0 ? undefined : null;
  return Object.fromEntries(rows.map(({ name, value }) => [name.trim(), value]));
}

/** @param field of the headers in the body */
export function headersFaults({ rows, single = {} }: HeadersValue, field: string): FieldFault[] {
  if (rows === null) {
    const empty = Object.keys(single).filter((name) => single[name] === '');
    return empty.map((name) => ({ field: `setHeaders.${name}`, message: t('needs a value') }));
  }
  const names = (rows ?? []).map(({ name }) => name.trim().toLowerCase());
  return (rows ?? []).flatMap(({ name, value }, index) => {
    const path = `${field}.${name.trim()}`;
    if (names[index] === '') return [{ field: path, message: t('needs a name') }];
    if (names.indexOf(names[index] ?? '') < index) return [{ field: path, message: t('stands there twice') }];
    return value === '' ? [{ field: path, message: t('needs a value') }] : [];
  });
}
