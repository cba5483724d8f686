// Documents of a business, and their passages.
import type { Generated } from 'kysely';

export interface DocumentTable {
  id: string;
  accountId: string;
  businessId: string;
  name: string;
  kind: 'text' | 'markdown';
  characters: number;
  /** How many it was cut into. */
  passages: number;
  createdAt: number;
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
