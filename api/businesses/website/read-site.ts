// Reads the page that was asked for, and those that its menu calls contact, hours, prices and questions: one of each,
// one after the other, on the same host, by the same rules of addresses, and all within a time. Prices may be a PDF.
import type { FetchAnswer } from '../../../db/shared/net/safe-fetch.ts';
import { refused } from '../../frame/errors.ts';
import { countryOfHost } from './country.ts';
import type { Doubt, Facts } from './facts.ts';
import type { PageLink } from './links.ts';
import { readPage } from './page-reader.ts';
import type { PageRead, PageTask } from './page-thread.ts';
import { stillUnread, type Unread } from './unread.ts';
import type { PageKind } from './words.ts';

export interface SitePage {
  url: string;
  /** Null: the page that was asked for. */
  kind: PageKind | null;
  text: string;
}

export interface Site {
  facts: Facts;
  doubts: Doubt[];
  unread: Unread[];
  pages: SitePage[];
  language: string | null;
  country: string | null;
  /** ISO 4217: of its prices, where they say it. */
  currency: string | null;
  industry: string | null;
}

interface SiteOptions extends Pick<PageTask, 'textCharactersMax'> {
  /** Of numbers without a country's code, where the site does not say. */
  country: string | undefined;
  /** @throws {ApiError} where the page cannot be fetched */
  fetchPage(url: string, timeoutMs: number): Promise<FetchAnswer>;
  monotonicMs(): number;
}

const PAGE_TIMEOUT_MS = 10_000;
/** For the further pages: none begins after it, and each ends by it. */
const FURTHER_WITHIN_MS = 12_000;

/** @throws {ApiError} where the page that was asked for cannot be read: it counts, a further one may be missing */
export async function readSite(url: string, options: SiteOptions): Promise<Site> {
  const { textCharactersMax, fetchPage, monotonicMs } = options;
  const answer = await fetchPage(url, PAGE_TIMEOUT_MS);
  const address = answer.url.href;
  if (formatOf(answer) !== 'html') throw refused('PAGE_UNREADABLE', 'The page cannot be read: it is not a web page');
  const site = { country: countryOfHost(answer.url.hostname), fallbackCountry: options.country };
  const task: PageTask = {
    ...site,
    bytes: answer.body,
    format: 'html',
    url: address,
    kind: null,
    textCharactersMax,
  };
  const home = await readPage(task);
  if (home === null) throw refused('PAGE_UNREADABLE', 'The page cannot be read: it is too complicated');
  const country = home.country ?? undefined;
  const pages: Page[] = [{ task, read: home }];
  let left = textCharactersMax - home.text.length;
  const deadlineMs = monotonicMs() + FURTHER_WITHIN_MS;
  const readFurther = async ({ kind, url: further }: PageLink): Promise<PageRead | null> => {
    const leftMs = deadlineMs - monotonicMs();
    if (leftMs <= 0) return null;
    const fetched = await fetchPage(further, Math.min(leftMs, PAGE_TIMEOUT_MS)).catch(() => null);
    if (fetched === null || fetched.url.hostname !== new URL(further).hostname) return null;
    const format = formatOf(fetched);
    // A part of a PDF is none.
    if (format === null || (format === 'pdf' && fetched.truncated)) return null;
    const task: PageTask = {
      ...site,
      bytes: fetched.body,
      format,
      url: further,
      kind,
      country,
      textCharactersMax: Math.max(0, left),
    };
    const read = await readPage(task);
    if (read === null) return null;
    left -= read.text.length;
    pages.push({ task, read });
    return read;
  };
  for (const link of home.links) {
    const read = await readFurther(link);
    const hasPrices = (read?.seen.services ?? []).length + (read?.data.services ?? []).length > 0;
    if (read !== null && read.pdf !== null && !hasPrices) await readFurther({ kind: link.kind, url: read.pdf });
  }
  const known = pages.find(({ read }) => read.country !== null)?.read.country ?? null;
  const all = known === null || known === options.country ? pages : await againFrom(known, pages);
  const { facts, doubts } = together(all);
  return {
    facts,
    doubts,
    unread: stillUnread(
      all.flatMap(({ read }) => read.unread).filter(({ field }) => doubts.every((doubt) => doubt.field !== field)),
      facts,
    ),
    pages: pages.map(({ task: { url, kind }, read }) => ({ url, kind, text: read.text })),
    language: home.language,
    country: known ?? options.country ?? null,
    currency: all.find(({ read }) => read.currency !== null)?.read.currency ?? null,
    industry: home.industry,
  };
}

/** A later page says the country that the numbers of an earlier one are of. */
async function againFrom(country: string, pages: readonly Page[]): Promise<Page[]> {
  const again: Page[] = [];
  for (const { task, read } of pages)
    again.push({ task, read: (read.country === null ? await readPage({ ...task, country }) : null) ?? read });
  return again;
}

/** Null for what is neither a page nor a PDF. */
function formatOf({ headers }: FetchAnswer): 'html' | 'pdf' | null {
  const type = String(headers['content-type'] ?? 'text/html');
  if (/^application\/pdf/i.test(type)) return 'pdf';
  return /html|xml|text\/plain/i.test(type) ? 'html' : null;
}

interface Page {
  task: PageTask;
  read: PageRead;
}

/** The order in which text counts: a contact page names the telephone, another page perhaps a colleague's. */
const ORDER: ReadonlyArray<PageKind | null> = ['contact', null, 'hours', 'prices', 'questions'];

/** Of each field the data before the text. Pages that contradict each other give neither hours nor address. */
function together(pages: readonly Page[]): Pick<Site, 'facts' | 'doubts'> {
  const data = pages.map(({ task, read }) => {
    if (task.kind === null) return read.data;
    // Its title and its description are those of the page, not of the business.
    const { name: _name, description: _description, ...facts } = read.data;
    return facts;
  });
  const seen = pages
    .toSorted((a, b) => ORDER.indexOf(a.task.kind) - ORDER.indexOf(b.task.kind))
    .map(({ read }) => read.seen);
  const facts = Object.assign({}, ...[...data, ...seen].reverse()) as Facts;
  const doubts = [...pages.flatMap(({ read }) => read.doubts), ...differing(data, seen)];
  for (const { field } of doubts) if (data.every((each) => each[field] === undefined)) delete facts[field];
  return { facts, doubts: [...new Map(doubts.map((doubt) => [`${doubt.field} ${doubt.text}`, doubt])).values()] };
}

/** Hours and addresses that differ between pages, or between what search engines are told and visitors. */
function differing(data: readonly Facts[], seen: readonly Facts[]): Doubt[] {
  const hours = new Map<string, Doubt[]>();
  for (const { hours: week = [] } of [...data.filter((facts) => facts.hours).slice(0, 1), ...seen]) {
    if (week.length === 0) continue;
    const spans = week.map(({ value: { day, open, close } }) => `${day} ${open} ${close}`);
    hours.set(
      spans.sort().join(),
      week.map(({ said, url }) => ({ field: 'hours', text: said, url })),
    );
  }
  const addresses = new Map(
    seen.flatMap(
      ({ address }): Array<[string, Doubt]> =>
        address === undefined
          ? []
          : [[address.value.toLowerCase(), { field: 'address', text: address.said, url: address.url }]],
    ),
  );
  return [...(hours.size > 1 ? [...hours.values()].flat() : []), ...(addresses.size > 1 ? addresses.values() : [])];
}
