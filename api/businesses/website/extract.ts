// Extracts the fields of a business from a web page without a model: from schema.org data, then meta elements and
// links.
import type { CheerioAPI } from 'cheerio/slim';
import { isCurrency } from '../../../db/domain/currency.ts';
import { isEmail } from '../../../db/domain/email-address.ts';
import { WEEKDAYS, type Weekday } from '../../../db/domain/hours/weekdays.ts';
import { readNumber } from '../../../db/domain/numbers/phone.ts';
import { parsedHtml } from '../../documents/reading/parsed-html.ts';
import { withoutOverlaps } from '../opening-hours.ts';
import type { Faq } from '../schema.ts';
import type { ServiceEntry } from '../templates/by-industry.ts';
import type { OpenSpan, Said, SaidFacts } from './facts.ts';
import { type SchemaNode, schemaNodes, textOf, typesOf } from './schema-org.ts';

interface Structured {
  facts: SaidFacts;
  /** Two letters, where the data names it. */
  country: string | null;
  /** ISO 4217: of its prices. */
  currency: string | null;
  /** The type of schema.org in words: "HairSalon" is a hair salon. */
  industry: string | null;
}

const LIST_MAX = 50;

/** `country` is assumed for numbers without a country code when the page does not name one. */
export function extractBusiness($: CheerioAPI, country: string | undefined): Structured {
  const nodes = schemaNodes($);
  const business = bestNode(nodes);
  const meta = (name: string) =>
    cut($(`meta[property="${name}"], meta[name="${name}"]`).first().attr('content'), 4_000);
  const links = (scheme: string) =>
    $(`a[href^="${scheme}:"]`)
      .toArray()
      .map((element) =>
        decode(
          $(element)
            .attr('href')
            ?.slice(scheme.length + 1)
            .split('?')[0] ?? '',
        ),
      );
  const own = (name: string) => (business ? textOf(business[name]) : null);
  const zone = countryOf(business);
  const phones = [own('telephone'), ...links('tel')];
  const emails = [own('email')?.replace(/^mailto:/, ''), ...links('mailto')];
  const found = {
    name: first([cut(own('name'), 200), meta('og:site_name'), pageTitle($('title').first().text())], (text) => text),
    description: first([cut(own('description'), 4_000), meta('description'), meta('og:description')], (text) => text),
    address: first([cut(addressOf(business?.address), 500)], (text) => text),
    phone: first(phones, (text) => readNumber(text.slice(0, 40), zone ?? country)),
    email: first(emails, (text) => (isEmail(text) && text.includes('.', text.indexOf('@')) ? text : null)),
    hours: business ? hoursOf(business) : [],
    services: servicesOf(nodes),
    faqs: faqsOf(nodes),
  };
  const facts = Object.fromEntries(
    Object.entries(found).filter(([, value]) => value !== null && (!Array.isArray(value) || value.length > 0)),
  );
  return {
    facts,
    country: zone ?? null,
    currency: nodes.map(({ priceCurrency }) => String(priceCurrency).toUpperCase()).find(isCurrency) ?? null,
    industry: business === null ? null : industryOf(business),
  };
}

const cut = (text: string | null | undefined, max: number): string | null =>
  text?.replace(/\s+/g, ' ').trim().slice(0, max) || null;

/** "Bright Dental | Home" is the title of Bright Dental. */
const pageTitle = (title: string): string | null => title.replace(/\s+/g, ' ').split(/ [|–—·-] /)[0] ?? null;

function decode(text: string): string {
  try {
    return decodeURIComponent(text).trim();
  } catch {
    return text.trim();
  }
}

function first<T>(texts: ReadonlyArray<string | null | undefined>, read: (text: string) => T | null): Said<T> | null {
  for (const said of texts) {
    const value = said ? read(said) : null;
    if (said && value !== null) return { value, said };
  }
  return null;
}

const TELLING = ['telephone', 'address', 'openingHours', 'openingHoursSpecification', 'email', 'priceRange', 'geo'];

/** The node with the most facts about a place or organisation; null where there are none. */
function bestNode(nodes: readonly SchemaNode[]): SchemaNode | null {
  let best: SchemaNode | null = null;
  let bestScore = 0;
  for (const node of nodes) {
    if (textOf(node.name) === null || typesOf(node).some((type) => /Person|Product|Article|WebPage|Event/.test(type))) {
      continue;
    }
    const score =
      TELLING.filter((name) => node[name] !== undefined).length +
      (typesOf(node).some((type) => /Organization|Business/.test(type)) ? 1 : 0);
    if (score > bestScore) [best, bestScore] = [node, score];
  }
  return best;
}

/** Types that say nothing of the trade. */
const ANY_TRADE = /^(?:Thing|Organization|Corporation|LocalBusiness|Store|ProfessionalService|.*(?:Place|Service))$/;

const industryOf = (business: SchemaNode): string | null =>
  typesOf(business)
    .find((type) => !ANY_TRADE.test(type))
    ?.replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase() ?? null;

/** Where the postcode stands before the town, and nobody says the country. */
const POSTCODE_FIRST = /^(?:DE|AT|CH|LI|FR|BE|LU|ES|IT|NL|PT)$/i;

function addressOf(value: unknown): string | null {
  const address = Array.isArray(value) ? value[0] : value;
  if (typeof address === 'string') return address;
  if (address === null || typeof address !== 'object') return null;
  const node = address as SchemaNode;
  const part = (name: string) => textOf(node[name]);
  const country = part('addressCountry');
  if (country !== null && POSTCODE_FIRST.test(country)) {
    const town = [part('postalCode'), part('addressLocality')].filter(Boolean).join(' ');
    return [part('streetAddress'), town].filter(Boolean).join(', ') || null;
  }
  const parts = ['streetAddress', 'addressLocality', 'addressRegion', 'postalCode', 'addressCountry'];
  return parts.flatMap((name) => part(name) ?? []).join(', ') || null;
}

