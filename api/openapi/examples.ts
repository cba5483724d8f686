// Adds the examples to the document: records and bodies unchanged, answers around their records.
import { BODY_EXAMPLES } from './body-examples.ts';
import type { Document, Json } from './components.ts';
import { RECORD_EXAMPLES } from './record-examples.ts';

/** Adds an example to every component that has one, in place. */
export function addExamples(document: Document): void {
  const examples: Record<string, unknown> = { ...RECORD_EXAMPLES, ...BODY_EXAMPLES };
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    const example = examples[name] ?? answerExample(name, schema);
    if (example !== undefined) schema.examples = [example];
  }
}

function answerExample(name: string, schema: Json): unknown {
  const [, record = '', kind] = /^(.+)(Answer|Page|List)$/.exec(name) ?? [];
  const data = RECORD_EXAMPLES[record];
  if (data === undefined || !isEnvelope(schema)) return undefined;
  if (kind === 'Answer') return { success: true, data };
  return { success: true, data: [data], ...(kind === 'Page' ? { pagination: RECORD_EXAMPLES.Pagination } : {}) };
}

const isEnvelope = ({ properties }: Json): boolean =>
  typeof properties === 'object' && properties !== null && 'success' in properties;
