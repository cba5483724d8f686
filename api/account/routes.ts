// /account and /account/users: an account and its people, for themselves; /admin/accounts: all accounts, for an ADMIN.

import { inviteUser } from '../auth/registration.ts';
import { InvitedUser, User } from '../auth/schema.ts';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, ok, okList } from '../frame/envelope-schema.ts';
import { PageQuery } from '../frame/pagination.ts';
import { acceptedLanguage } from '../mail/mail-language.ts';
import { refuseFixedFields } from '../plugins/fixed-fields.ts';
import { OverviewQuery, OverviewRecord, readOverview } from './overview.ts';
import {
  ACCOUNT_READ_ONLY,
  Account,
  AccountPatch,
  ADMIN_ACCOUNT_ELSEWHERE,
  ADMIN_ACCOUNT_FIXED,
  ADMIN_ACCOUNT_READ_ONLY,
  AdminAccountPatch,
  IdParams,
  InviteBody,
} from './schema.ts';
import { administerAccount, changeAccount, everyAccount, readAccount } from './service.ts';
import { accountUsers, removeUser } from './users.ts';

const tags = ['Account'];

export function registerAccount(app: App, context: ApiContext): void {
  app.get(
    '/account',
    {
      schema: {
        tags,
        summary: 'The account and its minutes',
        response: { 200: ok(Account), ...errorResponses(401, 429) },
      },
    },
    async (request) => ({ data: await readAccount(context, request.auth.accountId) }),
  );
  app.patch(
    '/account',
    {
      config: { readOnlyFields: ACCOUNT_READ_ONLY },
      schema: {
        tags,
        summary: 'Change name, timezone, default campaign or how long calls are kept',
        body: AccountPatch,
        response: { 200: ok(Account), ...errorResponses(400, 401, 422, 429) },
      },
    },
    async (request) => ({ data: await changeAccount(context, request.auth.accountId, request.body) }),
  );
  app.get(
    '/account/overview',
    {
      schema: {
        tags,
        summary: 'The last days at a glance: calls, minutes, answer rate, response gaps, failures',
        querystring: OverviewQuery,
        response: { 200: ok(OverviewRecord), ...errorResponses(401, 422, 429) },
      },
    },
    async (request) => ({ data: await readOverview(context, request.auth.accountId, request.query) }),
  );
  registerUsers(app, context);
  registerAdministration(app, context);
}

function registerUsers(app: App, context: ApiContext): void {
  app.get(
    '/account/users',
    {
      config: { session: true },
      schema: {
        tags,
        summary: 'The users of the account',
        querystring: PageQuery,
        response: { 200: okList(User), ...errorResponses(401, 403, 422, 429) },
      },
    },
    (request) => accountUsers(context, request.auth.accountId, request.query),
  );
  app.post(
    '/account/users',
    {
      config: { session: true },
      schema: {
        tags,
        summary: 'Invite a user: a mail brings the link that sets the password',
        body: InviteBody,
        response: { 201: ok(InvitedUser), ...errorResponses(400, 401, 403, 409, 422, 429) },
      },
    },
    async (request, reply) => {
      reply.code(201);
      const language = acceptedLanguage(request.headers['accept-language']) ?? 'en';
      return { data: await inviteUser(context, request.auth.accountId, request.body.email, language) };
    },
  );
  app.delete(
    '/account/users/:id',
    {
      config: { session: true },
      schema: {
        tags,
        summary: 'Remove a user, with their sessions and tokens',
        params: IdParams,
        response: { 200: ok(User), ...errorResponses(401, 403, 404, 409, 429) },
      },
    },
    async (request) => ({ data: await removeUser(context, request.auth, request.params.id) }),
  );
}

function registerAdministration(app: App, context: ApiContext): void {
  app.get(
    '/admin/accounts',
    {
      config: { admin: true },
      schema: {
        tags: ['Administration'],
        summary: 'All accounts',
        querystring: PageQuery,
        response: { 200: okList(Account), ...errorResponses(401, 403, 422, 429) },
      },
    },
    (request) => everyAccount(context, request.query),
  );
  app.patch(
    '/admin/accounts/:id',
    {
      config: {
        admin: true,
        readOnlyFields: ADMIN_ACCOUNT_READ_ONLY,
        fixedFields: ADMIN_ACCOUNT_FIXED,
        changedElsewhere: ADMIN_ACCOUNT_ELSEWHERE,
      },
      schema: {
        tags: ['Administration'],
        summary: 'Change plan, overage, destinations and limits of spend of an account',
        params: IdParams,
        body: AdminAccountPatch,
        response: { 200: ok(Account), ...errorResponses(400, 401, 403, 404, 422, 429) },
      },
    },
    async (request) => {
      await refuseFixedFields(request, () => readAccount(context, request.params.id));
      return { data: await administerAccount(context, request.params.id, request.body) };
    },
  );
}
