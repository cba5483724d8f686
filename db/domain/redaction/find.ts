// Finds what a transcript must not keep: cards, accounts, persons' numbers, telephone numbers and addresses of mail, as
// they are written and as they are said. By rules and check digits alone, so that it costs no model and no wait. Names
// are another matter: those that the call knows are found by their words.
import { readNumber } from '../numbers/phone.ts';
import { CARD_DIGITS, ibanLength, isCard, isIban, isPersonNumber, PERSON_NUMBER_LENGTHS } from './checks.ts';
import type { RedactedKind } from './kinds.ts';
import { digitRuns, plainText, type Run } from './runs.ts';

export interface Found {
  kind: RedactedKind;
  start: number;
  end: number;
}

export interface RedactionRules {
  kinds: readonly RedactedKind[];
  /** BCP 47: whose number words are understood, with those of English. */
  language: string;
  /** Others that may be spoken too; absent: none. */
  furtherLanguages?: readonly string[];
  /** ISO 3166-1: where a number without its country's code is one; null: nowhere. */
  country: string | null;
  /** The names by which the call knows its parties. */
  names: readonly string[];
}

type Range = Pick<Found, 'start' | 'end'>;

/** A longer row of digits is no telephone, and would take long to look through. */
const LONGEST_ROW = 40;
/** Words before a number that say what it is. */
const BEFORE_CHARS = 60;
/** Of the United States, Brazil, Spain, Germany. */
const WRITTEN_PERSON_NUMBER = /^(\d{3}-\d{2}-\d{4}|\d{3}\.\d{3}\.\d{3}-\d{2}|[XYZ]?\d{7,8}-?[A-Z]|\d{8}[A-Z]\d{3})$/;
/** Numbers of the business's own. */
const OWN_NUMBER =
  /\b(order|booking|reference|invoice|tracking|case|ticket|customer|model|serial|confirmation|policy|bestell\w*|auftrag\w*|buchung\w*|rechnung\w*|kunden\w*|referenz\w*|vorgang\w*|sendung\w*|commande|reservation|facture|dossier|suivi|client|pedido|reserva|factura|seguimiento|cliente|ordine|prenotazione|fattura|pratica|spedizione|bestelnummer|bestelling|boeking|factuur|klant\w*|zending|encomenda|fatura|processo|rastreio)\b[\p{L} ,.:#]{0,24}$/u;
const SECURITY_CODE =
  /\b(cvc|cvv|security code|prufziffer|prufnummer|sicherheitscode|cryptogramme|code de securite|codigo de seguridad|codice di sicurezza|beveiligingscode|codigo de seguranca)\b[\p{L} ,.:]{0,20}$/u;
const EXPIRY =
  /\b(expir\w*|valid (until|through|thru)|good through|gultig bis|ablauf\w*|lauft ab|valable|expire|caduca|vence|valida hasta|scad\w*|geldig tot|verloopt|validade|valido ate)\b[\p{L} ,.:]{0,20}$/u;
/** An address is one by its country's mark before it, where calls within the country begin with 0. */
const BEGINS_WITH_ZERO = new Set(['DE', 'FR', 'GB', 'NL', 'BE', 'AT', 'CH', 'IE', 'AU', 'NZ', 'SE', 'ZA']);

/** All of it, in order and without overlaps. */
export function findPrivate(text: string, rules: RedactionRules): Found[] {
  const found: Found[] = [];
  const wanted = new Set(rules.kinds);
  const add = (kind: RedactedKind, ranges: readonly Range[]): void => {
    if (!wanted.has(kind)) return;
    for (const { start, end } of ranges)
      if (end > start && !found.some((other) => start < other.end && other.start < end))
        found.push({ kind, start, end });
  };
  const plain = plainText(text);
  const languages = [rules.language, ...(rules.furtherLanguages ?? [])];
  const runs = digitRuns(text, languages);
  const spelled = wanted.has('iban') || wanted.has('ssn') ? digitRuns(text, languages, true) : [];
  // The surest first: what is an account is no telephone.
  add('email', mailAddresses(plain));
  add('iban', spelled.flatMap(ibans));
  const cards = runs.flatMap(cardsIn);
  add('card', cards);
  add('card', cardDetails(plain, runs, cards.length > 0));
  add(
    'ssn',
    [...spelled, ...runs].flatMap((run) => personNumbers(text, plain, run)),
  );
  const numbers = runs.flatMap((run) => phones(plain, run, rules.country));
  add(
    'phone',
    numbers.map((range) => withBracket(text, range)),
  );
  add(
    'name',
    rules.names.flatMap((name) => occurrences(plain, name)),
  );
  return found.sort((a, b) => a.start - b.start);
}

/** The text with each of it replaced by its kind: "my card is [card]". */
export function redact(text: string, rules: RedactionRules): string {
  let redacted = '';
  let at = 0;
  for (const { kind, start, end } of findPrivate(text, rules)) {
    redacted += `${text.slice(at, start)}[${kind}]`;
    at = end;
  }
  return redacted + text.slice(at);
}

/** Whether words that are kept have something taken out of them. */
export const isRedacted = (text: string, { kinds }: Pick<RedactionRules, 'kinds'>): boolean =>
  kinds.some((kind) => text.includes(`[${kind}]`));

const rangeOf = ({ at }: Run, from: number, length: number): Range => ({
  start: at[from]?.start ?? 0,
  end: at[from + length - 1]?.end ?? 0,
});

/** The parts of a row, the longest first, that pass; a part begins and ends where something was said. */
function windows(run: Run, lengths: Iterable<number>, passes: (part: string, from: number) => boolean): Range[] {
  const ranges: Range[] = [];
  const isTaken = (range: Range) => ranges.some((other) => range.start < other.end && other.start < range.end);
  for (const length of lengths) {
    for (let from = 0; from + length <= run.text.length; from++) {
      if (!isBoundary(run, from) || !isBoundary(run, from + length)) continue;
      const range = rangeOf(run, from, length);
      if (!isTaken(range) && passes(run.text.slice(from, from + length), from)) ranges.push(range);
    }
  }
  return ranges;
}

/** Between two words, or two written groups: not within "4111" or "forty-two". */
function isBoundary({ at }: Run, index: number): boolean {
  const [before, after] = [at[index - 1], at[index]];
  if (before === undefined || after === undefined) return true;
  return after.start > before.end;
}

function* down(from: number, to: number): Iterable<number> {
  for (let length = from; length >= to; length--) yield length;
}

const cardsIn = (run: Run): Range[] =>
  windows(run, down(Math.min(CARD_DIGITS.max, run.text.length), CARD_DIGITS.min), (part) => isCard(part));

function ibans(run: Run): Range[] {
  const ranges: Range[] = [];
  for (let from = 0; from + 15 <= run.text.length; from++) {
    const length = /^[A-Z]{2}\d{2}/.test(run.text.slice(from)) ? ibanLength(run.text.slice(from)) : null;
    if (length === null || !isIban(run.text.slice(from, from + length))) continue;
    ranges.push(rangeOf(run, from, length));
    from += length - 1;
  }
  return ranges;
}

/** The code and the date of a card, where they are said to be that. */
function cardDetails(plain: string, runs: readonly Run[], hasCard: boolean): Range[] {
  return runs.flatMap((run) => {
    const range = rangeOf(run, 0, run.text.length);
    const before = plain.slice(Math.max(0, range.start - BEFORE_CHARS), range.start);
    const { length } = run.text;
    if (SECURITY_CODE.test(before) && (length === 3 || length === 4)) return [range];
    return hasCard && EXPIRY.test(before) && length >= 3 && length <= 6 ? [range] : [];
  });
}

function personNumbers(text: string, plain: string, run: Run): Range[] {
  return windows(run, PERSON_NUMBER_LENGTHS, (part, from) => {
    const { start, end } = rangeOf(run, from, part.length);
    const before = plain.slice(Math.max(0, start - BEFORE_CHARS), start);
    const written = text.slice(start, end);
    const isFormatted = WRITTEN_PERSON_NUMBER.test(written);
    return isPersonNumber(part, before, isFormatted);
  });
}

function phones(plain: string, run: Run, country: string | null): Range[] {
  if (run.text.length > LONGEST_ROW) return [];
  return windows(run, down(Math.min(16, run.text.length), 7), (part, from) => {
    const isWhole = part.length === run.text.length;
    const isAbroad = /^(\+|00)[1-9]/.test(part);
    // A row of digits may hold anything: what is no whole row must say that it is a telephone.
    if (!isAbroad && !isWhole) return false;
    if (part.slice(1).includes('+')) return false;
    if (!isAbroad && country !== null && BEGINS_WITH_ZERO.has(country) && !part.startsWith('0')) return false;
    const { start } = rangeOf(run, from, part.length);
    if (!isAbroad && OWN_NUMBER.test(plain.slice(Math.max(0, start - BEFORE_CHARS), start))) return false;
    return readNumber(part, country ?? undefined) !== null;
  });
}

/** "(212) 555-0123" begins before its first digit. */
const withBracket = (text: string, { start, end }: Range): Range =>
  text[start - 1] === '(' && text.slice(start, end).includes(')') ? { start: start - 1, end } : { start, end };

const WRITTEN_MAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,4}\.\p{L}{2,24}/gu;
const AT = '(?:at|arroba|arobase|chiocciola|apenstaartje|klammeraffe|a commercial)';
const DOT = '(?:dot|point|punkt|punto|ponto|punt)';
const JOIN =
  '(?:dot|point|punkt|punto|ponto|punt|underscore|dash|hyphen|minus|unterstrich|bindestrich|tiret|guion|trattino|streepje|hifen)';
