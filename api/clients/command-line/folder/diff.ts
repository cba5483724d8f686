// Shows how a file differs from what the service has, line by line.
import { structuredPatch } from 'diff';
import { clean, type Output } from '../output.ts';

const CONTEXT_LINES = 2;

export function printDiff(output: Output, before: string, after: string): void {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: CONTEXT_LINES });
  for (const [i, { lines }] of hunks.entries()) {
    if (i > 0) output.line(output.style('dim', '    …'));
    for (const line of lines) {
      const text = `    ${clean(line)}`;
      if (line.startsWith('+')) output.line(output.style('green', text));
      else if (line.startsWith('-')) output.line(output.style('red', text));
      else if (!line.startsWith('\\')) output.line(text);
    }
  }
}
