// Hands large requests to a thread of their own: a thousand contacts take 35 ms to check and to write, for which a list
// of hundreds of thousands would stop everybody else's answers again and again.
import { DatabaseThread } from '../database-thread.ts';
import type { ContactImport, ImportOutcome } from './merge.ts';

/** Requests that may wait, some 40 ms each. Past it the API's own thread does the work, and so takes fewer of them. */
const WAITING_MAX = 32;

export class ContactImporter {
  readonly #thread: DatabaseThread<ContactImport, ImportOutcome>;

  constructor(databasePath: string) {
    this.#thread = new DatabaseThread(new URL('./import-thread.ts', import.meta.url), databasePath);
  }

  get isFull(): boolean {
    return this.#thread.waiting >= WAITING_MAX;
  }

  /** @throws Error with SQLite's `code` where it was the database */
  run(contacts: ContactImport): Promise<ImportOutcome> {
    return this.#thread.ask(contacts);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
