// Lines of a page that look like hours, a telephone number or a price, and of which nothing was taken: somebody must
// look at them, because silence would say that the page has none.
import { phoneLinesIn } from './contact-text.ts';
import type { Facts, SaidFacts } from './facts.ts';
import { CLOSED_WORDS, DAY_WORDS, isOtherHours, plain } from './words.ts';

export const UNREAD = ['hours', 'phone', 'services'] as const;

export interface Unread {
  field: (typeof UNREAD)[number];
  text: string;
  url: string;
}

const LINE_MAX = 160;
const LINES_MAX = 5_000;
const OF_PAGE_MAX = 5;
const OF_SITE_MAX = 10;
const TIME = /\d{1,2}(?:[:.h]\d\d)? ?(?:-|–|h\b|am\b|pm\b|uhr|uur|to\b|bis\b)/;
const ON_REQUEST =
  /\b(?:by appointment|nach vereinbarung|nach absprache|sur rendez|cita previa|con cita|su appuntamento|op afspraak|por marcacao|com hora marcada)/;
const MONEY = /[€£$] ?\d|\d ?(?:€|£|chf\b|euros?\b|eur\b)/i;

/** @param priced the part of the page in which amounts are prices */
export function unreadIn(page: string, priced: string, { hours, services, phone }: SaidFacts, url: string): Unread[] {
  const open = new Set((hours ?? []).map(({ value }) => value.day));
  const isHours = (line: string): boolean => {
    const words = plain(line);
    const tokens = words.match(/[a-z]+/g) ?? [];
    const days = tokens.flatMap((token) => DAY_WORDS.get(token) ?? []);
    const isOff = isOtherHours(words) || tokens.some((token) => CLOSED_WORDS.has(token));
    return days.some((day) => !open.has(day)) && !isOff && (TIME.test(words) || ON_REQUEST.test(words));
  };
  const said = new Set((services ?? []).map((service) => service.said));
  const found = {
    hours: linesOf(page)
      .flatMap((line) => line.split(/(?<=[.;!?])\s+/))
      .filter(isHours),
    phone: phone === undefined ? phoneLinesIn(page) : [],
    services: linesOf(priced).filter((line) => MONEY.test(line) && !said.has(line)),
  };
  return UNREAD.flatMap((field) => found[field].slice(0, OF_PAGE_MAX).map((text) => ({ field, text, url })));
}

const linesOf = (text: string): string[] =>
  text
    .split('\n', LINES_MAX)
    .map((line) => line.replace(/^#{1,6} /, '').trim())
    .filter((line) => line !== '' && line.length <= LINE_MAX);

/** Of all pages, without what another page or the data says. */
export function stillUnread(lines: readonly Unread[], { phone, hours }: Facts): Unread[] {
  const isData = hours?.some(({ by }) => by === 'data') ?? false;
  const left = lines.filter(({ field }) => !(field === 'phone' && phone) && !(field === 'hours' && isData));
  return [...new Map(left.map((line) => [line.text, line])).values()].slice(0, OF_SITE_MAX);
}
