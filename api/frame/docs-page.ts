// A page of docs/ as a browser shows it: the part of Markdown that our pages have (headings, paragraphs, lists, tables,
// code), read line by line. The pages are our own; still every text is escaped, and links lead to pages or to the web
// only.

const STYLE = `body{font:16px/1.55 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1c1e21;background:#fff}
a{color:#0b57d0}code,pre{font:.9em ui-monospace,monospace;background:#f3f4f6;border-radius:4px}code{padding:.1em .3em}
pre{padding:.8rem;overflow:auto}pre code{padding:0}table{border-collapse:collapse;display:block;overflow:auto}
th,td{border:1px solid #d5d8dc;padding:.35rem .6rem;text-align:left;vertical-align:top}
@media(prefers-color-scheme:dark){body{color:#e3e5e8;background:#16181b}a{color:#8ab4f8}code,pre{background:#24272b}th,td{border-color:#3c4147}}`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The whole document. */
export function pageHtml(markdown: string): string {
  const lines = markdown.split('\n').map((line) => line.trimEnd());
  const title = lines.find((line) => line.startsWith('# '))?.slice(2) ?? 'Documentation';
  const body = blocks(lines, new Map());
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${STYLE}</style></head><body>${body}</body></html>`;
}

const isItem = (line: string): boolean => /^(?:[-*]|\d{1,3}\.) /.test(line);
const isNumbered = (item: string): boolean => /^\d/.test(item);
const isHeading = (line: string): boolean => /^#{1,6} /.test(line);
const isTable = (line: string): boolean => line.startsWith('|');
const isFence = (line: string): boolean => line.startsWith('```');
const endsParagraph = (line: string): boolean =>
  line === '' || isItem(line) || isHeading(line) || isTable(line) || isFence(line) || line.startsWith('>');

/** @param anchors how often each heading's anchor was used on the page */
function blocks(lines: readonly string[], anchors: Map<string, number>): string {
  let html = '';
  let at = 0;
  const take = (goesOn: (line: string) => boolean): string[] => {
    const from = at++;
    while (at < lines.length && goesOn(lines[at] ?? '')) at++;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const line = lines[at] ?? '';
    if (line === '') at++;
    else if (isFence(line)) {
      const code = take((each) => !isFence(each)).slice(1);
      at++;
      html += `<pre><code>${escaped(code.join('\n'))}</code></pre>`;
    } else if (isHeading(line)) {
      at++;
      html += heading(line, anchors);
    } else if (isTable(line)) html += table(take(isTable));
    else if (line.startsWith('>')) {
      const quoted = take((each) => each.startsWith('>')).map((each) => each.slice(1).trimStart());
      html += `<blockquote>${blocks(quoted, anchors)}</blockquote>`;
    } else if (isItem(line)) {
      const isSame = (each: string): boolean => isItem(each) && isNumbered(each) === isNumbered(line);
      html += list(
        take((each) => isSame(each) || each === '' || each.startsWith(' ')),
        anchors,
      );
    } else html += `<p>${inline(take((each) => !endsParagraph(each)).join(' '))}</p>`;
  }
  return html;
}

/** GitHub's anchors, which our links have. */
function heading(line: string, anchors: Map<string, number>): string {
  const level = line.indexOf(' ');
  const text = line.slice(level + 1);
  const plain = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
  const before = anchors.get(plain) ?? 0;
  anchors.set(plain, before + 1);
  const id = before === 0 ? plain : `${plain}-${before}`;
  return `<h${level} id="${escaped(id)}">${inline(text)}</h${level}>`;
}

/** A list with its items' further lines, which are indented; an item may have lists and code of its own. */
function list(lines: readonly string[], anchors: Map<string, number>): string {
  const items: string[][] = [];
  for (const line of lines) {
    if (isItem(line)) items.push([line.slice(line.indexOf(' ') + 1)]);
    else items.at(-1)?.push(line);
  }
  const tag = isNumbered(lines[0] ?? '') ? 'ol' : 'ul';
  const written = items.map(([first = '', ...rest]) => {
    const indent = Math.min(...rest.filter(Boolean).map((line) => line.length - line.trimStart().length));
    const inner = rest.map((line) => line.slice(Number.isFinite(indent) ? indent : 0));
    // The text of an item goes on in lines of its own.
    const own = inner.findIndex((line) => endsParagraph(line));
    const text = [first, ...(own < 0 ? inner : inner.slice(0, own))].join(' ');
    return `<li>${inline(text)}${own < 0 ? '' : blocks(inner.slice(own), anchors)}</li>`;
  });
  return `<${tag}>${written.join('')}</${tag}>`;
}

function table(lines: readonly string[]): string {
  const [head = [], , ...rows] = lines.map(cellsOf);
  const row = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${inline(cell)}</${tag}>`).join('')}</tr>`;
  return `<table><thead>${row(head, 'th')}</thead><tbody>${rows.map((cells) => row(cells, 'td')).join('')}</tbody></table>`;
}

/** Split at each bar that has no backslash before it. */
function cellsOf(line: string): string[] {
  const inner = line.slice(1, line.endsWith('|') && !line.endsWith('\\|') ? -1 : undefined);
  return inner.split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|').trim());
}

/** Code, links, pictures and emphasis of a text, from left to right. */
function inline(text: string): string {
  let html = '';
  for (let at = 0; at < text.length; ) {
    const found = codeAt(text, at) ?? linkAt(text, at) ?? emphasisAt(text, at);
    if (found === null) {
      const next = text.slice(at + 1).search(/[`[!*]/);
      const end = next < 0 ? text.length : at + 1 + next;
      html += escaped(text.slice(at, end));
      at = end;
    } else {
      html += found.html;
      at = found.end;
    }
  }
  return html;
}

interface Found {
  html: string;
  end: number;
}

function codeAt(text: string, at: number): Found | null {
  const ticks = /^`+/.exec(text.slice(at, at + 4))?.[0];
  if (ticks === undefined) return null;
  const end = text.indexOf(ticks, at + ticks.length);
  if (end < 0) return null;
  const code = text.slice(at + ticks.length, end);
  return { html: `<code>${escaped(ticks.length > 1 ? code.trim() : code)}</code>`, end: end + ticks.length };
}

function linkAt(text: string, at: number): Found | null {
  const isPicture = text.startsWith('![', at);
  if (!isPicture && text[at] !== '[') return null;
  const from = at + (isPicture ? 2 : 1);
  const middle = text.indexOf('](', from);
  const end = middle < 0 ? -1 : text.indexOf(')', middle);
  if (end < 0) return null;
  const words = text.slice(from, middle);
  const target = text.slice(middle + 2, end);
  // Pictures and pages of folders are not served.
  const isServed = !isPicture && /^(?:https?:\/\/|#|[a-z][a-z-]*\.md(?:#|$))/.test(target);
  const html = isServed ? `<a href="${escaped(target)}">${inline(words)}</a>` : inline(words);
  return { html, end: end + 1 };
}

function emphasisAt(text: string, at: number): Found | null {
  const mark = text.startsWith('**', at) ? '**' : text[at] === '*' ? '*' : null;
  if (mark === null || /^\s?$/.test(text[at + mark.length] ?? '')) return null;
  const end = text.indexOf(mark, at + mark.length);
  if (end < 0 || /\s/.test(text[end - 1] ?? '')) return null;
  const tag = mark === '**' ? 'strong' : 'em';
  return { html: `<${tag}>${inline(text.slice(at + mark.length, end))}</${tag}>`, end: end + mark.length };
}
