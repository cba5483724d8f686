// Hands large requests to a thread of their own: a thousand contacts take 35 ms to check and to write, for which a list
// of hundreds of thousands would stop everybody else's answers again and again.
import { DatabaseThread } from '../threads/database-thread.ts';
import { accountBusy } from '../threads/places-per-account.ts';
import type { ContactImport, ImportOutcome } from './merge.ts';

/** Requests of one account that may wait, some 40 ms each, and of all. */
const WAITING_PER_ACCOUNT_MAX = 32;
const WAITING_MAX = 128;

export class ContactImporter {
  readonly #thread: DatabaseThread<ContactImport, ImportOutcome>;

  constructor(database: string) {
    this.#thread = new DatabaseThread(new URL('./import-thread.ts', import.meta.url), database);
  }

  /**
   * Accounts are served in turn.
   * @throws Error with SQLite's `code` if the database failed, {ApiError} 429 where too many wait
   */
  async run(contacts: ContactImport): Promise<ImportOutcome> {
    if (this.#thread.queuedOf(contacts.accountId) >= WAITING_PER_ACCOUNT_MAX || this.#thread.queued >= WAITING_MAX)
      throw accountBusy('imports', WAITING_PER_ACCOUNT_MAX);
    return this.#thread.ask(contacts);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
