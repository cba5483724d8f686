// A text as it is kept: its passages, and what tells whether it is another one.
import { createHash } from 'node:crypto';
import { type IndexedDocument, indexed } from '../../../db/language/analysis.ts';
import { passagesOf } from '../../../models/knowledge/passages.ts';

export interface DocumentRead extends IndexedDocument {
  characters: number;
  /** SHA-256, in hexadecimal digits. */
  textHash: string;
}

/** Of a plain text, lines that begin with # are no headings. */
export function readText(text: string, kind: 'text' | 'markdown'): DocumentRead {
  return {
    ...indexed(passagesOf(text, { isMarkdown: kind === 'markdown' })),
    characters: text.length,
    textHash: createHash('sha256').update(text).digest('hex'),
  };
}
