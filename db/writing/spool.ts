// The engine's own store of writes that must not be lost while PostgreSQL is away: a SQLite file beside its recordings.
// A write is here before it is sent, and leaves when it has been applied; what a killed engine leaves, its successor in
// the same folder sends. An operation's id makes a repetition harmless (`applied_operations`).
import type { Statement } from 'better-sqlite3';
import { openRaw } from '../sqlite/open.ts';

export interface SpooledOperation {
  id: string;
  name: string;
  args: unknown;
}

/** Applied operations are removed with the next write, or when so many more wait for it. */
const REMOVE_AT = 200;

export class Spool {
  readonly #raw: ReturnType<typeof openRaw>;
  readonly #insert: Statement<[id: string, name: string, args: string]>;
  readonly #delete: Statement<[id: string]>;
  #applied: string[] = [];
  #removeAt = REMOVE_AT;
  /** Whether a file may still hold the words of operations that have been applied. */
  #hasTraces = true;

  /** Creates the file at `path`, or opens what an earlier engine left. */
  constructor(path: string) {
    this.#raw = openRaw(path);
    this.#raw.pragma('journal_mode = WAL');
    this.#raw.pragma('synchronous = FULL');
    this.#raw.exec(
      'create table if not exists operations (seq integer primary key autoincrement, id text not null unique, name text not null, args text not null) strict',
    );
    this.#insert = this.#raw.prepare('insert into operations (id, name, args) values (?, ?, ?)');
    this.#delete = this.#raw.prepare('delete from operations where id = ?');
  }

  /** The operations that an earlier engine left, oldest first. */
  all(): SpooledOperation[] {
    const rows = this.#raw.prepare('select id, name, args from operations order by seq').all() as Array<{
      id: string;
      name: string;
      args: string;
    }>;
    return rows.map(({ id, name, args }) => ({ id, name, args: JSON.parse(args) }));
  }

  /** On the disk when it returns. @throws SqliteError when the disk is full or fails */
  add(operations: readonly SpooledOperation[]): void {
    if (operations.length === 0) return;
    this.#write(() => {
      for (const { id, name, args } of operations) this.#insert.run(id, name, JSON.stringify(args));
    });
  }

  /** They have been applied, or given up. Where the disk fails they stay, and to send them again does no harm. */
  remove(ids: readonly string[]): void {
    this.#applied.push(...ids);
    if (this.#applied.length >= this.#removeAt && !this.#removeApplied()) {
      this.#removeAt = this.#applied.length + REMOVE_AT;
    }
  }

  /** Nothing of the operations that have been applied is in the file or its log any more, unless the disk fails. */
  clear(): void {
    if (!this.#hasTraces || !this.#removeApplied()) return;
    try {
      this.#raw.pragma('wal_checkpoint(TRUNCATE)');
      this.#hasTraces = false;
    } catch {
      // The next one tries again.
    }
  }

  close(): void {
    this.#removeApplied();
    this.#raw.close();
  }

  #removeApplied(): boolean {
    try {
      this.#write(() => undefined);
      return true;
    } catch {
      return false;
    }
  }

  #write(more: () => void): void {
    const applied = this.#applied;
    this.#hasTraces = true;
    this.#raw.transaction(() => {
      for (const id of applied) this.#delete.run(id);
      more();
    })();
    this.#applied = [];
    this.#removeAt = REMOVE_AT;
  }
}
