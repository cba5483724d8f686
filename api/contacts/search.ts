// GET /contacts: people of all campaigns, by a part of their name or number; for a field in which one types.
import { Type } from 'typebox';
import { searchContacts } from '../../db/queries/campaigns/contact-search.ts';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, nullable, ok } from '../frame/envelope-schema.ts';

const FoundContactRecord = Type.Object(
  {
    id: Type.String(),
    name: nullable(Type.String()),
    phoneNumber: Type.String(),
    campaignId: Type.String(),
    campaignName: Type.String(),
  },
  { title: 'FoundContact' },
);

export function registerContactSearch(app: App, context: ApiContext): void {
  app.get(
    '/contacts',
    {
      schema: {
        tags: ['Contacts'],
        summary: 'Find contacts of all campaigns by a part of their name or number: at most ten',
        description: 'Of an account with more than 20,000 contacts, so many are looked at.',
        querystring: Type.Object({
          search: Type.String({
            maxLength: 100,
            default: '',
            description: 'Of one letter and of none, nobody is found',
          }),
        }),
        response: { 200: ok(Type.Array(FoundContactRecord)), ...errorResponses(401, 422, 429) },
      },
    },
    async (request) => ({ data: await searchContacts(context.read, request.auth.accountId, request.query.search) }),
  );
}
