// The three helpers that fill in a business: services and faqs from its industry, fields from its web page. They add
// and never overwrite; with `apply: false` they only report, as templates do by
// themselves: their words are nobody's until somebody has read them.
import { countryOf } from '../../db/domain/numbers/phone.ts';
import type { BusinessTable } from '../../db/schema/businesses.ts';
import { RefusedAddress } from '../../db/shared/net/address-rules.ts';
import { type FetchAnswer, FetchFailed, safeFetch } from '../../db/shared/net/safe-fetch.ts';
import type { ApiContext } from '../context.ts';
import type { Actor } from '../frame/app.ts';
import { invalid, refused, retryLater } from '../frame/errors.ts';
import { PlacesPerAccount } from '../threads/places-per-account.ts';
import type { Extracted } from './extract.ts';
import { hasModel, modelExtract, modelFaqs, modelServices } from './model.ts';
import { businessRecord } from './record.ts';
import type { BusinessPatch, BusinessRecord, Faq } from './schema.ts';
import { type AuditAction, businessWithDraft, patchBusiness } from './service.ts';
import { type ServiceEntry, templateFaqs, templateServices } from './templates.ts';
import { readSite } from './website/read-site.ts';

const PAGE_BYTES_MAX = 2 * 1024 * 1024;
const REDIRECTS_MAX = 5;
/** Most characters of the pages' text that a model gets. */
const PAGE_CHARACTERS_MAX = 20_000;
const LIST_MAX = 200;

/** Each takes a thread. One account leaves places to the others when its pages are slow. */
const pages = new PlacesPerAccount({
  what: 'pages',
  total: 4,
  perAccount: 2,
  full: () => retryLater('PAGES_BUSY', 'Too many pages are being read', 5),
});
/** A model server answers calls first; each of these may take it half a minute. */
const modelRequests = new PlacesPerAccount({
  what: 'requests to the model',
  total: 8,
  perAccount: 2,
  full: () => retryLater('HELPERS_BUSY', 'Too many helpers are asking the model', 5),
});

/** `apply` undefined: what a template says is only shown. */
export async function generateServices(context: ApiContext, actor: Actor, id: string, apply = hasModel(context)) {
  const business = await openBusiness(context, actor, id);
  const services = hasModel(context)
    ? await modelRequests.hold(actor.accountId, () => modelServices(context, business))
    : templateServices(business);
  const current = JSON.parse(business.services) as ServiceEntry[];
  const changes = { services: joined(current, services, ({ name }) => name) };
  return { services, business: await applied(context, actor, business, changes, apply, 'services-generated') };
}

/** As `generateServices`. */
export async function generateFaqs(context: ApiContext, actor: Actor, id: string, apply = hasModel(context)) {
  const business = await openBusiness(context, actor, id);
  const faqs = hasModel(context)
    ? await modelRequests.hold(actor.accountId, () => modelFaqs(context, business))
    : templateFaqs(business);
  const current = JSON.parse(business.faqs) as Faq[];
  const changes = { faqs: joined(current, faqs, ({ question }) => question) };
  return { faqs, business: await applied(context, actor, business, changes, apply, 'faqs-generated') };
}

/** @throws {ApiError} 422 for an invalid URL, 400 for a page that cannot be fetched, 503 if the model fails */
export async function extractFromUrl(context: ApiContext, actor: Actor, id: string, url: string, apply: boolean) {
  const business = await openBusiness(context, actor, id);
  return pages.hold(actor.accountId, async () => {
    const site = await readSite(url, {
      fetchPage: (page, timeoutMs) => fetchPage(context, page, timeoutMs),
      monotonicMs: () => performance.now(),
      country: numberCountry(business),
      textCharactersMax: hasModel(context) ? PAGE_CHARACTERS_MAX : 0,
    });
    const extracted = hasModel(context) ? await modelExtract(context, site.text, site.found) : site.found;
    const changes = missingFields(businessRecord(business), extracted);
    return { extracted, business: await applied(context, actor, business, changes, apply, 'extracted-from-url') };
  });
}

async function openBusiness(context: ApiContext, actor: Actor, id: string): Promise<BusinessTable> {
  const { row } = await businessWithDraft(context.read, actor.accountId, id);
  if (row.deletedAt !== null) throw refused('BUSINESS_DELETED', 'Business is deleted');
  return row;
}

async function applied(
  context: ApiContext,
  actor: Actor,
  business: BusinessTable,
  changes: BusinessPatch,
  apply: boolean,
  action: AuditAction,
): Promise<BusinessRecord> {
  if (!apply) {
    const { row, draft } = await businessWithDraft(context.read, actor.accountId, business.id);
    return businessRecord(row, draft);
  }
  return patchBusiness(context, actor, business.id, changes, action);
}

/** Existing items first, then those with a new name. */
function joined<T>(current: readonly T[], added: readonly T[], nameOf: (item: T) => string): T[] {
  const names = new Set(current.map((item) => nameOf(item).toLowerCase()));
  return [...current, ...added.filter((item) => !names.has(nameOf(item).toLowerCase()))].slice(0, LIST_MAX);
}

/** The fields that the business does not have yet. */
function missingFields(business: BusinessRecord, extracted: Extracted): BusinessPatch {
  return Object.fromEntries(
    Object.entries(extracted).filter(([name]) => {
      const current = business[name as keyof Extracted];
      return current === null || (Array.isArray(current) && current.length === 0);
    }),
  ) as BusinessPatch;
}

async function fetchPage(context: ApiContext, url: string, timeoutMs: number): Promise<FetchAnswer> {
  let answer: FetchAnswer;
  try {
    answer = await safeFetch(url, {
      maxBytes: PAGE_BYTES_MAX,
      timeoutMs,
      maxRedirects: REDIRECTS_MAX,
      allowPrivate: context.config.webhookAllowPrivate,
      headers: { accept: 'text/html,application/xhtml+xml' },
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
  const type = String(answer.headers['content-type'] ?? 'text/html');
  if (!/html|xml|text\/plain/i.test(type))
    throw refused('PAGE_UNREADABLE', 'The page cannot be read: it is not a web page');
  return answer;
}

/** The country of national numbers on the page: from the business's own number, else from its zone. */
function numberCountry(business: BusinessTable): string | undefined {
  const known = business.phone === null ? null : countryOf(business.phone);
  if (known !== null) return known;
  return US_ZONES.test(business.timezone) ? 'US' : ZONE_COUNTRIES[business.timezone];
}

const US_ZONES =
  /^(US\/|America\/(New_York|Chicago|Denver|Los_Angeles|Phoenix|Detroit|Anchorage|Boise|Indiana\/|Kentucky\/))/;
const ZONE_COUNTRIES: Record<string, string> = {
  'Europe/London': 'GB',
  'Europe/Dublin': 'IE',
  'Europe/Berlin': 'DE',
  'Europe/Vienna': 'AT',
  'Europe/Zurich': 'CH',
  'Europe/Paris': 'FR',
  'Europe/Madrid': 'ES',
  'Europe/Rome': 'IT',
  'Europe/Amsterdam': 'NL',
  'America/Toronto': 'CA',
  'America/Vancouver': 'CA',
  'Australia/Sydney': 'AU',
  'Australia/Melbourne': 'AU',
};
