// The three helpers that fill in a business: services and faqs from its industry, fields from its web page. They add
// and never overwrite; with `apply: false` they only report, as templates do by
// themselves: their words are nobody's until somebody has read them.
import { countryOf } from '../../../db/domain/numbers/phone.ts';
import type { BusinessTable } from '../../../db/schema/businesses.ts';
import type { AuditAction } from '../../audit/business-log.ts';
import type { ApiContext } from '../../context.ts';
import type { Actor } from '../../frame/app.ts';
import { retryLater } from '../../frame/errors.ts';
import { PlacesPerAccount } from '../../threads/places-per-account.ts';
import { businessRecord } from '../record.ts';
import type { BusinessPatch, BusinessRecord, Faq } from '../schema.ts';
import { businessDeleted, businessWithDraft, patchBusiness } from '../service.ts';
import { type ServiceEntry, templateFaqs, templateServices } from '../templates/by-industry.ts';
import { countryOfZone } from './country.ts';
import { type Extracted, extractedOf, sourcesOf } from './facts.ts';
import { hasModel, modelFaqs, modelServices } from './model.ts';
import { readWebsite } from './service.ts';

const LIST_MAX = 200;

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
  const { facts } = await readWebsite(context, actor.accountId, url, numberCountry(business));
  const extracted = extractedOf(facts);
  const changes = missingFields(businessRecord(business), extracted);
  return {
    extracted,
    sources: sourcesOf(facts),
    business: await applied(context, actor, business, changes, apply, 'extracted-from-url'),
  };
}

async function openBusiness(context: ApiContext, actor: Actor, id: string): Promise<BusinessTable> {
  const { row } = await businessWithDraft(context.read, actor.accountId, id);
  if (row.deletedAt !== null) throw businessDeleted();
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

/** The country of national numbers on the page: from the business's own number, else from its zone. */
function numberCountry(business: BusinessTable): string | undefined {
  const known = business.phone === null ? null : countryOf(business.phone);
  if (known !== null) return known;
  return countryOfZone(business.timezone);
}
