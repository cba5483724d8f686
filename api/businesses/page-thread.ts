// Reads one web page on its own thread and exits, because a page can be crafted so that parsing takes minutes (HTML's
// rules for misnested elements are quadratic) or runs out of stack. Its text is read as that of a document.
import { parentPort, workerData } from 'node:worker_threads';
import { textOfHtml } from '../documents/reading/html.ts';
import { parsedHtml } from '../documents/reading/parsed-html.ts';
import { type Extracted, extractBusiness } from './extract.ts';
import { type PageLink, pageLinks } from './website/links.ts';
import { hoursIn, pricesIn } from './website/plain-facts.ts';
import type { PageKind } from './website/words.ts';

export interface PageTask {
  html: Uint8Array;
  /** Where the page was found, after redirects. */
  url: string;
  /** As the site's menu calls it; null: the page that was asked for. */
  kind: PageKind | null;
  country: Parameters<typeof extractBusiness>[1];
  /** Most characters of the page's text to return; 0: none. */
  textCharactersMax: number;
}

export interface PageRead {
  found: Extracted;
  text: string;
  links: PageLink[];
}

const { html, url, kind, country, textCharactersMax } = workerData as PageTask;
const source = Buffer.from(html).toString('utf8');
const text = textOfHtml(source).toString();
parentPort?.postMessage({
  found: { ...factsIn(text), ...extractBusiness(source, country) },
  text: text.slice(0, textCharactersMax),
  links: kind === null ? pageLinks(parsedHtml(source), url) : [],
} satisfies PageRead);

/** Prices count only where the page is called so: elsewhere an amount may be a prize or a donation. */
function factsIn(page: string): Extracted {
  const hours = hoursIn(page);
  const services = kind === 'prices' ? pricesIn(page) : [];
  return { ...(hours.length > 0 && { hours }), ...(services.length > 0 && { services }) };
}
