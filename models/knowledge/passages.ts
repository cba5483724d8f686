// Cuts a document into passages under its headings: each as long as a reader takes in at once, cut between paragraphs,
// else between sentences, with the headings above it.

interface Passage {
  /** The headings above it, the highest first, joined by ` > `; empty: none. */
  heading: string;
  body: string;
}

/** A model gets a few of them; one that is read aloud is cut to its best sentence. */
const MAX_CHARS = 900;
const MAX_HEADING_CHARS = 200;
const MAX_LEVEL = 6;

/** `isMarkdown`: lines that begin with # are headings. */
export function passagesOf(text: string, { isMarkdown }: { isMarkdown: boolean }): Passage[] {
  const passages: Passage[] = [];
  const path: string[] = [];
  let paragraphs: string[] = [];
  const end = (): void => {
    const heading = path.filter(Boolean).join(' > ').slice(0, MAX_HEADING_CHARS);
    for (const body of packed(paragraphs)) passages.push({ heading, body });
    paragraphs = [];
  };
  for (const block of text.replace(/\r\n?/g, '\n').split(/\n[ \t]*\n|\n(?=#{1,6}\s)/)) {
    const lines = block.trim().split('\n');
    const heading = isMarkdown ? headingOf(lines[0] ?? '') : null;
    if (heading !== null) {
      end();
      path.length = heading.level - 1;
      path[heading.level - 1] = heading.text;
      lines.shift();
    }
    const rest = lines.join('\n').trim();
    if (rest !== '') paragraphs.push(rest);
  }
  end();
  return passages;
}

/**
 * `## Text ##`: by code, because a tenant writes the line, and an expression would try each of its blanks as the end.
 */
function headingOf(line: string): { level: number; text: string } | null {
  let level = 0;
  while (line[level] === '#') level++;
  const written = line.slice(level);
  const trimmed = written.trim();
  if (level === 0 || level > MAX_LEVEL || trimmed === '' || written.trimStart() === written) return null;
  let end = trimmed.length;
  while (end > 1 && trimmed[end - 1] === '#') end--;
  return { level, text: trimmed.slice(0, end).trimEnd() };
}

/** Whole paragraphs together, as many as fit; a long one by its sentences. */
function packed(paragraphs: readonly string[]): string[] {
  const bodies: string[] = [];
  let open = '';
  const add = (piece: string, gap: string): void => {
    if (open !== '' && open.length + gap.length + piece.length > MAX_CHARS) {
      bodies.push(open);
      open = '';
    }
    open = open === '' ? piece : `${open}${gap}${piece}`;
  };
  for (const paragraph of paragraphs) {
    if (paragraph.length <= MAX_CHARS) add(paragraph, '\n');
    else for (const sentence of sentencesOf(paragraph)) for (const piece of pieces(sentence)) add(piece, ' ');
  }
  if (open !== '') bodies.push(open);
  return bodies;
}

export function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?…])\s+(?=[\p{Lu}\p{N}"“„«¿¡(])|\n+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

/** A sentence without an end is cut where it must be. */
function pieces(sentence: string): string[] {
  const cut: string[] = [];
  for (let from = 0; from < sentence.length; from += MAX_CHARS) cut.push(sentence.slice(from, from + MAX_CHARS));
  return cut;
}
