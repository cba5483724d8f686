// `lastUsedAt` of personal access tokens: best effort, beside the request. A database that cannot be written neither
// delays nor fails a request that only reads.
import { touchAccessToken } from '../../db/queries/accounts/access-tokens.ts';
import type { ApiContext } from '../context.ts';

/** A token's use is written at most this often, and a write that failed is tried again as late. */
const WRITE_EVERY_MS = 60_000;
const TOKENS_MAX = 10_000;

export class TokenUses {
  readonly #context: Pick<ApiContext, 'db' | 'log' | 'now'>;
  /** When the last write of each token began; the oldest first. */
  readonly #begun = new Map<string, number>();

  constructor(context: Pick<ApiContext, 'db' | 'log' | 'now'>) {
    this.#context = context;
  }

  /** The token was used just now; `lastUsedAt` is what the database has. */
  note(id: string, lastUsedAt: number | null): void {
    const { db, log, now } = this.#context;
    const nowMs = now();
    // A clock that was set back counts as a long time.
    const isRecent = (atMs: number) => Math.abs(nowMs - atMs) < WRITE_EVERY_MS;
    if (isRecent(lastUsedAt ?? 0) || isRecent(this.#begun.get(id) ?? 0)) return;
    this.#begun.delete(id);
    this.#begun.set(id, nowMs);
    const [oldest] = this.#begun.keys();
    if (this.#begun.size > TOKENS_MAX && oldest !== undefined) this.#begun.delete(oldest);
    touchAccessToken(db, id, nowMs).catch((error: unknown) => {
      log.debug({ err: error, tokenId: id }, 'could not write the use of a token');
    });
  }
}
