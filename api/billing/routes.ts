// /account/billing: the account's card and the page on which it is given; /account/charges: its ledger.

import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, ok, okList } from '../frame/envelope-schema.ts';
import { PageQuery } from '../frame/pagination.ts';
import { BillingAccount, Charge, SetupPage } from './schema.ts';
import { accountCharges, billingAccount, setUpBilling } from './service.ts';

const tags = ['Billing'];

export function registerBilling(app: App, context: ApiContext): void {
  app.get(
    '/account/billing',
    {
      schema: {
        tags,
        summary: 'The card that is charged',
        response: { 200: ok(BillingAccount), ...errorResponses(401, 429, 503) },
      },
    },
    async (request) => ({ data: await billingAccount(context, request.auth.accountId) }),
  );

  app.post(
    '/account/billing/setup',
    {
      schema: {
        tags,
        summary: 'A page of the payment provider on which to add a card',
        response: { 200: ok(SetupPage), ...errorResponses(401, 409, 429, 503) },
      },
    },
    async (request) => ({ data: await setUpBilling(context, request.auth.accountId) }),
  );

  app.get(
    '/account/charges',
    {
      schema: {
        tags,
        summary: 'What numbers and minutes cost',
        querystring: PageQuery,
        response: { 200: okList(Charge), ...errorResponses(401, 422, 429) },
      },
    },
    (request) => accountCharges(context, request.auth.accountId, request.query),
  );
}
