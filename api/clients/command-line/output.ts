// The output of a command: lines for people, or JSON for programs. Colours are for a terminal only, and texts of the
// service can never move its cursor or change its colours.

export interface Streams {
  out(text: string): void;
  err(text: string): void;
  /** Whether a person looks at the output. */
  isTerminal: boolean;
}

const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;
export type Style = keyof typeof STYLES;

const CELL_CHARACTERS = 60;

export class Output {
  readonly isJson: boolean;
  readonly #streams: Streams;
  readonly #isColoured: boolean;

  constructor(streams: Streams, { isJson, isColoured }: { isJson: boolean; isColoured: boolean }) {
    this.#streams = streams;
    this.isJson = isJson;
    this.#isColoured = isColoured;
  }

  /** For people; with --json nothing. */
  line(text = ''): void {
    if (!this.isJson) this.#streams.out(`${text}\n`);
  }

  /** For programs; without --json nothing. */
  json(value: unknown): void {
    if (this.isJson) this.#streams.out(`${JSON.stringify(value, null, 2)}\n`);
  }

  /** One of many: a line of JSON each. */
  jsonLine(value: unknown): void {
    if (this.isJson) this.#streams.out(`${JSON.stringify(value)}\n`);
  }

  /** Beside the result, in either mode. */
  note(text: string): void {
    this.#streams.err(`${text}\n`);
  }

  style(style: Style, text: string): string {
    const [on, off] = STYLES[style];
    return this.#isColoured ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  }

  /** In columns that are as wide as their longest cell. */
  table(headings: readonly string[], rows: ReadonlyArray<readonly string[]>): void {
    const cells = rows.map((row) => row.map(cell));
    const widths = headings.map((heading, i) => Math.max(heading.length, ...cells.map((row) => row[i]?.length ?? 0)));
    const written = (row: readonly string[]) =>
      row
        .map((text, i) => text.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd();
    this.line(this.style('dim', written(headings)));
    for (const row of cells) this.line(written(row));
  }
}

/** Without control characters: a caller's name is no escape sequence. */
export const clean = (text: string): string => text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, ' ');

function cell(text: string): string {
  const line = clean(text);
  return line.length > CELL_CHARACTERS ? `${line.slice(0, CELL_CHARACTERS - 1)}…` : line;
}
