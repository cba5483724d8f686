// /admin/carriers: accounts at carriers with an API.
import type { ApiContext } from '../../context.ts';
import type { App } from '../../frame/app.ts';
import { errorResponses, ok, okList } from '../../frame/envelope-schema.ts';
import { PageQuery } from '../../frame/pagination.ts';
import { refuseFixedFields } from '../../plugins/fixed-fields.ts';
import {
  CARRIER_FIXED,
  CARRIER_READ_ONLY,
  Carrier,
  CarrierBody,
  CarrierParams,
  CarrierPatch,
  CarrierTest,
} from './schema.ts';
import { addCarrier, carrier, carriers, changeCarrier, removeCarrier, testCarrier } from './service.ts';

const tags = ['Administration'];

export function registerCarriers(app: App, context: ApiContext): void {
  app.get(
    '/admin/carriers',
    {
      config: { admin: true },
      schema: {
        tags,
        summary: 'The connected accounts at carriers',
        querystring: PageQuery,
        response: { 200: okList(Carrier), ...errorResponses(401, 403, 422, 429) },
      },
    },
    (request) => carriers(context, request.query),
  );

  app.post(
    '/admin/carriers',
    {
      config: { admin: true, idempotent: true },
      schema: {
        tags,
        summary: 'Connect an account at Twilio, Telnyx or Plivo',
        body: CarrierBody,
        response: { 201: ok(Carrier), ...errorResponses(400, 401, 403, 409, 422, 429) },
      },
    },
    async (request, reply) => reply.code(201).send({ data: await addCarrier(context, request.body) }),
  );

  app.get(
    '/admin/carriers/:id',
    {
      config: { admin: true },
      schema: {
        tags,
        summary: 'One connected account',
        params: CarrierParams,
        response: { 200: ok(Carrier), ...errorResponses(401, 403, 404, 429) },
      },
    },
    async (request) => ({ data: await carrier(context, request.params.id) }),
  );

  app.patch(
    '/admin/carriers/:id',
    {
      config: { admin: true, readOnlyFields: CARRIER_READ_ONLY, fixedFields: CARRIER_FIXED },
      schema: {
        tags,
        summary: 'Change the key, the name, or to whom its numbers are offered and at what price',
        params: CarrierParams,
        body: CarrierPatch,
        response: { 200: ok(Carrier), ...errorResponses(400, 401, 403, 404, 422, 429) },
      },
    },
    async (request) => {
      const { id } = request.params;
      await refuseFixedFields(request, () => carrier(context, id));
      return { data: await changeCarrier(context, id, request.body) };
    },
  );

  app.post(
    '/admin/carriers/:id/test',
    {
      config: { admin: true },
      schema: {
        tags,
        summary: 'Ask the carrier what the key can do; nothing is changed there',
        params: CarrierParams,
        response: { 200: ok(CarrierTest), ...errorResponses(401, 403, 404, 429) },
      },
    },
    async (request) => ({ data: await testCarrier(context, request.params.id) }),
  );

  app.delete(
    '/admin/carriers/:id',
    {
      config: { admin: true },
      schema: {
        tags,
        summary: 'Disconnect an account',
        params: CarrierParams,
        response: { 200: ok(Carrier), ...errorResponses(401, 403, 404, 429) },
      },
    },
    async (request) => ({ data: await removeCarrier(context, request.params.id) }),
  );
}
