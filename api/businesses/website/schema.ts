// The reading of a site, as clients get it.
import { Type } from 'typebox';
import { nullable, oneOf } from '../../frame/envelope-schema.ts';
import { BusinessRecord } from '../schema.ts';
import { DOUBTED, READ_BY } from './facts.ts';
import { UNREAD } from './unread.ts';
import { PAGE_KINDS } from './words.ts';

const { services, faqs, hours } = BusinessRecord.properties;

export const Extracted = Type.Object({
  name: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  address: Type.Optional(Type.String()),
  phone: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  hours: Type.Optional(hours),
  services: Type.Optional(services),
  faqs: Type.Optional(faqs),
});

export const Sources = Type.Array(
  Type.Object(
    {
      field: Type.String({ description: 'Path within `extracted`: `phone`, `hours[2]`' }),
      text: Type.String({ description: 'The words of the page that say it' }),
      url: Type.String(),
      by: oneOf(READ_BY, {
        description:
          '`data`: written for search engines, and links; `text`: as visitors see it; `model`: read there by the dialogue model',
      }),
    },
    { title: 'Source' },
  ),
);

export const SiteBody = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: 'http or https; without either, https, then http',
    }),
    timezone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Of who asks: its country is assumed for numbers without one',
      }),
    ),
  },
  { additionalProperties: false },
);

export const SiteRecord = Type.Object(
  {
    pages: Type.Array(
      Type.Object({
        url: Type.String(),
        kind: nullable(oneOf(PAGE_KINDS, { description: 'As its menu calls it; null: the page that was asked for' })),
      }),
    ),
    language: nullable(Type.String({ description: 'Of the pages: en, de, fr, es, it, nl or pt' })),
    country: nullable(Type.String({ description: 'ISO 3166-1 alpha-2' })),
    timezone: nullable(Type.String({ description: 'Of its country, where it has one' })),
    currency: nullable(Type.String({ description: 'ISO 4217: of its prices, where they say it' })),
    industry: nullable(Type.String({ description: 'As the pages’ data calls it' })),
    extracted: Extracted,
    sources: Sources,
    doubts: Type.Array(
      Type.Object({ field: oneOf(DOUBTED), text: Type.String(), url: Type.String() }, { title: 'Doubt' }),
      { description: 'Words of the pages that contradict each other, or what was found: somebody must choose' },
    ),
    unread: Type.Array(
      Type.Object({ field: oneOf(UNREAD), text: Type.String(), url: Type.String() }, { title: 'Unread' }),
      {
        description:
          'At most ten lines that look like hours, a telephone number or a price, and of which nothing was taken',
      },
    ),
  },
  { title: 'Site' },
);
