import { Type } from 'typebox';
import type { App } from '../app.ts';
import type { ApiContext } from '../context.ts';
import { errorResponses, ok, okList } from '../envelope-schema.ts';
import { ContactImporter } from './importer.ts';
import { AddedContacts, ContactQuery, ContactRecord, ContactsBody } from './schema.ts';
import { addContacts, listContactRecords, removeContact } from './service.ts';

const tags = ['Contacts'];

export function registerContacts(app: App, context: ApiContext): void {
  const importer = new ContactImporter(context.config.databasePath);
  app.addHook('onClose', async () => importer.close());
  app.get(
    '/campaigns/:id/contacts',
    {
      schema: {
        tags,
        summary: 'Contacts of a campaign',
        params: Type.Object({ id: Type.String() }),
        querystring: ContactQuery,
        response: { 200: okList(ContactRecord), ...errorResponses(401, 404, 422, 429) },
      },
    },
    async (request) => listContactRecords(context, request.auth.accountId, request.params.id, request.query),
  );
  app.post(
    '/campaigns/:id/contacts',
    {
      schema: {
        tags,
        summary: 'Add contacts, at most 1,000; all or nothing, merged by number',
        params: Type.Object({ id: Type.String() }),
        body: ContactsBody,
        response: { 201: ok(AddedContacts), ...errorResponses(400, 401, 404, 409, 413, 422, 429) },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return addContacts(context, importer, request.auth.accountId, request.params.id, request.body);
    },
  );
  app.delete(
    '/campaigns/:id/contacts/:contactId',
    {
      schema: {
        tags,
        summary: 'Remove a contact',
        params: Type.Object({ id: Type.String(), contactId: Type.String() }),
        response: { 200: ok(ContactRecord), ...errorResponses(401, 404, 409, 429) },
      },
    },
    async (request) => ({
      data: await removeContact(context, request.auth.accountId, request.params.id, request.params.contactId),
    }),
  );
}
