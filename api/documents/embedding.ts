// Makes the vectors of documents in the background: block by block, so that a restart goes on where it was. A slow
// server is asked for fewer at once; one that is down or full rests the work; a document that it refuses waits longer
// each time.
import { updateDocument } from '../../db/queries/knowledge/documents.ts';
import { BLOCK_PASSAGES, blocksToEmbed, documentsToEmbed, keepBlock } from '../../db/queries/knowledge/vectors.ts';
import { type EmbeddingsSettings, vectorKind } from '../../db/shared/settings/embeddings-settings.ts';
import { Embeddings, EmbeddingsError } from '../../models/knowledge/embeddings.ts';
import type { ApiContext } from '../context.ts';

const WITHIN_MS = 30_000;
/** Texts of the first request: a small model on a processor makes two or three vectors a second. */
const FIRST_TEXTS = 16;
/** An answer in this share of the time lets the next request have twice as many texts. */
const QUICK_SHARE = 0.25;
const PER_RUN = 4;
const FIRST_REST_MS = 2_000;
const LONGEST_REST_MS = 600_000;

type Due = Awaited<ReturnType<typeof documentsToEmbed>>[number];

export class DocumentEmbedding {
  readonly #context: Pick<ApiContext, 'db' | 'read' | 'now' | 'log'>;
  readonly #server: Embeddings;
  readonly #kind: string;
  readonly #withinMs: number;
  #textsAtOnce = FIRST_TEXTS;

  /** @param withinMs time that the server has for one request */
  constructor(
    context: Pick<ApiContext, 'db' | 'read' | 'now' | 'log'>,
    settings: EmbeddingsSettings,
    withinMs = WITHIN_MS,
  ) {
    this.#context = context;
    this.#server = new Embeddings(settings);
    this.#kind = vectorKind(settings);
    this.#withinMs = withinMs;
  }

  /** A few documents; returns how many were due. */
  async run(): Promise<number> {
    const { read, now } = this.#context;
    const due = await documentsToEmbed(read, this.#kind, now(), PER_RUN);
    for (const document of due) if (!(await this.#embed(document))) break;
    return due.length;
  }

  /** False: the server is to be left alone for now. */
  async #embed(document: Due): Promise<boolean> {
    const { db, read, now, log } = this.#context;
    try {
      for (const { block, passages } of await blocksToEmbed(read, document, this.#kind)) {
        const vectors = await this.#vectorsOf(passages.map(({ text }) => text));
        const seqs = passages.map(({ seq }) => seq);
        const kept = { kind: this.#kind, block, seqs, vectors };
        // Deleted, or read again meanwhile: then it is due again as it is now.
        if (!(await db.transaction().execute((trx) => keepBlock(trx, document, kept)))) return true;
      }
      const done = { vectorKind: this.#kind, vectorsDueAt: null, vectorFailures: 0, vectorError: null };
      await updateDocument(db, document, done);
      return true;
    } catch (error) {
      if (!(error instanceof EmbeddingsError)) throw error;
      const { code, message, retryAfterMs } = error;
      const restMs = retryAfterMs ?? Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** Number(document.vectorFailures));
      log.warn({ documentId: document.id, code, restMs }, 'no vectors for a document');
      await updateDocument(db, document, {
        vectorsDueAt: now() + restMs,
        vectorFailures: Math.min(30, Number(document.vectorFailures) + 1),
        vectorError: message,
      });
      // A failure that this document's texts may have caused leaves the others their turn.
      return code === 'REFUSED' || code === 'UNUSABLE';
    }
  }

  /** As many texts a request as the server makes in time. @throws {EmbeddingsError} */
  async #vectorsOf(texts: readonly string[]): Promise<Int8Array[]> {
    const vectors: Int8Array[] = [];
    while (vectors.length < texts.length) {
      const some = texts.slice(vectors.length, vectors.length + this.#textsAtOnce);
      const startedAt = performance.now();
      try {
        vectors.push(...(await this.#server.of(some, this.#withinMs)));
      } catch (error) {
        if (!(error instanceof EmbeddingsError) || error.code !== 'TIMEOUT' || some.length === 1) throw error;
        this.#textsAtOnce = Math.ceil(some.length / 2);
        continue;
      }
      const isQuick = performance.now() - startedAt < this.#withinMs * QUICK_SHARE;
      if (isQuick) this.#textsAtOnce = Math.min(BLOCK_PASSAGES, 2 * this.#textsAtOnce);
    }
    return vectors;
  }
}