const WORD = '[\\p{L}\\p{N}]{1,30}';
const SPOKEN_MAIL = new RegExp(
  `\\b${WORD}(?: ${JOIN} ${WORD}){0,4} ${AT} ${WORD}(?: ${JOIN} ${WORD}){0,3} ${DOT} (?:[a-z]{2,6}|[a-z](?: [a-z]){1,2})(?![\\p{L}\\p{N}])`,
  'gu',
);

function mailAddresses(plain: string): Range[] {
  const said = plain.replace(/[,;]/g, ' ');
  return [WRITTEN_MAIL, SPOKEN_MAIL].flatMap((form) =>
    Array.from(said.matchAll(form), ({ 0: match, index }) => ({ start: index, end: index + match.length })),
  );
}

/** A name of three letters or more as a whole word, which has no character of syntax; of several words each counts. */
function occurrences(plain: string, name: string): Range[] {
  const words = plainText(name)
    .trim()
    .split(/\s+/)
    .filter((word) => /^\p{L}[\p{L}'-]{2,}$/u.test(word));
  const phrases = words.length > 1 ? [words.join(' '), ...words] : words;
  return phrases.flatMap((phrase) => {
    const form = new RegExp(`(?<![\\p{L}\\p{N}])${phrase.replaceAll(' ', '\\s+')}(?![\\p{L}\\p{N}])`, 'gu');
    return Array.from(plain.matchAll(form), ({ 0: match, index }) => ({ start: index, end: index + match.length }));
  });
}
