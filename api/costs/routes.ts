// /costs and /calls/:id/cost for an account that is shown them, /admin/costs and /admin/prices for ADMINs.
import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { charsetOf } from '../contacts/csv.ts';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { Binary, errorResponses, ok, okList } from '../frame/envelope-schema.ts';
import { mustSeeCosts, readCost, readSums, sumsCsv } from './costs.ts';
import { trunkPriceRows, trunkPricesCsv, trunkPricesOfCsv } from './price-table.ts';
import { addPrices, createPrice, listPriceRecords, readPrice, removePrice } from './prices.ts';
import {
  AddedPrices,
  AdminCostQuery,
  CostQuery,
  CostRecord,
  CostSums,
  PriceCreate,
  PriceQuery,
  PriceRecord,
  TrunkPrices,
  TrunkPricesQuery,
} from './schema.ts';

const tags = ['Costs'];
const config = { admin: true } as const;
const Params = Type.Object({ id: Type.String() });
const TABLE = { description: 'The table', content: { 'text/csv': { schema: Binary } } };
/** A table of 20,000 prefixes. */
const TABLE_BYTES_MAX = 2 * 1024 * 1024;

export function registerCosts(app: App, context: ApiContext): void {
  registerOwn(app, context);
  registerAll(app, context);
  registerPrices(app, context);
  // In a scope of its own: no other route here takes a table.
  app.register(async (scope) => {
    scope.addContentTypeParser<Buffer>('text/csv', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    registerTable(scope as App, context);
  });
}

function registerOwn(app: App, context: ApiContext): void {
  app.get(
    '/calls/:id/cost',
    {
      schema: {
        tags,
        summary: 'What a call cost the installation, line by line; where the account is shown costs',
        params: Params,
        response: { 200: ok(CostRecord), ...errorResponses(401, 403, 404, 429) },
      },
    },
    async ({ auth, params }) => {
      await mustSeeCosts(context, auth.accountId);
      return { data: await readCost(context, params.id, auth.accountId) };
    },
  );
  app.get(
    '/costs',
    {
      schema: {
        tags,
        summary: 'Sums of what the account’s calls cost the installation; where the account is shown costs',
        querystring: CostQuery,
        response: { 200: ok(CostSums), ...errorResponses(401, 403, 422, 429) },
      },
    },
    async ({ auth, query }) => {
      await mustSeeCosts(context, auth.accountId);
      return { data: await readSums(context, { ...query, accountId: auth.accountId }) };
    },
  );
  app.get(
    '/costs/export',
    {
      schema: {
        tags,
        summary: 'The same as CSV',
        querystring: CostQuery,
        response: { 200: TABLE, ...errorResponses(401, 403, 422, 429) },
      },
    },
    async ({ auth, query }, reply) => {
      await mustSeeCosts(context, auth.accountId);
      return asTable(reply, 'costs.csv').send(await sumsCsv(context, { ...query, accountId: auth.accountId }));
    },
  );
}

function registerAll(app: App, context: ApiContext): void {
  app.get(
    '/admin/costs',
    {
      config,
      schema: {
        tags,
        summary: 'Sums of what all calls cost the installation',
        querystring: AdminCostQuery,
        response: { 200: ok(CostSums), ...errorResponses(401, 403, 422, 429) },
      },
    },
    async ({ query }) => ({ data: await readSums(context, query) }),
  );
  app.get(
    '/admin/costs/export',
    {
      config,
      schema: {
        tags,
        summary: 'The same as CSV',
        querystring: AdminCostQuery,
        response: { 200: TABLE, ...errorResponses(401, 403, 422, 429) },
      },
    },
    async ({ query }, reply) => asTable(reply, 'costs.csv').send(await sumsCsv(context, query)),
  );
  app.get(
    '/admin/costs/:id',
    {
      config,
      schema: {
        tags,
        summary: 'What any call or conversation cost, line by line',
        params: Params,
        response: { 200: ok(CostRecord), ...errorResponses(401, 403, 404, 429) },
      },
    },
    async ({ params }) => ({ data: await readCost(context, params.id, null) }),
  );
}

function registerPrices(app: App, context: ApiContext): void {
  app.get(
    '/admin/prices',
    {
      config,
      schema: {
        tags,
        summary: 'Prices of models and trunks, newest first',
        querystring: PriceQuery,
        response: { 200: okList(PriceRecord), ...errorResponses(401, 403, 422, 429) },
      },
    },
    ({ query }) => listPriceRecords(context, query),
  );
  app.post(
    '/admin/prices',
    {
      config: { ...config, readOnlyFields: ['id', 'createdAt'] },
      schema: {
        tags,
        summary: 'Add a price; it takes the place of an older one like it for calls that begin from then on',
        body: PriceCreate,
        response: { 201: ok(PriceRecord), ...errorResponses(400, 401, 403, 409, 422, 429) },
      },
    },
    async ({ body }, reply) => reply.code(201).send({ data: await createPrice(context, body) }),
  );
  app.get(
    '/admin/prices/export',
    {
      config,
      schema: {
        tags,
        summary: 'Prices of trunks as CSV',
        querystring: Type.Pick(PriceQuery, ['trunkId', 'direction']),
        response: { 200: TABLE, ...errorResponses(401, 403, 422, 429) },
      },
    },
    async ({ query }, reply) => asTable(reply, 'prices.csv').send(Readable.from(trunkPricesCsv(context.read, query))),
  );
  app.get(
    '/admin/prices/:id',
    {
      config,
      schema: {
        tags,
        summary: 'One price',
        params: Params,
        response: { 200: ok(PriceRecord), ...errorResponses(401, 403, 404, 429) },
      },
    },
    async ({ params }) => ({ data: await readPrice(context, params.id) }),
  );
  app.delete(
    '/admin/prices/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Delete a price; calls that were priced by it keep what they cost',
        params: Params,
        response: { 200: ok(PriceRecord), ...errorResponses(401, 403, 404, 429) },
      },
    },
    async ({ params }) => ({ data: await removePrice(context, params.id) }),
  );
}

function registerTable(app: App, context: ApiContext): void {
  app.post(
    '/admin/prices/import',
    {
      config,
      bodyLimit: TABLE_BYTES_MAX,
      schema: {
        tags,
        summary: 'Add the prices of a trunk, at most 20,000; all or nothing',
        description:
          'Also as a table, `Content-Type: text/csv`, with the other fields as parameters. The first row names the columns: `prefix` (+49, 49 or 0049; empty for any number) and `perMinute`, perhaps `connectionFee` and `increment`; others are left out. Errors count the rows from the one under the names: `prices[0]`.',
        consumes: ['application/json', 'text/csv'],
        querystring: TrunkPricesQuery,
        body: TrunkPrices,
        response: { 201: ok(AddedPrices), ...errorResponses(400, 401, 403, 409, 413, 415, 422, 429) },
      },
      preValidation: async (request) => {
        const { body, query, headers } = request;
        if (!Buffer.isBuffer(body)) return;
        const prices = trunkPricesOfCsv(body, charsetOf(headers['content-type']));
        request.body = { ...query, prices } as TrunkPrices;
      },
    },
    async ({ body }, reply) => {
      const rows = trunkPriceRows(body, context.now());
      await addPrices(context, rows);
      return reply.code(201).send({ data: { added: rows.length } });
    },
  );
}

function asTable<R extends { type(type: string): R; header(name: string, value: string): R }>(
  reply: R,
  name: string,
): R {
  return reply.type('text/csv; charset=utf-8').header('content-disposition', `attachment; filename="${name}"`);
}
