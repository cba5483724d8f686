// Writes that do not wait for each other. With PostgreSQL each statement costs more than its rows do, so there they are
// one statement; with SQLite, which has no writes in a `with`, each is one of its own.

import { type Dialect, dialectOf } from '../dialect.ts';
import type { Db } from '../schema.ts';
import { runText } from './compiled-statement.ts';

export interface Write {
  /** Unlike those of the writes that go with it. */
  name: string;
  /** With one `?` for each of `values`. */
  text: string;
  values: readonly unknown[];
  /** False: it would change nothing. Where all are one statement it stays in it, so that this has one text. */
  isNeeded?: boolean;
}

/**
 * Runs the writes, and returns what the first of them returns. All texts depend on `shape` and the database alone.
 * Within a transaction.
 */
export async function writeTogether<R>(db: Db, shape: string, write: (dialect: Dialect) => Write[]): Promise<R[]> {
  const dialect = dialectOf(db);
  const writes = write(dialect);
  if (dialect.writesInWith) {
    const text = (): string =>
      `with ${writes.map(({ name, text }) => `${name} as (${text})`).join(',\n')} select * from ${writes[0]?.name}`;
    return runText<R>(
      db,
      shape,
      text,
      writes.flatMap(({ values }) => values),
    );
  }
  const answers: R[][] = [];
  for (const { text, values, isNeeded } of writes)
    answers.push(isNeeded === false ? [] : await runText<R>(db, text, () => text, values));
  return answers[0] ?? [];
}
