// Tells the API how the newest INVITEs of each trunk were read: numbers as they came, as they were taken, and by which
// rule. The numbers are people's: they go into the database, where they are erased with their calls, and into no log.
import type { Logger } from 'pino';
import { messageOf } from '../../db/domain/unexpected.ts';
import { READ_INVITES_KEPT, type ReadInviteRow } from '../../db/queries/trunks/read-invites.ts';
import { newId } from '../../db/shared/id.ts';
import type { Writer } from '../../db/writing/writer.ts';
import { type Clock, every } from '../clock.ts';

/** Somebody who tries a number looks at the page at once; a busy trunk costs one write a second. */
const WRITE_EVERY_MS = 1_000;

export type ReadInvite = Omit<ReadInviteRow, 'id' | 'createdAt'>;

export class ReadInvites {
  readonly #writer: Pick<Writer, 'run'>;
  readonly #clock: Clock;
  readonly #log: Logger;
  /** By trunk, the newest that are not written yet. */
  readonly #waiting = new Map<string, ReadInviteRow[]>();

  constructor({ writer, clock, log }: { writer: Pick<Writer, 'run'>; clock: Clock; log: Logger }) {
    this.#writer = writer;
    this.#clock = clock;
    this.#log = log;
  }

  /** Writes what has come periodically; returns a function that stops it. */
  start(): () => void {
    return every(this.#clock, WRITE_EVERY_MS, () => void this.write());
  }

  add(read: ReadInvite): void {
    const rows = this.#waiting.get(read.trunkId) ?? [];
    rows.push({ ...read, id: newId('inv'), createdAt: this.#clock.nowMs() });
    this.#waiting.set(read.trunkId, rows.slice(-READ_INVITES_KEPT));
  }

  async write(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const rows = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    try {
      await this.#writer.run('addReadInvites', { rows });
    } catch (error) {
      this.#log.warn({ rows: rows.length, error: messageOf(error) }, 'could not write how INVITEs were read');
    }
  }
}
