// A Word document as text: its paragraphs, headings by their style, rows of tables as lines (ECMA-376 part 1, 17.3 and
// 17.7). Of the archive only the two parts with words are inflated, and only to what they may have.
import { load } from 'cheerio/slim';
import { type Unzipped, unzipSync } from 'fflate';
import { DocumentText } from './lines.ts';
import { Unreadable } from './unreadable.ts';

const DOCUMENT = 'word/document.xml';
const STYLES = 'word/styles.xml';
/** Of a part when it is inflated: some 2,000 pages. */
const PART_BYTES_MAX = 32 * 1024 * 1024;
/** A part whose size is a lie was cut. */
const END = /document>\s*$/;
const ENTRIES_MAX = 5_000;

interface Node {
  type: string;
  name?: string;
  data?: string;
  attribs?: Record<string, string>;
  children?: Node[];
}

/** @throws {Unreadable} */
export function textOfDocx(bytes: Uint8Array): DocumentText {
  const parts = unpacked(bytes);
  const document = parts[DOCUMENT];
  if (document === undefined) throw new Unreadable('it is not a Word document');
  if (!END.test(new TextDecoder().decode(document.subarray(-100)))) throw new Unreadable('the file is broken');
  const levels = headingLevels(parts[STYLES]);
  const text = new DocumentText();
  const walk = (node: Node): void => {
    if (text.isFull) return;
    if (node.name === 'w:p') {
      const level = levelOf(node, levels);
      if (level === null) text.paragraph(words(node));
      else text.heading(level, words(node));
    } else if (node.name === 'w:tbl') {
      text.paragraph(children(node, 'w:tr').map(row).join('\n'));
    } else node.children?.forEach(walk);
  };
  walk(xml(document));
  return text;
}

/** The sizes that an archive claims are those that it gets: fflate inflates into buffers of these sizes. */
function unpacked(bytes: Uint8Array): Unzipped {
  let entries = 0;
  const taken = new Set<string>();
  try {
    return unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        entries++;
        if (entries > ENTRIES_MAX) throw new Unreadable('it has too many parts');
        if (name !== DOCUMENT && name !== STYLES) return false;
        if (taken.has(name)) throw new Unreadable('the file is broken');
        taken.add(name);
        if (originalSize > PART_BYTES_MAX) throw new Unreadable('it is too large when it is unpacked');
        return true;
      },
    });
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable('the file is broken');
  }
}

const xml = (part: Uint8Array): Node =>
  load(new TextDecoder().decode(part), { xml: { decodeEntities: true } })
    .root()
    .get(0) as unknown as Node;

/** By style: 1 to 6. Names of built-in headings are English in each language's Word; their ids are not. */
function headingLevels(styles: Uint8Array | undefined): Map<string, number> {
  const levels = new Map<string, number>();
  if (styles === undefined) return levels;
  const visit = (node: Node): void => {
    if (node.name !== 'w:style') {
      node.children?.forEach(visit);
      return;
    }
    const id = node.attribs?.['w:styleId'];
    const name = children(node, 'w:name')[0]?.attribs?.['w:val'] ?? '';
    const outline = outlineOf(children(node, 'w:pPr')[0]);
    const level = /^title$/i.test(name) ? 1 : (headingOf(name) ?? outline);
    if (id !== undefined && level !== null) levels.set(id, level);
  };
  visit(xml(styles));
  return levels;
}

const headingOf = (name: string): number | null => {
  const level = /^heading ?([1-9])$/i.exec(name)?.[1];
  return level === undefined ? null : Math.min(6, Number(level));
};

function levelOf(paragraph: Node, levels: ReadonlyMap<string, number>): number | null {
  const properties = children(paragraph, 'w:pPr')[0];
  const style = children(properties, 'w:pStyle')[0]?.attribs?.['w:val'] ?? '';
  return outlineOf(properties) ?? levels.get(style) ?? headingOf(style);
}

/** `w:outlineLvl`: 0 is the highest, 9 is none. */
function outlineOf(properties: Node | undefined): number | null {
  const value = children(properties, 'w:outlineLvl')[0]?.attribs?.['w:val'];
  const level = Number(value);
  return value === undefined || !Number.isInteger(level) || level < 0 || level > 8 ? null : Math.min(6, level + 1);
}

const children = (node: Node | undefined, name: string): Node[] =>
  (node?.children ?? []).filter((child) => child.name === name);

const row = (node: Node): string =>
  children(node, 'w:tc')
    .map((cell) => words(cell).replace(/\s+/g, ' ').trim())
    .filter((cell) => cell !== '')
    .join(' | ');

/** Without what was deleted or moved away with changes tracked, codes of fields, and what old readers see twice. */
function words(node: Node): string {
  switch (node.name) {
    case 'w:t':
      return (node.children ?? []).map(({ data }) => data ?? '').join('');
    case 'w:tab':
      return ' ';
    case 'w:br':
    case 'w:cr':
      return '\n';
    case 'w:noBreakHyphen':
      return '-';
    case 'w:pPr':
    case 'w:rPr':
    case 'w:del':
    case 'w:moveFrom':
    case 'mc:Fallback':
    case 'w:instrText':
      return '';
    default: {
      const within = (node.children ?? []).map(words).join('');
      return node.name === 'w:p' ? `${within}\n` : within;
    }
  }
}
