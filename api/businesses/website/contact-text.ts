// Telephone number, mail address and street address from the text of a page, where no link and no data names them.
import { readNumber } from '../../../db/domain/numbers/phone.ts';
import type { Said } from './facts.ts';
import { isStreet, plain } from './words.ts';

const LINES_MAX = 5_000;
const LINE_MAX = 200;
const PHONE_WORD =
  /\b(?:tel|telefon|telephone|phone|fon|mobil|mobile|handy|call|ring|ruf|anruf|telefono|telefoon|telefone|telemovel|appelez|chiama|llame|llamenos|bel|ligue)\b/;
/** A colleague who stands in, or a service of the town. */
const OTHER_PHONE =
  /\b(?:vertretung|vertreten|notdienst|notruf|giftnotruf|apotheke|emergency|emergencies|urgence|urgences|urgencias|emergenza|emergenze|spoed|emergencia)\b/;
const FAX_WORD = /\b(?:fax|telefax|whatsapp)\b/;
const NUMBER = /[+(]?\d[\d ()./-]{5,24}\d/g;
/** "info@salon.example", "info (at) salon (dot) example". */
const MAIL =
  /([\w.+-]{1,64})\s?(?:@|[([{]\s?(?:at|@)\s?[)\]}])\s?([a-z0-9-]{1,63}(?:\s?(?:\.|[([{]\s?(?:dot|punkt|punt|point)\s?[)\]}])\s?[a-z0-9-]{2,63}){1,3})/i;

const short = (text: string): string[] =>
  text
    .split('\n')
    .flatMap((line) => (line.length > LINE_MAX ? line.split(/(?<=[.;!?])\s+/) : [line]))
    .slice(0, LINES_MAX)
    .filter((line) => line.length <= LINE_MAX);

/** After a word for it, or alone on its line. */
export function phoneIn(text: string, country: string | undefined): Said<string> | null {
  for (const line of short(text)) {
    const words = plain(line);
    if (OTHER_PHONE.test(words) || (FAX_WORD.test(words) && !PHONE_WORD.test(words))) continue;
    const isAlone = /^[\s|+()\d./-]+$/.test(line);
    if (!isAlone && !PHONE_WORD.test(words)) continue;
    // Behind "Fax" on the same line stands no telephone.
    const fax = words.search(FAX_WORD);
    for (const [written] of (fax > 0 ? line.slice(0, fax) : line).matchAll(NUMBER)) {
      const value = readNumber(written.replace('(0)', ''), country);
      if (value !== null) return { value, said: line.trim() };
    }
  }
  return null;
}

/** Lines that speak of a telephone and have figures, whether or not they are a valid number. */
export const phoneLinesIn = (text: string): string[] =>
  short(text)
    .filter((line) => {
      const words = plain(line);
      return PHONE_WORD.test(words) && !OTHER_PHONE.test(words) && !FAX_WORD.test(words) && line.match(NUMBER) !== null;
    })
    .map((line) => line.trim());

export function emailIn(text: string): Said<string> | null {
  for (const line of short(text)) {
    const match = MAIL.exec(line);
    if (match === null) continue;
    const host = match[2]?.replace(/\s?[([{]\s?(?:dot|punkt|punt|point)\s?[)\]}]\s?/gi, '.').replace(/\s/g, '') ?? '';
    return { value: `${match[1]}@${host}`.toLowerCase(), said: line.trim() };
  }
  return null;
}

/** Postcode and town, as the countries of the seven languages write them. */
const TOWN =
  /\b(?:(?:[A-Z]{1,2}-)?\d{4,5}\s\p{Lu}[\p{L}'-]+|\d{4}\s?[A-Z]{2}\s\p{Lu}[\p{L}'-]+|\d{4}-\d{3}\s\p{Lu}\p{L}+|\d{5}-\d{3}|[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2}\b|[A-Z]{2}\s\d{5}\b)/u;

/** A street with its number, and behind it a postcode with its town. None where the page has several. */
export function addressesIn(text: string): Array<Said<string>> {
  const lines = short(text)
    .flatMap((line) => line.split('|'))
    .map((line) => line.replace(/^#{1,6} /, '').trim())
    .filter((line) => line !== '');
  const found = new Map<string, Said<string>>();
  for (const [at, line] of lines.entries()) {
    if (!TOWN.test(line)) continue;
    const street = isStreetLine(line) ? '' : (lines.slice(Math.max(0, at - 2), at).findLast(isStreetLine) ?? null);
    if (street === null) continue;
    const said = [street, line].filter(Boolean).join(', ');
    // Without a name before the street.
    const parts = said.split(/,\s*|\s[–-]\s|\.\s+(?=\p{Lu})/u);
    const value = parts
      .slice(Math.max(0, parts.findIndex(isStreetLine)))
      .join(', ')
      .replace(/^\p{L}+:\s*|\.$/gu, '')
      .slice(0, 500);
    found.set(value.toLowerCase(), { value, said });
  }
  return [...found.values()];
}

const isStreetLine = (line: string): boolean => line.length <= 120 && /\d/.test(line) && isStreet(plain(line));
