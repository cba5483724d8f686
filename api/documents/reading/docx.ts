// A Word document as text: its paragraphs, headings by their style, rows of tables as lines (ECMA-376 part 1, 17.3 and
// 17.7). The main part is found by its relationship. Of the archive only the
// parts with words and their relationships are inflated, and only to what they may have.
import { load } from 'cheerio/slim';
import { type Unzipped, unzipSync } from 'fflate';
import { DocumentText } from './lines.ts';
import { Unreadable } from './unreadable.ts';

const ROOT_RELATIONS = '_rels/.rels';
/** For archives without relationships. Word for the web calls the main part `document2.xml`, for example. */
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
  const root = unpacked(bytes, [ROOT_RELATIONS, DOCUMENT]);
  const main = relationIn(root[ROOT_RELATIONS], '', 'officeDocument') ?? DOCUMENT;
  const relations = main.replace(/[^/]*$/, (name) => `_rels/${name}.rels`);
  const parts = unpacked(bytes, [main, relations, STYLES]);
  const document = parts[main];
  if (document === undefined) throw new Unreadable('it is not a Word document');
  if (!END.test(new TextDecoder().decode(document.subarray(-100)))) throw new Unreadable('the file is broken');
  const levels = headingLevels(stylesOf(bytes, parts, main, relations));
  const text = new DocumentText();
  const walk = (node: Node): void => {
    if (text.isFull) return;
    if (node.name === 'w:p') {
      const level = levelOf(node, levels);
      if (level === null) text.paragraph(words(node));
      else text.heading(level, words(node));
    } else if (node.name === 'w:tbl') {
      text.paragraph(inside(node, 'w:tr').filter(isKept).map(row).join('\n'));
    } else if (!GONE.has(node.name ?? '')) node.children?.forEach(walk);
  };
  walk(xml(document));
  return text;
}

function stylesOf(bytes: Uint8Array, parts: Unzipped, main: string, relations: string): Uint8Array | undefined {
  const styles = relationIn(parts[relations], main, 'styles') ?? STYLES;
  return parts[styles] ?? unpacked(bytes, [styles])[styles];
}

/** The part that `from` names by this kind of relationship (ECMA-376 part 2, 9.3); an address begins at its folder. */
function relationIn(relations: Uint8Array | undefined, from: string, kind: string): string | null {
  if (relations === undefined) return null;
  const [list] = (xml(relations).children ?? []).filter(({ type }) => type === 'tag');
  const named = (list?.children ?? []).find(({ attribs }) => attribs?.Type?.endsWith(`/${kind}`));
  const target = named?.attribs?.Target;
  return (target && URL.parse(target, `zip:///${from}`)?.pathname.slice(1)) || null;
}

/** The sizes that an archive claims are those that it gets: fflate inflates into buffers of these sizes. */
function unpacked(bytes: Uint8Array, names: readonly string[]): Unzipped {
  let entries = 0;
  const taken = new Set<string>();
  try {
    return unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        entries++;
        if (entries > ENTRIES_MAX) throw new Unreadable('it has too many parts');
        if (!names.includes(name)) return false;
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

function xml(part: Uint8Array): Node {
  const root = load(new TextDecoder().decode(part), { xml: { decodeEntities: true } })
    .root()
    .get(0) as unknown as Node;
  const element = root.children?.find(({ type }) => type === 'tag');
  const prefix = /^(?:[^:]*:)?/.exec(element?.name ?? '')?.[0] ?? '';
  const namespace = element?.attribs?.[prefix === '' ? 'xmlns' : `xmlns:${prefix.slice(0, -1)}`] ?? '';
  if (prefix !== 'w:' && WORDS_NAMESPACE.test(namespace)) rename(root, prefix);
  return root;
}

/** Of Word's own files, and of the strict form of the standard. */
const WORDS_NAMESPACE = /\/wordprocessingml\/(?:2006\/)?main$/;

/** Some programs write another prefix than `w:`, or none. */
function rename(node: Node, prefix: string): void {
  const renamed = (name: string): string => {
    if (prefix === '') return name.includes(':') ? name : `w:${name}`;
    return name.startsWith(prefix) ? `w:${name.slice(prefix.length)}` : name;
  };
  if (node.name !== undefined) node.name = renamed(node.name);
  if (prefix !== '' && node.attribs)
    node.attribs = Object.fromEntries(Object.entries(node.attribs).map(([name, value]) => [renamed(name), value]));
  for (const child of node.children ?? []) rename(child, prefix);
}

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

/** Deleted or moved away with changes tracked, and what old readers see twice. */
const GONE: ReadonlySet<string> = new Set(['w:del', 'w:moveFrom', 'mc:Fallback']);

/** As `children`, and those in content controls, tracked insertions and marks of other programs around them. */
const inside = (node: Node, name: string): Node[] =>
  (node.children ?? []).flatMap((child) => {
    if (child.name === name) return [child];
    return WRAPPERS.has(child.name ?? '') ? inside(child, name) : [];
  });
const WRAPPERS: ReadonlySet<string> = new Set([
  'w:sdt',
  'w:sdtContent',
  'w:customXml',
  'w:smartTag',
  'w:ins',
  'w:moveTo',
  'mc:AlternateContent',
  'mc:Choice',
]);

const isKept = (row: Node): boolean => children(children(row, 'w:trPr')[0], 'w:del').length === 0;

const row = (node: Node): string =>
  inside(node, 'w:tc')
    .map((cell) => words(cell).replace(/\s+/g, ' ').trim())
    .filter((cell) => cell !== '')
    .join(' | ');

/** Without what is gone, and codes of fields. */
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
    case 'w:sdtPr':
    case 'w:instrText':
      return '';
    default: {
      if (GONE.has(node.name ?? '')) return '';
      const within = (node.children ?? []).map(words).join('');
      return node.name === 'w:p' ? `${within}\n` : within;
    }
  }
}
