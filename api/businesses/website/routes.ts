// POST /businesses/read-site: what a site says of its business, before there is one.
import type { ApiContext } from '../../context.ts';
import type { App } from '../../frame/app.ts';
import { errorResponses, ok } from '../../frame/envelope-schema.ts';
import { ApiError } from '../../frame/errors.ts';
import { countryOfZone, zoneOfCountry } from './country.ts';
import { extractedOf, sourcesOf } from './facts.ts';
import { SiteBody, SiteRecord } from './schema.ts';
import { readWebsite } from './service.ts';

export function registerReadSite(app: App, context: ApiContext): void {
  app.post(
    '/businesses/read-site',
    {
      schema: {
        tags: ['Businesses'],
        summary: 'Read a business from its web site',
        description:
          'Reads the page and those that its menu calls contact, opening hours, prices and questions. Nothing is stored. ' +
          'Each value comes with the words that say it; what no page says is not there.',
        body: SiteBody,
        response: { 200: ok(SiteRecord), ...errorResponses(400, 401, 422, 429, 503) },
      },
    },
    async (request) => {
      const { url, timezone } = request.body;
      const country = timezone === undefined ? undefined : countryOfZone(timezone);
      const read = (address: string) => readWebsite(context, request.auth.accountId, address, country);
      const { facts, pages, language, doubts, unread, ...site } = await (/^[a-z]+:/i.test(url)
        ? read(url)
        : // Some small sites have no certificate.
          read(`https://${url}`).catch((error: unknown) => {
            if (!(error instanceof ApiError) || error.code !== 'PAGE_UNREADABLE') throw error;
            return read(`http://${url}`);
          }));
      return {
        data: {
          pages: pages.map(({ url, kind }) => ({ url, kind })),
          language,
          country: site.country,
          timezone: site.country === null ? null : zoneOfCountry(site.country),
          currency: site.currency,
          industry: site.industry,
          extracted: extractedOf(facts),
          sources: sourcesOf(facts),
          doubts,
          unread,
        },
      };
    },
  );
}
