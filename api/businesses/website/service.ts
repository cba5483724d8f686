// Reads a site for an account: pages by the rules of addresses, then the dialogue model, where there is one, for what
// the pages say and nobody has read in them yet.
import { RefusedAddress } from '../../../db/shared/net/address-rules.ts';
import { type FetchAnswer, FetchFailed, safeFetch } from '../../../db/shared/net/safe-fetch.ts';
import type { ApiContext } from '../../context.ts';
import { invalid, refused, retryLater } from '../../frame/errors.ts';
import { PlacesPerAccount } from '../../threads/places-per-account.ts';
import { hasModel, modelFacts } from './model.ts';
import { readSite, type Site } from './read-site.ts';

const PAGE_BYTES_MAX = 2 * 1024 * 1024;
const REDIRECTS_MAX = 5;
/** Most characters of the pages' text that a model gets. */
const TEXT_CHARACTERS_MAX = 20_000;

/** Each takes a thread. One account leaves places to the others when its pages are slow. */
const pages = new PlacesPerAccount({
  what: 'pages',
  total: 4,
  perAccount: 2,
  full: () => retryLater('PAGES_BUSY', 'Too many pages are being read', 5),
});

/**
 * @param country of numbers without a country's code, where the site does not say
 * @throws {ApiError} 422 for an invalid URL, 400 for a page that cannot be fetched, 503 if the model fails
 */
export async function readWebsite(
  context: ApiContext,
  accountId: string,
  url: string,
  country: string | undefined,
): Promise<Site> {
  return pages.hold(accountId, async () => {
    const site = await readSite(url, {
      fetchPage: (page, timeoutMs) => fetchPage(context, page, timeoutMs),
      monotonicMs: () => performance.now(),
      country,
      textCharactersMax: hasModel(context) ? TEXT_CHARACTERS_MAX : 0,
    });
    if (!hasModel(context)) return site;
    return { ...site, facts: { ...(await modelFacts(context, site.pages)), ...site.facts } };
  });
}

async function fetchPage(context: ApiContext, url: string, timeoutMs: number): Promise<FetchAnswer> {
  let answer: FetchAnswer;
  try {
    answer = await safeFetch(url, {
      maxBytes: PAGE_BYTES_MAX,
      timeoutMs,
      maxRedirects: REDIRECTS_MAX,
      allowPrivate: context.config.webhookAllowPrivate,
      headers: { accept: 'text/html,application/xhtml+xml,application/pdf' },
    });
  } catch (error) {
    if (error instanceof RefusedAddress) {
      if (error.code !== 'HOST_REFUSED' && error.code !== 'ADDRESS_REFUSED') {
        throw invalid([{ field: 'url', message: error.message }]);
      }
      throw refused('PAGE_UNREADABLE', `The page cannot be read: its address ${error.message}`);
    }
    if (error instanceof FetchFailed) throw refused('PAGE_UNREADABLE', `The page cannot be read: ${error.message}`);
    throw error;
  }
  if (answer.status < 200 || answer.status > 299) {
    throw refused('PAGE_UNREADABLE', `The page cannot be read: it answered ${answer.status}`);
  }
  return answer;
}
