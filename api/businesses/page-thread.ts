// Reads one web page on its own thread and exits, because a page can be crafted so that parsing takes minutes (HTML's
// rules for misnested elements are quadratic) or runs out of stack.
import { parentPort, workerData } from 'node:worker_threads';
import { parsedHtml } from '../documents/reading/parsed-html.ts';
import { type Extracted, extractBusiness } from './extract.ts';

export interface PageTask {
  html: Uint8Array;
  country: Parameters<typeof extractBusiness>[1];
  /** Most characters of the page's text to return; 0: none. */
  textCharactersMax: number;
}

export interface PageRead {
  found: Extracted;
  text: string;
}

const { html, country, textCharactersMax } = workerData as PageTask;
const page = Buffer.from(html);
parentPort?.postMessage({
  found: extractBusiness(page, country),
  text: textCharactersMax === 0 ? '' : visibleText(page).slice(0, textCharactersMax),
} satisfies PageRead);

function visibleText(source: Buffer): string {
  const $ = parsedHtml(source.toString('utf8'));
  $('script, style, noscript, svg').remove();
  return $('body').text().replace(/\s+/g, ' ').trim();
}
