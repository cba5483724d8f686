// /admin/inventory: the numbers that the installation's trunks bring.

import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, ok, okList } from '../frame/envelope-schema.ts';
import { PageQuery } from '../frame/pagination.ts';
import { refuseFixedFields } from '../plugins/fixed-fields.ts';
import {
  AddedNumbers,
  INVENTORY_FIXED,
  INVENTORY_READ_ONLY,
  InventoryBody,
  InventoryNumber,
  InventoryPatch,
  NumberParams,
} from './schema.ts';
import { addNumbers, changeStock, inventory, numberRecord, removeNumber } from './service.ts';

const tags = ['Administration'];

export function registerInventory(app: App, context: ApiContext): void {
  app.post(
    '/admin/inventory',
    {
      config: { admin: true, idempotent: true },
      schema: {
        tags,
        summary: 'Add numbers to the stock, single ones or a range',
        body: InventoryBody,
        response: { 201: ok(AddedNumbers), ...errorResponses(400, 401, 403, 409, 422, 429) },
      },
    },
    async (request, reply) => reply.code(201).send({ data: await addNumbers(context, request.body) }),
  );

  app.get(
    '/admin/inventory',
    {
      config: { admin: true },
      schema: {
        tags,
        summary: 'The stock of numbers',
        querystring: PageQuery,
        response: { 200: okList(InventoryNumber), ...errorResponses(401, 403, 422, 429) },
      },
    },
    (request) => inventory(context, request.query),
  );

  app.patch(
    '/admin/inventory/:phoneNumber',
    {
      config: { admin: true, readOnlyFields: INVENTORY_READ_ONLY, fixedFields: INVENTORY_FIXED },
      schema: {
        tags,
        summary: 'Change trunk or price of a number, owned or not',
        params: NumberParams,
        body: InventoryPatch,
        response: { 200: ok(InventoryNumber), ...errorResponses(400, 401, 403, 404, 422, 429) },
      },
    },
    async (request) => {
      const { phoneNumber } = request.params;
      await refuseFixedFields(request, () => numberRecord(context, phoneNumber));
      return { data: await changeStock(context, phoneNumber, request.body) };
    },
  );

  app.delete(
    '/admin/inventory/:phoneNumber',
    {
      config: { admin: true },
      schema: {
        tags,
        summary: 'Take a number out of the stock',
        params: NumberParams,
        response: { 200: ok(InventoryNumber), ...errorResponses(401, 403, 404, 409, 429) },
      },
    },
    async (request) => ({ data: await removeNumber(context, request.params.phoneNumber) }),
  );
}
