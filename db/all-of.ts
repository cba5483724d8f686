/**
 * Waits for statements of one transaction that need not wait for each other; PostgreSQL gets them in one go. All have
 * ended when this does, also where one fails: none may write after the transaction is over.
 */
export async function allOf(statements: ReadonlyArray<Promise<unknown> | null>): Promise<void> {
  for (const outcome of await Promise.allSettled(statements)) if (outcome.status === 'rejected') throw outcome.reason;
}

/** The same, for what they answer, in their order. */
export async function answersOf<T>(statements: ReadonlyArray<Promise<T>>): Promise<T[]> {
  await allOf(statements);
  return Promise.all(statements);
}