function countryOf(business: SchemaNode | null): string | undefined {
  const address = [business?.address].flat()[0];
  if (!address || typeof address !== 'object') return undefined;
  const country = textOf((address as SchemaNode).addressCountry);
  return country && /^[A-Za-z]{2}$/.test(country) ? country.toUpperCase() : undefined;
}

/** `openingHoursSpecification` nodes, else `openingHours` texts such as "Mo-Fr 09:00-17:00". */
function hoursOf(business: SchemaNode): Array<Said<OpenSpan>> {
  const hours = new Map<string, Said<OpenSpan>>();
  const add = (day: Weekday | null, opens: string | null, closes: string | null, said: string) => {
    const open = clockTime(opens);
    const close = clockTime(closes);
    if (day !== null && open !== null && close !== null && open !== close)
      hours.set(`${day} ${open} ${close}`, { value: { day, open, close }, said });
  };
  for (const item of [business.openingHoursSpecification ?? []].flat().slice(0, LIST_MAX)) {
    if (item === null || typeof item !== 'object') continue;
    const { dayOfWeek, opens, closes } = item as SchemaNode;
    const days = [dayOfWeek].flat().map((day) => textOf(day));
    const said = `${days.map((day) => day?.split('/').pop()).join(', ')} ${textOf(opens)}-${textOf(closes)}`;
    for (const day of days) add(weekday(day), textOf(opens), textOf(closes), said);
  }
  if (hours.size === 0) {
    for (const item of [business.openingHours ?? []].flat().slice(0, LIST_MAX)) {
      for (const match of String(item).matchAll(
        /([A-Z][a-z](?:\s*[-,]\s*[A-Z][a-z])*)\s+(\d\d?:\d\d)\s*-\s*(\d\d?:\d\d)/g,
      )) {
        for (const day of dayRange(match[1] ?? '')) add(day, match[2] ?? null, match[3] ?? null, match[0]);
      }
    }
  }
  const byDay = [...hours.values()].sort((a, b) => WEEKDAYS.indexOf(a.value.day) - WEEKDAYS.indexOf(b.value.day));
  const kept = withoutOverlaps(byDay.map(({ value }) => value)).slice(0, LIST_MAX);
  return byDay.filter(({ value }) => kept.includes(value));
}

function clockTime(text: string | null): string | null {
  const match = /^(\d\d?):(\d\d)/.exec(text ?? '');
  const time = match ? `${match[1]?.padStart(2, '0')}:${match[2]}` : null;
  if (time === '24:00') return '00:00';
  return time !== null && /^([01]\d|2[0-3]):[0-5]\d$/.test(time) ? time : null;
}

/** "Monday", "https://schema.org/Monday", "Mo". */
function weekday(text: string | null): Weekday | null {
  const name = text?.split('/').pop()?.toLowerCase() ?? '';
  return name.length < 2 ? null : (WEEKDAYS.find((day) => day.startsWith(name)) ?? null);
}

/** "Mo-Fr", "Mo,We", "Sa". */
function dayRange(text: string): Weekday[] {
  return text.split(',').flatMap((part) => {
    const [from, to] = part.split('-').map((name) => weekday(name.trim()));
    if (!from) return [];
    if (!to) return [from];
    const start = WEEKDAYS.indexOf(from);
    const length = ((WEEKDAYS.indexOf(to) - start + 7) % 7) + 1;
    return Array.from({ length }, (_, i) => WEEKDAYS[(start + i) % 7] ?? from);
  });
}

function servicesOf(nodes: readonly SchemaNode[]): Array<Said<ServiceEntry>> {
  const services = new Map<string, Said<ServiceEntry>>();
  for (const node of nodes) {
    const types = typesOf(node);
    const item = types.includes('Offer') ? node.itemOffered : types.includes('Service') ? node : undefined;
    const name = cut(textOf(item) ?? (types.includes('Offer') ? textOf(node.name) : null), 200);
    if (item === undefined || name === null || services.size >= LIST_MAX) continue;
    const offer = types.includes('Offer') ? node : ([node.offers].flat()[0] as SchemaNode | undefined);
    const written = textOf(offer?.price);
    const price = Number(written ?? Number.NaN);
    const known = services.get(name.toLowerCase());
    if (known?.value.price != null) continue;
    const value = { name, duration: null, price: price >= 0 && price <= 1e9 ? price : null };
    services.set(name.toLowerCase(), { value, said: [name, written].filter(Boolean).join(' ') });
  }
  return [...services.values()];
}

function faqsOf(nodes: readonly SchemaNode[]): Array<Said<Faq>> {
  const faqs: Array<Said<Faq>> = [];
  for (const node of nodes) {
    if (!typesOf(node).includes('Question') || faqs.length >= LIST_MAX) continue;
    const answer = [node.acceptedAnswer ?? node.suggestedAnswer].flat()[0];
    const text = answer !== null && typeof answer === 'object' ? textOf((answer as SchemaNode).text) : textOf(answer);
    const question = cut(textOf(node.name), 1_000);
    // Answers are often HTML.
    const plain = cut(text === null ? null : parsedHtml(text).text(), 4_000);
    if (question !== null && plain !== null) faqs.push({ value: { question, answer: plain }, said: plain });
  }
  return faqs;
}
