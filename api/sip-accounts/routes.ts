// /admin/sip-accounts: the accounts of softphones, with the address of each that is registered.

import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, ok, okList } from '../frame/envelope-schema.ts';
import { PageQuery } from '../frame/pagination.ts';
import {
  NewSipAccount,
  SIP_ACCOUNT_READ_ONLY,
  SipAccount,
  SipAccountBody,
  SipAccountParams,
  SipAccountPatch,
} from './schema.ts';
import { addAccount, changeAccount, removeAccount, sipAccount, sipAccounts } from './service.ts';

const tags = ['Administration'];

export function registerSipAccounts(app: App, context: ApiContext): void {
  app.get(
    '/admin/sip-accounts',
    {
      config: { admin: true },
      schema: {
        tags,
        summary: 'Accounts of softphones, with where each is registered',
        querystring: PageQuery,
        response: { 200: okList(SipAccount), ...errorResponses(401, 403, 422, 429) },
      },
    },
    (request) => sipAccounts(context, request.query),
  );

  app.get(
    '/admin/sip-accounts/:id',
    {
      config: { admin: true },
      schema: {
        tags,
        summary: 'One account of a softphone',
        params: SipAccountParams,
        response: { 200: ok(SipAccount), ...errorResponses(401, 403, 404, 429) },
      },
    },
    async (request) => ({ data: await sipAccount(context, request.params.id) }),
  );

  app.post(
    '/admin/sip-accounts',
    {
      config: { idempotent: false, admin: true, readOnlyFields: SIP_ACCOUNT_READ_ONLY },
      schema: {
        tags,
        summary: 'Add an account for a softphone; a username is enough. The password is shown once',
        body: SipAccountBody,
        response: { 201: ok(NewSipAccount), ...errorResponses(400, 401, 403, 409, 422, 429) },
      },
    },
    async (request, reply) =>
      reply.code(201).send({ data: await addAccount(context, request.auth.accountId, request.body) }),
  );

  app.patch(
    '/admin/sip-accounts/:id',
    {
      config: { admin: true, readOnlyFields: SIP_ACCOUNT_READ_ONLY },
      schema: {
        tags,
        summary: 'Change an account; with another password, or disabled, its phone is unregistered at once',
        params: SipAccountParams,
        body: SipAccountPatch,
        response: { 200: ok(SipAccount), ...errorResponses(400, 401, 403, 404, 409, 422, 429) },
      },
    },
    async (request) => ({ data: await changeAccount(context, request.params.id, request.body) }),
  );

  app.delete(
    '/admin/sip-accounts/:id',
    {
      config: { admin: true },
      schema: {
        tags,
        summary: 'Delete an account; its phone is unregistered at once, and its username is free again',
        params: SipAccountParams,
        response: { 200: ok(SipAccount), ...errorResponses(401, 403, 404, 429) },
      },
    },
    async (request) => ({ data: await removeAccount(context, request.params.id) }),
  );
}
