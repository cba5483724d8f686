// Usual services and questions of an industry: the answer of generate-services and generate-faqs without a dialogue
// model. Services have no price and answers make no promise, which are the owner's; an industry that is not known gets
// no services. The language is that of the words that name the industry.
import { DAY_MS } from '../../../db/domain/hours/durations.ts';
import { indexOfDay, isWeekday } from '../../../db/domain/hours/weekdays.ts';
import { countryOf } from '../../../db/domain/numbers/phone.ts';
import type { BusinessTable } from '../../../db/schema/businesses.ts';
import type { Faq } from '../schema.ts';
import { templates as de } from './de.ts';
import { templates as en } from './en.ts';
import { templates as es } from './es.ts';
import { templates as fr } from './fr.ts';
import { templates as it } from './it.ts';
import { templates as nl } from './nl.ts';
import { templates as pt } from './pt.ts';
import type { IndustryTemplate, Templates } from './template.ts';

export interface ServiceEntry {
  name: string;
  duration: number | null;
  price: number | null;
}

const LANGUAGES: Readonly<Record<string, Templates>> = { en, de, fr, es, it, nl, pt };

/** Languages of countries, for words that several languages share: "Restaurant", "Yoga". Others: English. */
const COUNTRY_LANGUAGES: Readonly<Record<string, string>> = {
  ...{ DE: 'de', AT: 'de', CH: 'de', LI: 'de', FR: 'fr', MC: 'fr', IT: 'it', SM: 'it', NL: 'nl', BE: 'nl' },
  ...{ PT: 'pt', BR: 'pt', AO: 'pt', MZ: 'pt', ES: 'es', MX: 'es', AR: 'es', CO: 'es', CL: 'es', PE: 'es', UY: 'es' },
};
/** Where a business has no number: by the city of its time zone. */
const ZONE_LANGUAGES: Readonly<Record<string, string>> = {
  ...{ 'Europe/Berlin': 'de', 'Europe/Vienna': 'de', 'Europe/Zurich': 'de', 'Europe/Paris': 'fr' },
  ...{ 'Europe/Madrid': 'es', 'America/Mexico_City': 'es', 'America/Bogota': 'es', 'Europe/Rome': 'it' },
  ...{ 'Europe/Amsterdam': 'nl', 'Europe/Lisbon': 'pt', 'America/Sao_Paulo': 'pt' },
};

type Described = Pick<BusinessTable, 'industry' | 'name' | 'description' | 'phone' | 'timezone'>;

interface Found {
  language: string;
  industry: IndustryTemplate | null;
}

/** The industry by its name, else by the business's name and description: the longest of the words that are there. */
function find(business: Described): Found {
  const country = business.phone === null ? null : countryOf(business.phone);
  const own = (country === null ? ZONE_LANGUAGES[business.timezone] : COUNTRY_LANGUAGES[country]) ?? 'en';
  for (const text of [business.industry, business.name, business.description]) {
    const words = wordsOf(text ?? '');
    const found = Object.entries(LANGUAGES).flatMap(([language, { industries }]) =>
      Object.values(industries).map((industry) => ({ language, industry, length: longestIn(words, industry.words) })),
    );
    const longest = Math.max(...found.map(({ length }) => length));
    const best = found.filter(({ length }) => length === longest && length > 0);
    const chosen = best.find(({ language }) => language === own) ?? best[0];
    if (chosen !== undefined) return chosen;
  }
  return { language: own, industry: null };
}

/** Words in lower case without accents, each between blanks. */
function wordsOf(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return ` ${plain
    .replaceAll('ß', 'ss')
    .split(/[^\p{L}\p{N}]+/u)
    .join(' ')
    .trim()} `;
}

/** Characters of the longest name that stands there as whole words; 0: none does. */
function longestIn(words: string, names: readonly string[]): number {
  let longest = 0;
  for (const name of names) {
    const plain = name.replaceAll("'", ' ');
    const stem = plain.replace('*', '');
    if (words.includes(plain === stem ? ` ${stem} ` : ` ${stem}`)) longest = Math.max(longest, stem.length);
  }
  return longest;
}

/** Usual services of the industry, without a price; none where the industry is not known. */
export function templateServices(business: Described): ServiceEntry[] {
  const { industry } = find(business);
  return (industry?.services ?? []).map(([name, duration]) => ({ name, duration, price: null }));
}

/** Usual questions of callers, answered from the business's own record, else by a word that its people know. */
export function templateFaqs(business: BusinessTable): Faq[] {
  const { language, industry } = find(business);
  const texts = LANGUAGES[language] ?? en;
  const faqs: Faq[] = [];
  const tell = ([question, answer]: readonly [string, string], what: string): void => {
    if (what !== '') faqs.push({ question, answer: answer.replace('{}', () => what) });
  };
  tell(texts.hours, hoursOf(business, language, texts.until));
  tell(texts.address, business.address ?? '');
  const services = JSON.parse(business.services) as ServiceEntry[];
  const names = services.slice(0, 8).map(({ name }) => name);
  tell(texts.services, names.join(', '));
  tell(texts.email, business.email ?? '');
  for (const question of [...(industry?.questions ?? []), ...texts.questions])
    faqs.push({ question, answer: texts.ask });
  return faqs;
}

/** A Monday. */
const FIRST_DAY_MS = Date.UTC(2023, 0, 2);

function hoursOf({ hours }: Pick<BusinessTable, 'hours'>, language: string, until: string): string {
  const named = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });
  const dayName = (day: string): string => {
    const word = day.toLowerCase();
    return named.format(new Date(FIRST_DAY_MS + (isWeekday(word) ? indexOfDay(word) : 0) * DAY_MS));
  };
  return (JSON.parse(hours) as Array<{ day: string; open: string; close: string }>)
    .map(({ day, open, close }) => `${dayName(day)} ${open}${until}${close}`)
    .join(', ');
}
