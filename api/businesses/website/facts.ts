// Facts of a business as its site says them: each with the words that say it, the page on which they stand, and how
// they were read there.
import type { Weekday } from '../../../db/domain/hours/weekdays.ts';
import type { Faq } from '../schema.ts';
import type { ServiceEntry } from '../templates/by-industry.ts';

export interface OpenSpan {
  day: Weekday;
  open: string;
  close: string;
}

export interface Extracted {
  name?: string;
  description?: string;
  address?: string;
  phone?: string;
  email?: string;
  hours?: OpenSpan[];
  services?: ServiceEntry[];
  faqs?: Faq[];
}

/** A value, and the words of the page that say it. */
export interface Said<T> {
  value: T;
  said: string;
}

/** `data`: written for search engines; `text`: visitors see it; `model`: a dialogue model read it in the text. */
export const READ_BY = ['data', 'text', 'model'] as const;
type ReadBy = (typeof READ_BY)[number];

type Fact<T> = Said<T> & { url: string; by: ReadBy };

type Of<S extends 'said' | 'fact', T> = S extends 'said' ? Said<T> : Fact<T>;
type Every<S extends 'said' | 'fact'> = {
  [K in keyof Extracted]: NonNullable<Extracted[K]> extends Array<infer I>
    ? Array<Of<S, I>>
    : Of<S, NonNullable<Extracted[K]>>;
};
export type SaidFacts = Every<'said'>;
export type Facts = Every<'fact'>;

/** Of a field, by its path: `name`, `hours[2]`. */
interface Source {
  field: string;
  text: string;
  url: string;
  by: ReadBy;
}

/** Fields of which the pages may say two things. */
export const DOUBTED = ['hours', 'address'] as const;

/** Words that contradict what was found, or each other. */
export interface Doubt {
  field: (typeof DOUBTED)[number];
  text: string;
  url: string;
}

const SAID_MAX = 300;

const entries = <F extends SaidFacts | Facts>(facts: F): Array<[string, Said<unknown> | Array<Said<unknown>>]> =>
  Object.entries(facts).filter(([, fact]) => fact !== undefined && !(Array.isArray(fact) && fact.length === 0));

export function cited(facts: SaidFacts, url: string, by: ReadBy): Facts {
  const cite = ({ value, said }: Said<unknown>) => ({ value, said: said.slice(0, SAID_MAX), url, by });
  return Object.fromEntries(
    entries(facts).map(([field, fact]) => [field, Array.isArray(fact) ? fact.map(cite) : cite(fact)]),
  );
}

export const extractedOf = (facts: SaidFacts | Facts): Extracted =>
  Object.fromEntries(
    entries(facts).map(([field, fact]) => [field, Array.isArray(fact) ? fact.map(({ value }) => value) : fact.value]),
  );

export const sourcesOf = (facts: Facts): Source[] =>
  (entries(facts) as Array<[string, Fact<unknown> | Array<Fact<unknown>>]>).flatMap(([field, fact]) =>
    Array.isArray(fact)
      ? fact.map(({ said, url, by }, index) => ({ field: `${field}[${index}]`, text: said, url, by }))
      : [{ field, text: fact.said, url: fact.url, by: fact.by }],
  );
