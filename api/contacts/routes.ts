// /campaigns/:id/contacts: the people whom a campaign calls.
import { Type } from 'typebox';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, ok, okList } from '../frame/envelope-schema.ts';
import { charsetOf, contactsOfCsv } from './csv.ts';
import { ContactImporter } from './importer.ts';
import { AddedContacts, ContactQuery, ContactRecord, ContactsBody } from './schema.ts';
import { addContacts, listContactRecords, removeContact } from './service.ts';

const tags = ['Contacts'];

export function registerContacts(app: App, context: ApiContext): void {
  const importer = new ContactImporter(context.config.database);
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
  // In a scope of its own: no other route takes a table.
  app.register(async (scope) => {
    scope.addContentTypeParser<Buffer>('text/csv', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    registerAdding(scope as App, context, importer);
  });
  app.delete(
    '/campaigns/:id/contacts/:contactId',
    {
      config: { scope: 'work' },
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

function registerAdding(app: App, context: ApiContext, importer: ContactImporter): void {
  app.post(
    '/campaigns/:id/contacts',
    {
      config: { scope: 'work' },
      schema: {
        tags,
        summary: 'Add contacts, at most 1,000; all or nothing, merged by number',
        description:
          'Also as a table, `Content-Type: text/csv` in UTF-8 (or Windows-1252, as spreadsheets on Windows write it): the first row names the columns, behind a line `sep=;` if there is one. The column with numbers in E.164 has the number (blanks and brackets in it do no harm), `name` and `email` are themselves, names that begin or end with `id` become metadata, and all others variables: `Due date` is `dueDate`. A row with more cells than the first is refused. Errors count the rows from the one under the names: `contacts[0]`.',
        consumes: ['application/json', 'text/csv'],
        params: Type.Object({ id: Type.String() }),
        body: ContactsBody,
        response: { 201: ok(AddedContacts), ...errorResponses(400, 401, 404, 409, 413, 415, 422, 429) },
      },
      preValidation: async (request) => {
        if (Buffer.isBuffer(request.body))
          request.body = contactsOfCsv(request.body, charsetOf(request.headers['content-type']));
      },
    },
    async (request, reply) => {
      reply.code(201);
      return addContacts(context, importer, request.auth, request.params.id, request.body);
    },
  );
}
