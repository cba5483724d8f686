// The text of a document as it is cut into passages: paragraphs between empty lines, headings as lines that begin with
// #, as in Markdown.

/** Most characters that a document gives. */
export const MAX_CHARACTERS = 10_000_000;

export class DocumentText {
  readonly #blocks: string[] = [];
  #characters = 0;
  #isFull = false;

  /** `level`: 1 to 6. */
  heading(level: number, text: string): void {
    const line = oneLine(text);
    if (line !== '') this.#add(`${'#'.repeat(level)} ${line}`);
  }

  /** A line of it that looks like a heading does not become one. */
  paragraph(text: string): void {
    const lines = text
      .split('\n')
      .map((line) => oneLine(line).replace(/^(?:#{1,6}\s+)+/, ''))
      .filter((line) => line !== '');
    if (lines.length > 0) this.#add(lines.join('\n'));
  }

  /** More was added than a document may have. */
  get isFull(): boolean {
    return this.#isFull;
  }

  toString(): string {
    return this.#blocks.join('\n\n');
  }

  #add(block: string): void {
    this.#characters += block.length;
    if (this.#characters > MAX_CHARACTERS) this.#isFull = true;
    else this.#blocks.push(block);
  }
}

/** Without control characters, each run of blanks as one. */
const oneLine = (text: string): string => text.replace(/[\s\p{Cc}\u00ad\u200b\ufeff]+/gu, ' ').trim();
