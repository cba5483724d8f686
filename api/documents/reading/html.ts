// A web page as text: its headings, its paragraphs, an item of a list or a row of a table as a line. Elements
// for browsers (scripts, styles) or for finding one's way (nav, menus) are left out. Nothing of it is run or fetched.
import { DocumentText } from './lines.ts';
import { parsedHtml } from './parsed-html.ts';

const LEFT_OUT =
  'script, style, noscript, template, svg, math, iframe, object, embed, canvas, nav, menu, form button, select, ' +
  'dialog, [hidden], [aria-hidden="true"], [role="navigation"], [role="menu"]';
/** Elements that stand on lines of their own. */
const BLOCKS = new Set(
  (
    'address article aside blockquote body details dd div dl dt fieldset figcaption figure footer form header hr ' +
    'main ol p pre section summary table tbody tfoot thead ul caption'
  ).split(' '),
);
const HEADING = /^h([1-6])$/;

/** The fields of cheerio's tree that this needs. */
interface Node {
  type: string;
  name?: string;
  data?: string;
  children?: Node[];
}

export function textOfHtml(html: string): DocumentText {
  const $ = parsedHtml(html);
  $(LEFT_OUT).remove();
  const text = new DocumentText();
  let open = '';
  const end = (): void => {
    text.paragraph(open);
    open = '';
  };
  const walk = (node: Node): void => {
    const { type, name = '', children = [] } = node;
    if (text.isFull) return;
    if (type === 'text') {
      open += (node.data ?? '').replace(/\s+/g, ' ');
      return;
    }
    const level = HEADING.exec(name)?.[1];
    if (level !== undefined) {
      end();
      text.heading(Number(level), inline(node));
    } else if (name === 'br') open += '\n';
    else if (name === 'li' || name === 'tr') {
      open += '\n';
      if (name === 'tr') open += row(children);
      else children.forEach(walk);
      open += '\n';
    } else if (name === 'img') return;
    else if (BLOCKS.has(name)) {
      // An item of a list keeps its paragraphs.
      end();
      children.forEach(walk);
      end();
    } else children.forEach(walk);
  };
  const body = $('body').get(0);
  if (body !== undefined) walk(body as unknown as Node);
  end();
  return text;
}

/** The cells that have words, side by side. */
const row = (cells: readonly Node[]): string =>
  cells
    .map((cell) => inline(cell).replace(/\s+/g, ' ').trim())
    .filter((cell) => cell !== '')
    .join(' | ');

/** All words of a node in one line. */
function inline(node: Node): string {
  if (node.type === 'text') return node.data ?? '';
  const within = (node.children ?? []).map(inline).join('');
  const isApart = node.name === 'br' || node.name === 'li' || node.name === 'tr' || BLOCKS.has(node.name ?? '');
  return isApart ? ` ${within} ` : within;
}
