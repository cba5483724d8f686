// The names of columns in texts of SQL, which no plugin converts.

/** `accountId` → `account_id`. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** All columns of a table, as a `select` lists them. `columns`: each of its names, so that none is left out. */
export const columnList = <Row>(columns: Record<keyof Row & string, true>): string =>
  Object.keys(columns)
    .map((name) => `${snakeCase(name)} as "${name}"`)
    .join(', ');
