// Merges the reports of several runs line by line: if lines differ only in numbers, each number becomes its median,
// followed by the lowest and highest value. Tables of different length, because one run got further, are merged by the
// first cells of their rows.

const NUMBER = /-?\d+(?:,\d{3})*(?:\.\d+)?/g;

/** Merges the numbers of a line, in the cells of a table or in prose, one by one. */
export function mergeReports(runs: ReadonlyArray<readonly string[]>): string[] {
  const [first = []] = runs;
  if (runs.length < 2) return [...first];
  if (runs.every((lines) => lines.length === first.length)) return mergeLines(runs);
  const blocks = runs.map(blocksOf);
  if (blocks.some(({ length }) => length !== blocks[0]?.length)) return [...(runs.at(-1) ?? [])];
  return (blocks[0] ?? []).flatMap((_, i) => {
    const same = blocks.map((each) => each[i] ?? []);
    const merged = same.every(({ length }) => length === same[0]?.length) ? mergeLines(same) : mergeByKey(same);
    return i === 0 ? merged : ['', ...merged];
  });
}

/** The blocks between blank lines. */
function blocksOf(lines: readonly string[]): string[][] {
  const blocks: string[][] = [[]];
  for (const line of lines) {
    if (line === '') blocks.push([]);
    else blocks.at(-1)?.push(line);
  }
  return blocks;
}

const mergeLines = (runs: ReadonlyArray<readonly string[]>): string[] =>
  (runs[0] ?? []).map((line, i) =>
    mergeLine(
      runs.map((lines) => lines[i] ?? ''),
      line,
    ),
  );

/** A row's first cell, an item's words before the colon. */
const keyOf = (line: string): string =>
  (line.startsWith('|') ? line.split('|')[1] : line.split(':')[0])?.trim() ?? line;

/** Rows and items that are missing in some runs are marked with their number of runs. */
function mergeByKey(runs: ReadonlyArray<readonly string[]>): string[] {
  const found = new Map<string, string[]>();
  for (const line of runs.flat()) found.set(keyOf(line), [...(found.get(keyOf(line)) ?? []), line]);
  const numberIn = (key: string): number => Number(key.match(NUMBER)?.[0] ?? Number.NaN);
  // Lines without a number, such as the heading of a table, stay first.
  const keys = [...found.keys()].sort((a, b) => numberIn(a) - numberIn(b) || 0);
  return keys.map((key) => {
    const lines = found.get(key) ?? [];
    const merged = mergeLine(lines, lines[0] ?? '');
    return lines.length === runs.length
      ? merged
      : merged.replace(key, `${key} (${lines.length} of ${runs.length} runs)`);
  });
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
function spreadText(texts: readonly string[]): string {
  const [first = ''] = texts;
  if (texts.every((text) => text === first)) return first;
  const sorted = [...texts].sort((a, b) => numberOf(a) - numberOf(b));
  return `${median(sorted)} (${sorted[0]} to ${sorted.at(-1)})`;
}

const numberOf = (text: string): number => Number(text.replaceAll(',', ''));

/** The lower median of an even count: a measured value, not one between two. */
const median = (sorted: readonly string[]): string => sorted[Math.floor((sorted.length - 1) / 2)] ?? '';

/** The report without its title and the line about the machine, which always differ. */
export function bodyOf(markdown: string): string[] {
  const lines = markdown.trimEnd().split('\n');
  const machine = lines.findIndex((line) => /^\d+ cores .*Node \d/.test(line));
  const body = lines.slice(machine + 1).filter((line) => !line.startsWith('# '));
  while (body[0] === '') body.shift();
  return body;
}
