// /phone-numbers: search, purchase, list, routing, release. Port-in has routes of its own.

import { Type } from 'typebox';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, ok, okList } from '../frame/envelope-schema.ts';
import { parseE164 } from '../frame/phone.ts';
import { refuseFixedFields } from '../plugins/fixed-fields.ts';
import { rememberCreated } from '../plugins/idempotency.ts';
import { purchaseNumber } from './purchase.ts';
import { releaseNumber } from './release.ts';
import {
  IdParams,
  NUMBER_ELSEWHERE,
  NUMBER_FIXED,
  NumberListQuery,
  NumberOffer,
  NumberPatch,
  PhoneNumber,
  PurchaseBody,
  ReleasedNumber,
  SearchQuery,
} from './schema.ts';
import { accountNumber, accountNumbers, changeNumber, phoneNumberRecord, searchNumbers } from './service.ts';

const tags = ['Phone numbers'];

export function registerPhoneNumbers(app: App, context: ApiContext): void {
  app.get(
    '/phone-numbers/search',
    {
      schema: {
        tags,
        summary: 'Find free numbers; each is reserved for about 5 minutes',
        querystring: SearchQuery,
        response: { 200: ok(Type.Array(NumberOffer)), ...errorResponses(401, 422, 429, 503) },
      },
    },
    async (request) => ({ data: await searchNumbers(context, request.auth.accountId, request.query) }),
  );

  app.post(
    '/phone-numbers/purchase',
    {
      config: { idempotent: true },
      schema: {
        tags,
        summary: 'Buy a number that the search offered',
        body: PurchaseBody,
        response: { 201: ok(PhoneNumber), ...errorResponses(400, 401, 404, 409, 422, 429, 503) },
      },
    },
    async (request, reply) => {
      const key = request.headers['idempotency-key'];
      const row = await purchaseNumber(context, request.auth.accountId, {
        phoneNumber: parseE164(request.body.phoneNumber, 'phoneNumber'),
        campaignId: request.body.campaignId ?? null,
        key: typeof key === 'string' ? key.toLowerCase() : null,
        remember: (trx, number) => rememberCreated(trx, request, phoneNumberRecord(number)),
      });
      return reply.code(201).send({ data: phoneNumberRecord(row) });
    },
  );

  app.get(
    '/phone-numbers',
    {
      schema: {
        tags,
        summary: 'The numbers of the account',
        querystring: NumberListQuery,
        response: { 200: okList(PhoneNumber), ...errorResponses(401, 422, 429) },
      },
    },
    (request) => accountNumbers(context, request.auth.accountId, request.query),
  );

  app.get(
    '/phone-numbers/:id',
    {
      schema: {
        tags,
        summary: 'One number',
        params: IdParams,
        response: { 200: ok(PhoneNumber), ...errorResponses(401, 404, 429) },
      },
    },
    async (request) => ({ data: await accountNumber(context, request.auth.accountId, request.params.id) }),
  );

  app.patch(
    '/phone-numbers/:id',
    {
      config: { fixedFields: NUMBER_FIXED, changedElsewhere: NUMBER_ELSEWHERE },
      schema: {
        tags,
        summary: 'Assign a number to a campaign, or take it in or out of service',
        params: IdParams,
        body: NumberPatch,
        response: { 200: ok(PhoneNumber), ...errorResponses(400, 401, 404, 409, 422, 429, 503) },
      },
    },
    async (request) => {
      const { accountId } = request.auth;
      const { id } = request.params;
      await refuseFixedFields(request, () => accountNumber(context, accountId, id));
      return { data: await changeNumber(context, accountId, id, request.body) };
    },
  );

  app.delete(
    '/phone-numbers/:id',
    {
      schema: {
        tags,
        summary: 'Release a number to the carrier, for ever; calls on it finish first',
        params: IdParams,
        response: { 200: ok(ReleasedNumber), ...errorResponses(401, 404, 409, 429, 503) },
      },
    },
    async (request) => ({ data: await releaseNumber(context, request.auth.accountId, request.params.id) }),
  );
}
