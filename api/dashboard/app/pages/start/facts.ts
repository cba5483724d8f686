// The facts of a site as values of a form, each with the words that say it.
import { sortedHours, type WeekdayHours } from '../../../../../db/domain/hours/opening-hours.ts';
import type { Business, CreateBusinessBody, Site } from '../../api-types.ts';
import { ownZone } from '../../zones.ts';

export type Source = Site['sources'][number];

export interface FactService {
  name: string;
  duration: number | null;
  price: number | null;
  source?: Source | undefined;
}

export interface FactQuestion {
  question: string;
  answer: string;
  source?: Source | undefined;
}

export interface FactValues {
  name: string;
  industry: string;
  timezone: string;
  phone: string;
  email: string;
  address: string;
  /** Empty: its country's. */
  currency: string;
  hours: WeekdayHours[];
  services: FactService[];
  faqs: FactQuestion[];
}

export const sourceOf = (site: Site | null, field: string): Source | undefined =>
  site?.sources.find((source) => source.field === field);

/** A site that was just read counts before the business that was saved from an earlier one. */
export function factsOf(site: Site | null, saved: Business | null): FactValues {
  const found = site?.extracted ?? {};
  const text = (name: 'name' | 'phone' | 'email' | 'address') => found[name] ?? saved?.[name] ?? '';
  const list = <T>(own: readonly T[] | undefined, read: readonly T[] | undefined): readonly T[] => read ?? own ?? [];
  return {
    name: text('name'),
    industry: site?.industry ?? saved?.industry ?? '',
    timezone: site?.timezone ?? saved?.timezone ?? ownZone(),
    phone: text('phone'),
    email: text('email'),
    address: text('address'),
    currency: site === null ? (saved?.currency ?? '') : (site.currency ?? ''),
    hours: sortedHours([...list(saved?.hours, found.hours)]),
    services: list(saved?.services, found.services).map((service, index) => ({
      ...service,
      source: sourceOf(site, `services[${index}]`),
    })),
    faqs: list(saved?.faqs, found.faqs).map((faq, index) => ({ ...faq, source: sourceOf(site, `faqs[${index}]`) })),
  };
}

export function bodyOf(values: FactValues, description: string | undefined): CreateBusinessBody {
  const { name, industry, timezone, phone, email, address, currency, hours, services, faqs } = values;
  const texts = Object.entries({
    phone: phone.replace(/[\s()./-]/g, ''),
    email: email.trim(),
    address: address.trim(),
  });
  return {
    name,
    industry,
    timezone,
    // Where its prices do not say it, they are in the money of its country.
    currency: currency.trim() === '' ? null : currency.trim().toUpperCase(),
    ...Object.fromEntries(texts.map(([field, text]) => [field, text === '' ? null : text])),
    ...(description === undefined ? {} : { description }),
    hours,
    services: services.map(({ source: _, ...service }) => service),
    faqs: faqs.map(({ source: _, ...faq }) => faq),
  };
}
