// Puts the reports of several runs together, line by line: where the runs differ in numbers alone, each number becomes its
// median with the lowest and highest of the runs behind it.

const NUMBER = /-?\d+(?:,\d{3})*(?:\.\d+)?/g;

/** Numbers of a line stand in a cell of a table, or in prose: either is merged piece by piece. */
export function mergeReports(runs: ReadonlyArray<readonly string[]>): string[] {
  const [first = []] = runs;
  if (runs.length < 2 || runs.some((lines) => lines.length !== first.length)) return [...(runs.at(-1) ?? [])];
  return first.map((line, i) =>
    mergeLine(
      runs.map((lines) => lines[i] ?? ''),
      line,
    ),
  );
}

function mergeLine(lines: readonly string[], first: string): string {
  if (!first.startsWith('|')) return mergeText(lines);
  const rows = lines.map((line) => line.split('|'));
  const [cells = []] = rows;
  if (rows.some((row) => row.length !== cells.length)) return first;
  return cells.map((_, column) => mergeText(rows.map((row) => row[column] ?? ''))).join('|');
}

function mergeText(texts: readonly string[]): string {
  const [first = ''] = texts;
  if (texts.every((text) => text === first)) return first;
  const skeleton = first.replace(NUMBER, '0');
  if (texts.some((text) => text.replace(NUMBER, '0') !== skeleton))
    return ` ${texts.map((text) => text.trim()).join(' / ')} `;
  const numbers = texts.map((text) => text.match(NUMBER) ?? []);
  let next = 0;
  return first.replace(NUMBER, () => {
    const position = next++;
    return spreadText(numbers.map((found) => found[position] ?? ''));
  });
}

/** `12.5 (11.9 to 14)`: the median, and the lowest and highest. */
export function spreadText(texts: readonly string[]): string {
  const [first = ''] = texts;
  if (texts.every((text) => text === first)) return first;
  const sorted = [...texts].sort((a, b) => numberOf(a) - numberOf(b));
  return `${median(sorted)} (${sorted[0]} to ${sorted.at(-1)})`;
}

const numberOf = (text: string): number => Number(text.replaceAll(',', ''));

/** The lower one of an even count: a figure that was measured, not one between two. */
const median = (sorted: readonly string[]): string => sorted[Math.floor((sorted.length - 1) / 2)] ?? '';

/** The report without its title and the line about the machine, which differ by nature. */
export function bodyOf(markdown: string): string[] {
  const lines = markdown.trimEnd().split('\n');
  const machine = lines.findIndex((line) => /^\d+ cores .*Node \d/.test(line));
  const body = lines.slice(machine + 1).filter((line) => !line.startsWith('# '));
  while (body[0] === '') body.shift();
  return body;
}
