// Reads the page that was asked for, and those that its menu calls contact, hours, prices and questions: one of each,
// one after the other, on the same host, by the same rules of addresses, and all within a time.
import type { FetchAnswer } from '../../../db/shared/net/safe-fetch.ts';
import { refused } from '../../frame/errors.ts';
import { readPage } from '../page-reader.ts';
import type { PageRead, PageTask } from '../page-thread.ts';
import { countryOfHost } from './country.ts';
import type { Doubt, Facts } from './facts.ts';
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
  pages: SitePage[];
  language: string | null;
  country: string | null;
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

export async function readSite(url: string, options: SiteOptions): Promise<Site> {
  const { textCharactersMax, fetchPage, monotonicMs } = options;
  const answer = await fetchPage(url, PAGE_TIMEOUT_MS);
  const address = answer.url.href;
  const site = { country: countryOfHost(answer.url.hostname), fallbackCountry: options.country };
  const home = await readPage({ html: answer.body, url: address, kind: null, ...site, textCharactersMax });
  if (home === null) throw refused('PAGE_UNREADABLE', 'The page cannot be read: it is too complicated');
  const country = home.country ?? undefined;
  const pages = [{ url: address, kind: null as PageKind | null, read: home }];
  let left = textCharactersMax - home.text.length;
  const deadlineMs = monotonicMs() + FURTHER_WITHIN_MS;
  for (const { kind, url: further } of home.links) {
    const leftMs = deadlineMs - monotonicMs();
    if (leftMs <= 0) break;
    // The page that was asked for counts: a further one may be missing.
    const fetched = await fetchPage(further, Math.min(leftMs, PAGE_TIMEOUT_MS)).catch(() => null);
    if (fetched === null || fetched.url.hostname !== new URL(further).hostname) continue;
    const textLeft = Math.max(0, left);
    const read = await readPage({
      ...site,
      html: fetched.body,
      url: further,
      kind,
      country,
      textCharactersMax: textLeft,
    });
    if (read === null) continue;
    left -= read.text.length;
    pages.push({ url: further, kind, read });
  }
  return {
    ...together(pages),
    pages: pages.map(({ read, ...page }) => ({ ...page, text: read.text })),
    language: home.language,
    country: home.country,
    industry: home.industry,
  };
}

interface Page extends Pick<SitePage, 'url' | 'kind'> {
  read: PageRead;
}

/** The order in which text counts: a contact page names the telephone, another page perhaps a colleague's. */
const ORDER: ReadonlyArray<PageKind | null> = ['contact', null, 'hours', 'prices', 'questions'];

/** Of each field the data before the text. Pages that contradict each other give neither hours nor address. */
function together(pages: readonly Page[]): Pick<Site, 'facts' | 'doubts'> {
  const data = pages.map(({ kind, read }) => {
    if (kind === null) return read.data;
    // Its title and its description are those of the page, not of the business.
    const { name: _name, description: _description, ...facts } = read.data;
    return facts;
  });
  const seen = pages.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind)).map(({ read }) => read.seen);
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
