// The bytes of deleted rows: SQLite overwrites a row in the write-ahead log, and the row stands in the database, or
// further up in the log, until the log is written back and cut. After each deletion that is done within seconds, also
// beside readers and writers who never pause: it is tried again until one attempt finds a gap between them.
import type { Db } from '../../db/schema.ts';
import { truncateLog } from '../../db/upkeep.ts';
import type { App } from '../frame/app.ts';
import { cutLongLog } from './log-cut.ts';

/** An attempt costs microseconds while others use the log. */
const ATTEMPTS = 40;
const ATTEMPT_EVERY_MS = 25;
/** Writing back a longer log would hold up the API's requests: a thread does most of it. */
const HERE_BYTES_MAX = 16 * 1024 * 1024;

export class ErasedBytes {
  #deletions = 0;
  #cutUpTo = 0;

  /** Something was deleted, and is committed. */
  note(): void {
    this.#deletions++;
  }

  /** Cuts the log if something was deleted since it was cut. Returns whether nothing is left to be cut. */
  async cut({ db, config }: { db: Db; config: { database: string } }): Promise<boolean> {
    const upTo = this.#deletions;
    if (this.#cutUpTo < upTo) await cutLongLog(config.database, HERE_BYTES_MAX);
    for (let attempt = 0; this.#cutUpTo < upTo && attempt < ATTEMPTS; attempt++) {
      if (await truncateLog(db)) this.#cutUpTo = upTo;
      else await new Promise((resolve) => setTimeout(resolve, ATTEMPT_EVERY_MS));
    }
    return this.#cutUpTo >= upTo;
  }
}

/** Each request that deletes something. */
export function noteErasures(app: App, { erasedBytes }: { erasedBytes: ErasedBytes }): void {
  app.addHook('onSend', async (request, reply) => {
    if (request.method === 'DELETE' && reply.statusCode < 300) erasedBytes.note();
  });
}
