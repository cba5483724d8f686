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
}

/** SQLite keeps the index of their words in `passage_words` (FTS5), by triggers. */
export interface PassageTable {
  seq: Generated<number>;
  documentId: string;
  /** The tenant. */
  accountId: string;
  businessId: string;
  /** The headings above it, the highest first, joined by ` > `; empty: none. */
  heading: string;
  body: string;
}
