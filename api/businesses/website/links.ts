// Finds the pages of a site that its own menu calls contact, hours or prices.
import type { parsedHtml } from '../../documents/reading/parsed-html.ts';
import { PAGE_WORDS, type PageKind, plain } from './words.ts';

export interface PageLink {
  kind: PageKind;
  url: string;
}

const LINKS_LOOKED_AT_MAX = 1_000;
const TEXT_MAX = 60;

/** One page of each kind, on the same host. */
export function pageLinks($: ReturnType<typeof parsedHtml>, base: string): PageLink[] {
  const home = new URL(base);
  const found = new Map<PageKind, string>();
  for (const element of $('a[href]').toArray().slice(0, LINKS_LOOKED_AT_MAX)) {
    const text = $(element).text();
    const kind = text.length > TEXT_MAX ? undefined : kindOf(text);
    const url = targetOf($(element).attr('href') ?? '', home);
    if (kind !== undefined && url !== null && !found.has(kind) && ![...found.values()].includes(url))
      found.set(kind, url);
  }
  return [...found].map(([kind, url]) => ({ kind, url }));
}

/** The PDF that a page links, on the same host: the first one, or that which it calls a list of prices. */
export function pdfLink($: ReturnType<typeof parsedHtml>, base: string): string | null {
  const home = new URL(base);
  const found = $('a[href]')
    .toArray()
    .slice(0, LINKS_LOOKED_AT_MAX)
    .map((element) => ({
      url: targetOf($(element).attr('href') ?? '', home),
      kind: kindOf($(element).text().slice(0, TEXT_MAX)),
    }))
    .filter(({ url }) => url !== null && /\.pdf$/i.test(new URL(url).pathname));
  return (found.find(({ kind }) => kind === 'prices') ?? found[0])?.url ?? null;
}

/** Of a heading or a link: the kind of page that it would call so. */
export const kindOf = (text: string): PageKind | undefined => PAGE_WORDS.get(wordsOf(text));

const wordsOf = (text: string): string =>
  plain(text)
    .replace(/[&+/|]/g, ' and ')
    .replace(/[^a-z]+/g, ' ')
    .replace(/ (?:and|und|et|y|e|en) .*/, '')
    .trim()
    .replace(/ (?:als |as )?pdf(?: [km]b)?$/, '');

const hostOf = ({ host }: URL): string => host.replace(/^www\./, '');

/** Null for another site, and for a place on the same page. */
function targetOf(href: string, home: URL): string | null {
  if (!URL.canParse(href, home.href)) return null;
  const url = new URL(href, home.href);
  url.hash = '';
  const isPage = /^https?:$/.test(url.protocol) && hostOf(url) === hostOf(home);
  return isPage && url.href !== home.href.replace(/#.*/, '') ? url.href : null;
}
