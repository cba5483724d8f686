// Reads one document on its own thread and exits.
import { parentPort, workerData } from 'node:worker_threads';
import type { DocumentKind } from '../../../db/schema/knowledge.ts';
import { decoded } from './kinds.ts';
import { MAX_CHARACTERS } from './lines.ts';
import { type DocumentRead, readText } from './text.ts';
import { Unreadable } from './unreadable.ts';

export interface ReadTask {
  kind: DocumentKind;
  bytes: Uint8Array;
  /** That somebody named for a text; null: nobody did. */
  charset: string | null;
}

/** `refused`: goes on after "The document cannot be read:". */
export type ReadMessage = DocumentRead | { refused: string };

const task = workerData as ReadTask;
try {
  const text = await textOf(task);
  if (text.length > MAX_CHARACTERS) throw new Unreadable('it has more than 10 million characters');
  const read = readText(text, task.kind === 'text' ? 'text' : 'markdown');
  if (read.passages.length === 0) throw new Unreadable('it has no text');
  parentPort?.postMessage(read satisfies ReadMessage);
} catch (error) {
  if (!(error instanceof Unreadable)) throw error;
  parentPort?.postMessage({ refused: error.message } satisfies ReadMessage);
}

async function textOf({ kind, bytes, charset }: ReadTask): Promise<string> {
  switch (kind) {
    case 'text':
    case 'markdown':
      return decoded(bytes, charset);
    case 'html':
      return whole((await import('./html.ts')).textOfHtml(decoded(bytes, charset)));
    case 'docx':
      return whole((await import('./docx.ts')).textOfDocx(bytes));
    case 'pdf':
      return whole(await (await import('./pdf.ts')).textOfPdf(bytes));
  }
}

function whole(text: { isFull: boolean; toString(): string }): string {
  if (text.isFull) throw new Unreadable('it has more than 10 million characters');
  return text.toString();
}
