// Reads the existing record's sections of parts that were not run now: a record renewed in one part keeps the others.
import type { RecordPart } from './parts.ts';

/** A part of an existing record. */
export interface EarlierPart {
  /** Its row of the contents. */
  row: string;
  /** From its heading to the next part's, without blank lines around it. */
  section: string[];
}

export const QUICK_MARK = '**A quick record:**';

/**
 * Parts by name. Ignores another machine's record, because its figures are not comparable, and a quick record.
 */
export function earlierParts(
  document: string,
  machineLine: string,
  parts: readonly RecordPart[],
): Map<string, EarlierPart> {
  const lines = document.split('\n');
  const found = new Map<string, EarlierPart>();
  if (!lines.includes(machineLine) || document.includes(QUICK_MARK)) return found;
  const headings = new Set(parts.map(({ title }) => `## ${title}`));
  for (const { name, title } of parts) {
    const row = lines.find((line) => line.startsWith(`| ${title} | `));
    const from = lines.indexOf(`## ${title}`);
    if (row === undefined || from < 0) continue;
    const length = lines.slice(from + 1).findIndex((line) => headings.has(line));
    const section = lines.slice(from, length < 0 ? undefined : from + 1 + length);
    found.set(name, { row, section: section.join('\n').trim().split('\n') });
  }
  return found;
}
