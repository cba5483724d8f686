// Codes and parts' numbers: "WP-4417-B" in a document is one term, and callers say "W P forty-four seventeen B".
import { folded } from './stems.ts';

/** "WP-4417-B", "HS-LTE": short parts, with a digit or in capitals. */
const HYPHENED = /[\p{L}\p{N}]{1,6}(?:[-/][\p{L}\p{N}]{1,6}){1,4}/gu;
/** "GOZ 2290". */
const SPACED = /(?<![\p{L}\p{N}-])\p{Lu}{1,5} \d{1,6}(?![\p{L}\p{N}])/gu;

/** The codes of a text as terms, beside its words. A code without a sign in it, as "E201", is a word. */
export function codesIn(text: string): string[] {
  const hyphened = (text.match(HYPHENED) ?? []).filter(
    (found) => /\p{L}/u.test(found) && (/\d/.test(found) || found === found.toUpperCase()),
  );
  return [...hyphened, ...(text.match(SPACED) ?? [])].map((found) => folded(found).replace(/[^\p{L}\p{N}]/gu, ''));
}

const UNITS: Record<string, number> = numbered([
  ['zero', 'oh', 'null', 'cero'],
  ['one', 'eins'],
  ['two', 'zwei', 'zwo', 'deux', 'twee'],
  ['three', 'drei', 'trois', 'drie'],
  ['four', 'vier', 'cuatro', 'quatre', 'quattro'],
  ['five', 'funf', 'cinco', 'cinq', 'cinque', 'vijf'],
  ['six', 'sechs', 'seis', 'zes'],
  ['seven', 'sieben', 'siete', 'sette', 'zeven'],
  ['eight', 'acht', 'ocho', 'huit', 'otto'],
  ['nine', 'neun', 'nueve', 'neuf', 'negen'],
]);
const TEENS: Record<string, number> = numbered(
  [
    ['ten', 'zehn'],
    ['eleven', 'elf'],
    ['twelve', 'zwolf'],
    ['thirteen', 'dreizehn'],
    ['fourteen', 'vierzehn'],
    ['fifteen', 'funfzehn'],
    ['sixteen', 'sechzehn'],
    ['seventeen', 'siebzehn'],
    ['eighteen', 'achtzehn'],
    ['nineteen', 'neunzehn'],
  ],
  (at) => at + 10,
);
const TENS: Record<string, number> = numbered(
  [
    ['twenty', 'zwanzig'],
    ['thirty', 'dreissig'],
    ['forty', 'vierzig'],
    ['fifty', 'funfzig'],
    ['sixty', 'sechzig'],
    ['seventy', 'siebzig'],
    ['eighty', 'achtzig'],
    ['ninety', 'neunzig'],
  ],
  (at) => (at + 2) * 10,
);

function numbered(words: readonly string[][], value = (at: number): number => at): Record<string, number> {
  return Object.fromEntries(words.flatMap((some, at) => some.map((word) => [word, value(at)])));
}

/** A German number, which is one word: "vierhundertsiebzehn". Null: it is none. */
function germanNumber(word: string): number | null {
  const simple = UNITS[word] ?? TEENS[word] ?? TENS[word];
  if (simple !== undefined) return simple;
  for (const [name, factor] of [
    ['tausend', 1_000],
    ['hundert', 100],
  ] as const) {
    const at = word.indexOf(name);
    if (at < 0) continue;
    const many = at === 0 ? 1 : germanNumber(word.slice(0, at));
    const more = word.slice(at + name.length).replace(/^und/, '');
    const rest = more === '' ? 0 : germanNumber(more);
    return many === null || rest === null ? null : many * factor + rest;
  }
  const pair = /^(.+?)und(.+)$/.exec(word);
  const [unit, tens] = [UNITS[pair?.[1] ?? ''], TENS[pair?.[2] ?? '']];
  return unit === undefined || tens === undefined ? null : tens + unit;
}

/** A letter, digits, or another word, of a question. */
interface Unit {
  kind: 'letter' | 'digits' | 'word';
  text: string;
}

/** Folded words as units: number words as the digits that they are said for. */
export function unitsOf(words: readonly string[]): Unit[] {
  const units: Unit[] = [];
  for (let at = 0; at < words.length; ) {
    const number = numberAt(words, at);
    if (number !== null) {
      units.push({ kind: 'digits', text: number.digits });
      at = number.next;
      continue;
    }
    const word = words[at] ?? '';
    if (word === 'double' && words[at + 1] === 'u') {
      units.push({ kind: 'letter', text: 'w' });
      at += 2;
      continue;
    }
    units.push({ kind: word.length === 1 ? 'letter' : 'word', text: word });
    at++;
  }
  return units;
}

function numberAt(words: readonly string[], at: number): { digits: string; next: number } | null {
  const word = words[at] ?? '';
  if (/^\d+$/.test(word)) return { digits: word, next: at + 1 };
  const next = words[at + 1] ?? '';
  const times = word === 'double' ? 2 : word === 'triple' ? 3 : 0;
  if (times > 0 && UNITS[next] !== undefined) return { digits: String(UNITS[next]).repeat(times), next: at + 2 };
  // As a digit it stands before others: "S W O three".
  if (word === 'o' && at > 0 && UNITS[next] !== undefined) return { digits: '0', next: at + 1 };
  const simple = belowHundred(words, at);
  if (simple === null) {
    const value = germanNumber(word);
    return value === null ? null : { digits: String(value), next: at + 1 };
  }
  const scale = { hundred: 100, thousand: 1_000 }[words[simple.next] ?? ''];
  if (scale === undefined || simple.value === 0) return { digits: simple.digits, next: simple.next };
  const from = words[simple.next + 1] === 'and' ? simple.next + 2 : simple.next + 1;
  const rest = belowHundred(words, from);
  const value = simple.value * scale + (rest?.value ?? 0);
  return { digits: String(value), next: rest?.next ?? simple.next + 1 };
}

function belowHundred(words: readonly string[], at: number): { value: number; digits: string; next: number } | null {
  const word = words[at] ?? '';
  const unit = UNITS[word] ?? TEENS[word];
  if (unit !== undefined) return { value: unit, digits: String(unit), next: at + 1 };
  const tens = TENS[word];
  if (tens === undefined) return null;
  const more = UNITS[words[at + 1] ?? ''];
  const value = tens + (more ?? 0);
  return { value, digits: String(value), next: more === undefined || more === 0 ? at + 1 : at + 2 };
}

/** A word before digits may be the beginning of a code: "GOZ 2290". */
const PREFIX_MAX = 5;
/** Units of a code that is said. */
const RUN_MAX = 14;

/**
 * Codes that the units may be said for, the longest first: "e", "201" may be "e201". The business's own terms say which
 * of them exist.
 */
export function saidCodes(units: readonly Unit[]): string[] {
  const codes = new Set<string>();
  for (let from = 0; from < units.length; from++) {
    const first = units[from];
    if (first === undefined || (first.kind === 'word' && first.text.length > PREFIX_MAX)) continue;
    let joined = first.text;
    for (let to = from + 1; to < Math.min(units.length, from + RUN_MAX); to++) {
      const unit = units[to];
      if (unit === undefined || unit.kind === 'word') break;
      joined += unit.text;
      codes.add(joined);
    }
  }
  return [...codes].sort((a, b) => b.length - a.length);
}
