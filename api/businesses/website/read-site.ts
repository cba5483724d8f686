// Reads the page that was asked for, and those that its menu calls contact, hours and prices: one of each, one after
// the other, on the same host, by the same rules of addresses, and all within a time.
import type { FetchAnswer } from '../../../db/shared/net/safe-fetch.ts';
import { refused } from '../../frame/errors.ts';
import type { Extracted } from '../extract.ts';
import { readPage } from '../page-reader.ts';
import type { PageTask } from '../page-thread.ts';

interface Site {
  found: Extracted;
  text: string;
}

interface SiteOptions extends Pick<PageTask, 'country' | 'textCharactersMax'> {
  /** @throws {ApiError} where the page cannot be fetched */
  fetchPage(url: string, timeoutMs: number): Promise<FetchAnswer>;
  monotonicMs(): number;
}

const PAGE_TIMEOUT_MS = 10_000;
/** For the further pages: none begins after it, and each ends by it. */
const FURTHER_WITHIN_MS = 12_000;

export async function readSite(url: string, options: SiteOptions): Promise<Site> {
  const { country, textCharactersMax, fetchPage, monotonicMs } = options;
  const answer = await fetchPage(url, PAGE_TIMEOUT_MS);
  const address = answer.url.href;
  const page = await readPage({ html: answer.body, url: address, kind: null, country, textCharactersMax });
  if (page === null) throw refused('PAGE_UNREADABLE', 'The page cannot be read: it is too complicated');
  let { found, text } = page;
  const deadlineMs = monotonicMs() + FURTHER_WITHIN_MS;
  for (const { kind, url: further } of page.links) {
    const leftMs = deadlineMs - monotonicMs();
    if (leftMs <= 0) break;
    // The page that was asked for counts: a further one may be missing.
    const fetched = await fetchPage(further, Math.min(leftMs, PAGE_TIMEOUT_MS)).catch(() => null);
    if (fetched === null || fetched.url.hostname !== new URL(further).hostname) continue;
    const left = Math.max(0, textCharactersMax - text.length);
    const task = { html: fetched.body, url: further, kind, country, textCharactersMax: left };
    const read = await readPage(task);
    if (read === null) continue;
    // Its title and its description are those of the page, not of the business.
    const { name: _name, description: _description, ...facts } = read.found;
    found = { ...facts, ...found };
    text = [text, read.text].filter((part) => part !== '').join('\n\n');
  }
  return { found, text: text.slice(0, textCharactersMax) };
}
