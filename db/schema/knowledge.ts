// Documents of a business, and their passages.
import type { Generated } from 'kysely';

export const DOCUMENT_KINDS = ['text', 'markdown', 'html', 'pdf', 'docx'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

export interface DocumentTable {
  id: string;
  accountId: string;
  businessId: string;
  name: string;
  kind: DocumentKind;
  characters: number;
  /** How many it was cut into. */
  passages: number;
  createdAt: number;
  /** Where it was read from; null: it was sent. */
  sourceUrl: string | null;
  /** Read again so many hours after it was; null: only on request. */
  refreshHours: number | null;
  /** When the job reads it again. */
  refreshAt: number | null;
  /** When the source last gave what the document has. */
  readAt: number | null;
  /** Why the last reading failed; what was read before stays. */
  error: string | null;
  /** SHA-256 of the text, in hexadecimal digits; null: it was added before there were hashes. */
  textHash: string | null;
  /** Which version of the analysis its terms are of (db/language/analysis.ts). */
  indexVersion: Generated<number>;
  /** Model and size of all its vectors; null: they are not made yet, or not all. */
  vectorKind: string | null;
  /** Not before; null: as soon as may be. */
  vectorsDueAt: number | null;
  /** How often in a row its vectors could not be made, and why. */
  vectorFailures: Generated<number>;
  vectorError: string | null;
}

/** SQLite keeps the index of their terms in `passage_words` (FTS5), by triggers. */
export interface PassageTable {
  seq: Generated<number>;
  documentId: string;
  /** The tenant. */
  accountId: string;
  businessId: string;
  /** The headings above it, the highest first, joined by ` > `; empty: none. */
  heading: string;
  body: string;
  /** Before each of its terms in the index: its business's. */
  mark: string;
  /** Terms in their order, a space before each. */
  headingTerms: string;
  bodyTerms: string;
}

/** Names, codes and words of headings, each once a business; SQLite keeps their trigrams in `name_grams`. */
export interface KnowledgeNameTable {
  seq: Generated<number>;
  accountId: string;
  businessId: string;
  mark: string;
  term: string;
  /** How it sounds. */
  sound: string;
  /** Trigrams of the sound, a space before each. */
  grams: string;
  /** In how many documents it is. */
  uses: number;
}

/** Vectors of up to 64 passages of a document. */
export interface DocumentVectorTable {
  documentId: string;
  block: number;
  accountId: string;
  businessId: string;
  /** Model and size. */
  kind: string;
  /** Of the passages, JSON. */
  seqs: string;
  /** One after the other, a signed byte a number. */
  vectors: Buffer;
}

/** The names that a document has, which go with it. */
export interface DocumentNameTable {
  documentId: string;
  accountId: string;
  businessId: string;
  /** Joined by spaces. */
  terms: string;
}
