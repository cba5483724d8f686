// A PDF as text: lines by where they stand on the page, headings by letters that are larger than most, else a heading
// for each page. PDF.js runs no script of a document, and here it may not make code of fonts either.
import { getDocument, VerbosityLevel } from 'unpdf/pdfjs';
import { DocumentText } from './lines.ts';
import { Unreadable } from './unreadable.ts';

const PAGES_MAX = 2_000;
/** Letters so much larger than most are a heading's. */
const HEADING_RATIO = 1.15;
const HEADING_CHARS_MAX = 150;
const LEVELS_MAX = 3;
/** A gap between lines, in heights of a line, that begins a paragraph. */
const PARAGRAPH_GAP = 1.6;

interface Line {
  text: string;
  /** Of its letters, in points, to the half. */
  size: number;
  /** From the bottom of the page, in points. */
  y: number;
}

/** @throws {Unreadable} */
export const textOfPdf = async (bytes: Uint8Array): Promise<DocumentText> => textOfPages(await pagesOf(bytes));

/** As they stand on the pages: lines of a list are no paragraph. @throws {Unreadable} */
export const linesOfPdf = async (bytes: Uint8Array): Promise<string[]> =>
  (await pagesOf(bytes)).flat().map(({ text }) => text);

/** Lines, without running heads and page numbers. */
async function pagesOf(bytes: Uint8Array): Promise<Line[][]> {
  const loading = getDocument({
    data: bytes,
    verbosity: VerbosityLevel.ERRORS,
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    useWasm: false,
    enableXfa: false,
  });
  try {
    const pdf = await loading.promise;
    if (pdf.numPages > PAGES_MAX) throw new Unreadable(`it has ${pdf.numPages} pages, more than ${PAGES_MAX}`);
    const pages: Line[][] = [];
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      pages.push(linesOf(items.filter((item): item is Extract<typeof item, { str: string }> => 'str' in item)));
      page.cleanup();
    }
    return withoutMargins(pages);
  } catch (error) {
    throw inWords(error);
  }
}

function inWords(error: unknown): unknown {
  const { name = '' } = error as { name?: string };
  if (name === 'PasswordException') return new Unreadable('it is encrypted: remove its password');
  if (error instanceof Unreadable || error instanceof RangeError) return error;
  return new Unreadable('the file is broken');
}

interface Item {
  str: string;
  transform: number[];
  height: number;
  hasEOL: boolean;
}

function linesOf(items: readonly Item[]): Line[] {
  const lines: Line[] = [];
  let open: Line | null = null;
  for (const { str, transform, height, hasEOL } of items) {
    const y = transform[5] ?? 0;
    if (open !== null && str !== '' && Math.abs(open.y - y) > Math.max(open.size, height) / 2) {
      lines.push(open);
      open = null;
    }
    if (open === null) open = { text: str, size: halves(height), y };
    else {
      open.text += str;
      open.size = Math.max(open.size, halves(height));
    }
    if (hasEOL) {
      lines.push(open);
      open = null;
    }
  }
  if (open !== null) lines.push(open);
  return lines.map((line) => ({ ...line, text: line.text.trim() })).filter(({ text }) => text !== '');
}

const halves = (points: number): number => Math.round(points * 2) / 2;

/** Lines of a page, from its top and from its end, that may be a running head or a page number. */
const MARGIN_LINES = 2;
const REPEATED_MIN = 3;
const PAGE_NUMBER = /^\d{1,4}$/;
/** Of a table of contents: dots that lead to a page's number. */
const CONTENTS_ENTRY = /(?: ?\.){5} ?\d{1,4}$/;

/** Without tables of contents, and lines at the top and the end that half of the pages have, but for their number. */
function withoutMargins(pages: readonly Line[][]): Line[][] {
  const body = commonSize(pages);
  const isMargin = (index: number, { length }: readonly Line[]): boolean =>
    index < MARGIN_LINES || index >= length - MARGIN_LINES;
  const keysOf = (line: Line, page: number): string[] =>
    isLarge(line.size, body) ? [line.text] : [line.text, ...withoutNumber(line.text, page)];
  const counts = new Map<string, number>();
  for (const [page, lines] of pages.entries())
    for (const key of new Set(lines.filter((_, at) => isMargin(at, lines)).flatMap((line) => keysOf(line, page))))
      counts.set(key, (counts.get(key) ?? 0) + 1);
  const least = Math.max(REPEATED_MIN, pages.length / 2);
  const isRepeated = (line: Line, page: number): boolean =>
    PAGE_NUMBER.test(line.text) || keysOf(line, page).some((key) => (counts.get(key) ?? 0) >= least);
  return pages.map((lines, page) =>
    lines.filter((line, at) => !(isMargin(at, lines) && isRepeated(line, page)) && !CONTENTS_ENTRY.test(line.text)),
  );
}

const NUMBERS_MAX = 4;

/** The line with each of its numbers in turn as what it exceeds the page's by: `Page 3 of 9` has one equal on all. */
const withoutNumber = (text: string, page: number): string[] =>
  [...text.matchAll(/\d{1,6}/g)]
    .slice(0, NUMBERS_MAX)
    .map(
      ({ 0: number, index }) => `${text.slice(0, index)}#${Number(number) - page}#${text.slice(index + number.length)}`,
    );

function textOfPages(pages: readonly Line[][]): DocumentText {
  const body = commonSize(pages);
  const isHeading = ({ size, text }: Line): boolean =>
    isLarge(size, body) && text.length <= HEADING_CHARS_MAX && /\p{L}/u.test(text);
  const sizes = [...new Set(pages.flatMap((lines) => lines.filter(isHeading).map(({ size }) => size)))];
  sizes.sort((a, b) => b - a);
  const levelOf = (size: number): number => Math.min(LEVELS_MAX, sizes.indexOf(size) + 1);
  const text = new DocumentText();
  for (const [index, lines] of pages.entries()) {
    if (sizes.length === 0) text.heading(1, `Page ${index + 1}`);
    let paragraph: Line[] = [];
    let heading: Line[] = [];
    const end = (): void => {
      if (heading[0] !== undefined) text.heading(levelOf(heading[0].size), joined(heading));
      text.paragraph(joined(paragraph));
      heading = [];
      paragraph = [];
    };
    for (const line of lines) {
      const open = isHeading(line) ? heading : paragraph;
      const above = open.at(-1);
      const isOther = above === undefined || above.size !== line.size;
      if (isOther || Math.abs(above.y - line.y) > PARAGRAPH_GAP * line.size) end();
      (isHeading(line) ? heading : paragraph).push(line);
    }
    end();
    if (text.isFull) break;
  }
  return text;
}

const isLarge = (size: number, body: number): boolean => body > 0 && size >= body * HEADING_RATIO;

/** The size that most letters have; 0: there are none. */
function commonSize(pages: readonly Line[][]): number {
  const letters = new Map<number, number>();
  for (const { size, text } of pages.flat()) letters.set(size, (letters.get(size) ?? 0) + text.length);
  return [...letters].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}

/** A word that was divided at the end of a line is whole again. */
const joined = (lines: readonly Line[]): string =>
  lines
    .map(({ text }) => text)
    .join('\n')
    .replace(/(?<=\p{Ll})-\n(?=\p{Ll})/gu, '')
    .replace(/\n/g, ' ');
