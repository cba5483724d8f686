// Text without the markup of a dialogue model, before any voice sees it: marks of Markdown and HTML, addresses of
// links, tables, rules, citations and pictures are never words to speak, in any language.

const LINK = /!?\[([^\][]{0,400})\]\((?:[^()\s]|\([^()\s]{0,200}\)){0,2000}(?:\s+["'][^"'\n]{0,200}["'])?\)/g;
const ADDRESS = /<?\bhttps?:\/\/(?:www\.)?([\w.-]{1,253})(?::\d{1,5})?(?:[/?#][^\s<>]*)?>?/gi;
/** Emoji with their joiners, skin tones, flags and keycaps. */
const PICTURES =
  /(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier})(?:\ufe0f?\u200d)?|\ufe0e|\ufe0f|\u20e3/gu;
const SMILEYS = /(?<=^|\s)(?:[:;=]-?[)(DPpoO/|]|<3|\^\^|xD)(?=$|[\s.,!?])/g;
/** Days of months begin with a number and a point in German: only lists of several lines lose their numbers there. */
const ORDINAL_POINT = /^de\b/i;

/** @param language BCP 47 */
export function withoutMarkup(text: string, language = 'en'): string {
  return withoutListMarks(text.replace(/```[\s\S]*?(?:```|$)/g, ' '), language)
    .replace(/【[^】\n]{0,100}】|\[\^?\d{1,3}\](?!\()/g, ' ')
    .replace(/\[[ xX]\](?=\s)/g, ' ')
    .replace(LINK, '$1')
    .replace(/\]\[[^\][\n]{0,100}\]/g, ']')
    .replace(ADDRESS, host)
    .replace(/<\/?[a-z][^<>\n]{0,200}>/gi, ' ')
    .replace(/^.*$/gm, tableLine)
    .replace(/(?<=^|\s)(?:-{3,}|={3,}|_{3,})(?=\s|$)/g, ' ')
    .replace(SMILEYS, ' ')
    .replace(/(?<![\p{L}\d])_+|_+(?![\p{L}\d])/gu, ' ')
    .replace(/[*#`~|<>{}[\]\\]+/g, ' ')
    .replace(/[“”"]/g, '')
    .replace(/[‘’]/g, "'")
    .replace(PICTURES, ' ')
    .replace(/([^.!?:;,\s])[^\S\n]*\n\s*/g, '$1. ')
    .replace(/\s+/g, ' ')
    .replace(/ ([,.!?;:])(?=\s|$)/g, '$1');
}

/** The end of a sentence behind an address is no part of it. */
function host(all: string, name: string): string {
  const mark = /(?<![.,;:!?)])[.,;:!?)]+$/.exec(all)?.[0] ?? '';
  return `${name.replace(/(?<![.-])[.-]+$/, '')}${mark === '' && name.endsWith('.') ? '.' : mark}`;
}

/** A row of a table with commas between its cells; nothing for the line below its head. */
function tableLine(line: string): string {
  if (line.includes('--') && /^[\s|:-]+$/.test(line)) return '';
  const row = line.trim();
  if (!row.startsWith('|') || !row.endsWith('|')) return line;
  return row
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(', ');
}

function withoutListMarks(text: string, language: string): string {
  const numbered = /^[^\S\n]*\d{1,4}[.)][^\S\n]+/gm;
  const isList = (text.match(numbered) ?? []).length > 1 || !ORDINAL_POINT.test(language);
  return text
    .replace(/^[^\S\n]*(?:>[^\S\n]*)*(?:[-*•+][^\S\n]+)?/gm, '')
    .replace(isList ? numbered : /^[^\S\n]*\d{1,4}[.)][^\S\n]+(?=[*_`[])/gm, '');
}

/**
 * Where places of the text without markup stand in the text as it was. Letters and figures of the one come in the same
 * order in the other.
 */
export function offsetsIn(original: string, plain: string): (offset: number) => number {
  if (original === plain) return (offset) => offset;
  const ends: number[] = [0];
  let at = 0;
  for (let n = 0; n < plain.length; n++) {
    const found = /[\p{L}\p{N}]/u.test(plain[n] ?? '') ? original.indexOf(plain[n] ?? '', at) : -1;
    if (found >= 0) at = found + 1;
    ends.push(at);
  }
  return (offset) => (offset >= plain.length ? original.length : (ends[offset] ?? original.length));
}

/** Whether there is anything to say. */
export const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);
