/** Several statements of one transaction at a time: side by side where the database takes them so, else in turn. */

import { dialectOf } from '../dialect.ts';
import type { Db } from '../schema.ts';

/**
 * Waits for statements of one transaction that need not wait for each other; PostgreSQL gets them in one go. All have
 * ended when this does, also where one fails: none may write after the transaction is over.
 */
export async function allOf(statements: ReadonlyArray<Promise<unknown> | null>): Promise<void> {
  for (const outcome of await Promise.allSettled(statements)) if (outcome.status === 'rejected') throw outcome.reason;
}

/**
 * The same work for each of many, within a transaction; resolves with what they answer, in their order. SQLite answers
 * at once: there it is done one after the other, because hundreds of promises at a time cost more than they save.
 */
export async function forEachOf<T, R>(tx: Db, items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  if (dialectOf(tx).pipelines) {
    const answers = items.map(work);
    await allOf(answers);
    return Promise.all(answers);
  }
  const answers: R[] = [];
  for (const item of items) answers.push(await work(item));
  return answers;
}
