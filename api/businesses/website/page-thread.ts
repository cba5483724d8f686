// Reads one web page on its own thread and exits, because a page can be crafted so that parsing takes minutes (HTML's
// rules for misnested elements are quadratic) or runs out of stack. Its text is read as that of a document. A list of
// prices may be a PDF.
import { parentPort, workerData } from 'node:worker_threads';
import { textOfHtml } from '../../documents/reading/html.ts';
import { parsedHtml } from '../../documents/reading/parsed-html.ts';
import { addressesIn, emailIn, phoneIn } from './contact-text.ts';
import { countryOfPage } from './country.ts';
import { extractBusiness } from './extract.ts';
import { cited, type Doubt, type Facts, type SaidFacts } from './facts.ts';
import { readHours } from './hours-text.ts';
import { languageOf } from './language.ts';
import { type PageLink, pageLinks, pdfLink } from './links.ts';
import { currencyIn, pricesBelowHeadings, readPrices } from './prices-text.ts';
import { readQuestions } from './questions.ts';
import { type Unread, unreadIn } from './unread.ts';
import type { PageKind } from './words.ts';

export interface PageTask {
  bytes: Uint8Array;
  format: 'html' | 'pdf';
  /** Where the page was found, after redirects. */
  url: string;
  /** As the site's menu calls it; null: the page that was asked for. */
  kind: PageKind | null;
  /** Known of the site already. */
  country: string | undefined;
  /** Assumed for numbers without a country's code when the page does not name one. */
  fallbackCountry: string | undefined;
  /** Most characters of the page's text to return; 0: none. */
  textCharactersMax: number;
}

export interface PageRead {
  /** From what is written for search engines, and from links. */
  data: Facts;
  /** From what visitors see. */
  seen: Facts;
  doubts: Doubt[];
  /** Lines of which nothing was taken. */
  unread: Unread[];
  text: string;
  links: PageLink[];
  /** Of a page of prices: the PDF that it links. */
  pdf: string | null;
  language: string | null;
  /** Null where nothing says it. */
  country: string | null;
  /** ISO 4217: of its prices. */
  currency: string | null;
  industry: string | null;
}

const { bytes, format, url, kind, country, fallbackCountry, textCharactersMax } = workerData as PageTask;
parentPort?.postMessage(format === 'pdf' ? await readPdf() : readHtml());

/** Of a PDF only prices count: its letterhead may be a printer's. */
async function readPdf(): Promise<PageRead> {
  // Pages are many, and the reader of PDF takes as long to load as a page to read.
  const { linesOfPdf } = await import('../../documents/reading/pdf.ts');
  const text = (await linesOfPdf(bytes)).join('\n');
  const services = kind === 'prices' ? readPrices(text) : [];
  return {
    data: {},
    seen: cited({ services }, url, 'text'),
    doubts: [],
    unread: unreadIn('', kind === 'prices' ? text : '', { services }, url),
    text: text.slice(0, textCharactersMax),
    links: [],
    pdf: null,
    language: null,
    country: country ?? null,
    currency: currencyIn(services),
    industry: null,
  };
}

function readHtml(): PageRead {
  const source = Buffer.from(bytes).toString('utf8');
  const text = textOfHtml(source).toString();
  const $ = parsedHtml(source);
  const stated = $('html').attr('lang');
  const numbers = $('a[href^="tel:"]')
    .toArray()
    .map((element) => $(element).attr('href')?.slice(4, 44) ?? '');
  const known = country ?? countryOfPage(stated, text, numbers);
  const assumed = known ?? fallbackCountry;
  const structured = extractBusiness($, assumed);
  const { facts, doubts } = seenIn(text, $, structured.country ?? assumed);
  return {
    data: cited(structured.facts, url, 'data'),
    seen: cited(facts, url, 'text'),
    doubts,
    unread: unreadIn(text, pricedPart(text), facts, url),
    text: text.slice(0, textCharactersMax),
    links: kind === null ? pageLinks($, url) : [],
    pdf: kind === 'prices' ? pdfLink($, url) : null,
    language: languageOf(text, stated),
    country: structured.country ?? known ?? null,
    currency: structured.currency ?? currencyIn(facts.services ?? []),
    industry: structured.industry,
  };
}

/** Prices count only where the page or a heading is called so: elsewhere an amount may be a prize or a donation. */
function pricedPart(page: string): string {
  return kind === 'prices' ? page : pricesBelowHeadings(page);
}

function seenIn(
  page: string,
  $: ReturnType<typeof parsedHtml>,
  ofCountry: string | undefined,
): { facts: SaidFacts; doubts: Doubt[] } {
  const items = new Set(
    $('li')
      .toArray()
      .map((item) => $(item).text().replace(/\s+/g, ' ').trim()),
  );
  const { hours, doubts: differing } = readHours(page);
  const addresses = addressesIn(page);
  const [phone, email] = [phoneIn(page, ofCountry), emailIn(page)];
  const doubt = (field: Doubt['field'], texts: readonly string[]) => texts.map((each) => ({ field, text: each, url }));
  return {
    facts: {
      hours,
      services: readPrices(pricedPart(page), (line) => items.has(line)),
      faqs: readQuestions($),
      ...(phone && { phone }),
      ...(email && { email }),
      ...(addresses.length === 1 && addresses[0] && { address: addresses[0] }),
    },
    doubts: [
      ...doubt('hours', differing),
      ...(addresses.length > 1
        ? doubt(
            'address',
            addresses.map(({ said }) => said),
          )
        : []),
    ],
  };
}
