// /admin/carriers: accounts at carriers with an API.
import { Type } from 'typebox';
import type { ApiContext } from '../../context.ts';
import type { App } from '../../frame/app.ts';
import { errorResponses, ok, okList } from '../../frame/envelope-schema.ts';
import { PageQuery } from '../../frame/pagination.ts';
import { PhoneNumber } from '../../phone-numbers/schema.ts';
import { refuseFixedFields } from '../../plugins/fixed-fields.ts';
import { Trunk } from '../../trunks/schema.ts';
import { listenToAll, numbersThere, takeOverNumber } from './numbers.ts';
import {
  CARRIER_FIXED,
  CARRIER_READ_ONLY,
  Carrier,
  CarrierBody,
  CarrierOrder,
  CarrierOwned,
  CarrierParams,
  CarrierPatch,
  CarrierRemoval,
  CarrierTest,
  CarrierTexting,
  CarrierTrunkBody,
  TakeOverBody,
} from './schema.ts';
import { addCarrier, carrier, carrierOrders, carriers, changeCarrier, removeCarrier, testCarrier } from './service.ts';
import { makeTrunk } from './trunk.ts';

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

  app.post(
    '/admin/carriers/:id/trunk',
    {
      config: { admin: true },
      schema: {
        tags,
        summary: 'Make a trunk at the carrier and here; again: the same one, as it is asked for now',
        params: CarrierParams,
        body: CarrierTrunkBody,
        response: { 200: ok(Trunk), ...errorResponses(400, 401, 403, 404, 409, 422, 429, 503) },
      },
    },
    async (request) => ({ data: await makeTrunk(context, request.params.id, request.body) }),
  );

  app.get(
    '/admin/carriers/:id/orders',
    {
      config: { admin: true },
      schema: {
        tags,
        summary: 'The journal of purchases at the carrier, newest first',
        params: CarrierParams,
        querystring: PageQuery,
        response: { 200: okList(CarrierOrder), ...errorResponses(401, 403, 404, 422, 429) },
      },
    },
    (request) => carrierOrders(context, request.params.id, request.query),
  );

  app.get(
    '/admin/carriers/:id/numbers',
    {
      config: { admin: true },
      schema: {
        tags,
        summary: 'The numbers that the account at the carrier has, and whose they are here',
        params: CarrierParams,
        response: { 200: ok(Type.Array(CarrierOwned)), ...errorResponses(401, 403, 404, 409, 429, 503) },
      },
    },
    async (request) => ({ data: await numbersThere(context, request.params.id) }),
  );

  app.post(
    '/admin/carriers/:id/numbers',
    {
      config: { admin: true, idempotent: true },
      schema: {
        tags,
        summary: 'Take over a number that the account at the carrier has: it is bound to the trunk',
        params: CarrierParams,
        body: TakeOverBody,
        response: { 201: ok(PhoneNumber), ...errorResponses(400, 401, 403, 404, 409, 422, 429, 503) },
      },
    },
    async (request, reply) => {
      const data = await takeOverNumber(context, request.params.id, request.auth.accountId, request.body);
      return reply.code(201).send({ data });
    },
  );

  app.post(
    '/admin/carriers/:id/texting',
    {
      config: { admin: true },
      schema: {
        tags,
        summary: 'Have texts to its numbers come here, as those to numbers that are bought do',
        params: CarrierParams,
        response: { 200: ok(Type.Array(CarrierTexting)), ...errorResponses(401, 403, 404, 409, 422, 429) },
      },
    },
    async (request) => ({ data: await listenToAll(context, request.params.id) }),
  );

  app.delete(
    '/admin/carriers/:id',
    {
      config: { admin: true },
      schema: {
        tags,
        summary: 'Disconnect an account, with its trunk if that is asked for',
        params: CarrierParams,
        querystring: CarrierRemoval,
        response: { 200: ok(Carrier), ...errorResponses(401, 403, 404, 409, 422, 429, 503) },
      },
    },
    async (request) => ({
      data: await removeCarrier(context, request.params.id, request.query.undo ?? false),
    }),
  );
}
