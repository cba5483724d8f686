// Writes `lastUsedAt` of personal access tokens as best effort, independent of the request: a locked or full database
// neither delays nor fails a read-only request.
import { touchAccessToken } from '../../db/queries/accounts/access-tokens.ts';
import type { ApiContext } from '../context.ts';

/** A token's use is written at most this often; a failed write is also retried after this time. */
const WRITE_EVERY_MS = 60_000;
const TOKENS_MAX = 10_000;

export class TokenUses {
  readonly #context: Pick<ApiContext, 'db' | 'log' | 'now'>;
  /** When the last write of each token began; the oldest first. */
  readonly #begun = new Map<string, number>();

  constructor(context: Pick<ApiContext, 'db' | 'log' | 'now'>) {
    this.#context = context;
  }

  /** Notes a use of the token; `lastUsedAt` is the stored time. */
  note(id: string, lastUsedAt: number | null): void {
    const { db, log, now } = this.#context;
    const nowMs = now();
    // After the clock was set back, the use is written.
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
