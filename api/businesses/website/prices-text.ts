// Services with their prices from the text of a page, in seven languages: "Haircut ... 25 €". A line that is not
// certain gives nothing.
import type { ServiceEntry } from '../templates/by-industry.ts';
import { lastAmount } from './amounts.ts';
import { withoutDuration } from './durations-text.ts';
import type { Said } from './facts.ts';
import { kindOf } from './links.ts';
import { plain } from './words.ts';

const LIST_MAX = 50;
/** Cells, a row of dots, a colon or a dash. */
const SEPARATED = /[|:…]|\.{2}|\s[-–—]\s/;
const LINE_MAX = 160;

/**
 * A line that ends with an amount and its currency is a service with its price.
 * @param isItem whether the page has the line as an item of a list
 */
export function readPrices(text: string, isItem: (line: string) => boolean = () => false): Array<Said<ServiceEntry>> {
  const found = new Map<string, Said<ServiceEntry>>();
  const lines = text.split('\n').map((line) => line.trim());
  for (const [at, line] of lines.entries()) {
    const amount = amountOf(line);
    if (amount === null || found.size >= LIST_MAX) continue;
    // A sentence may end with an amount: without anything between name and price, its neighbours have prices too.
    const isAlone =
      !SEPARATED.test(amount.before) &&
      !isItem(line) &&
      ![lines[at - 1], lines[at + 1]].some((next) => amountOf(next ?? ''));
    if (isAlone) continue;
    const { before, value: price, minutes: duration } = amount;
    const name = nameIn(before);
    if (name.length < 3 || !/\p{L}{2}/u.test(name)) continue;
    if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), { value: { name, duration, price }, said: line });
  }
  return [...found.values()];
}

const HEADING = /^(#{1,6}) (.{1,80})$/;
const OUR =
  /^(?:our|the|unsere|die|nos|les|nuestr[oa]s|l[oa]s|i nostri|le nostre|i|le|gli|onze|de|os nossos|as nossas|noss[oa]s) /i;
/** Beside prizes and donations stand amounts too, and "Preise" is a German word for prizes. */
const NO_PRICES =
  /\b(?:\d{1,2} ?(?:\.|st|nd|rd|th|er|e|º|°)? ?(?:preis|prize|prix|premio|prijs|platz|place)|hauptpreis|gewinn\w{0,20}|verlosung|tombola|raffle|sorteo|loter\w{0,5}|lotter\w{0,5}|prizes?|premios?|premi|spenden?|donat\w{0,5}|dons|donacion\w{0,2}|donazion[ei]|doac\w{0,3})\b/;

/** The lines below headings that themselves say prices or services, of a page of all things. */
export function pricesBelowHeadings(text: string): string {
  const sections: string[][] = [];
  let level = 0;
  for (const line of text.split('\n')) {
    const [, marks, title = ''] = HEADING.exec(line) ?? [];
    if (marks !== undefined && (level === 0 || marks.length <= level)) {
      level = kindOf(title.trim().replace(OUR, '')) === 'prices' ? marks.length : 0;
      if (level > 0) sections.push([]);
    } else if (level > 0) sections.at(-1)?.push(line);
  }
  return sections
    .map((lines) => lines.join('\n'))
    .filter((section) => !NO_PRICES.test(plain(section)))
    .join('\n\n');
}

/** ISO 4217, of most of the lines that say the services; null where their signs do not say. */
export function currencyIn(services: ReadonlyArray<Said<ServiceEntry>>): string | null {
  const counts = new Map<string, number>();
  for (const { said } of services) {
    const currency = amountOf(said)?.currency ?? null;
    if (currency !== null) counts.set(currency, (counts.get(currency) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}

/** The duration stands before the price or behind it. */
function amountOf(line: string) {
  if (line.length > LINE_MAX) return null;
  const { rest, minutes } = withoutDuration(line);
  const amount = lastAmount(rest === line ? line : rest.replace(/[\s()|,;·–-]{1,10}$/, ''));
  return amount === null ? null : { ...amount, minutes };
}

/** Without dots that lead to the price, and bars between cells. */
const nameIn = (before: string): string =>
  before
    .split(/[.…|:–—]/)
    .map((part) =>
      part
        .replace(/[\s,()/]+|(?<!\p{L})-+|-+(?!\p{L})/gu, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((part) => /\p{L}{2}/u.test(part))
    .join(' ')
    .slice(0, 200);
