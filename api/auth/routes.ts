// Authentication routes; the rules are in the services of this folder.
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, ok, okList } from '../frame/envelope-schema.ts';
import { acceptedLanguage } from '../mail/mail-language.ts';
import { changePassword, endOtherSessions, endOwnSession, listOwnSessions } from './own-sessions.ts';
import { forgotPassword, resetPassword } from './password-reset.ts';
import { createPersonalToken, deletePersonalToken, listPersonalTokens } from './personal-tokens.ts';
import { acceptInvite, deliveryOf, register, resendVerification, verifyEmail } from './registration.ts';
import {
  AcceptedInvite,
  AcceptInviteBody,
  ChangePasswordBody,
  CodeBody,
  CreateTokenBody,
  DisableSecondFactorBody,
  EmailBody,
  EndedSessions,
  LoginBody,
  LoginResult,
  MailMessage,
  Message,
  NewPersonalToken,
  OwnSession,
  PersonalToken,
  RecoveryCodes,
  RefreshBody,
  RegisterBody,
  RegisterResult,
  ResetPasswordBody,
  SecondFactorSetup,
  Session,
  TokenBody,
  TokenPair,
  TokenQuery,
  User,
  VerifySecondFactorBody,
} from './schema.ts';
import { disableSecondFactor, enableSecondFactor, setUpSecondFactor, verifySecondFactor } from './second-factor.ts';
import { currentUser, deviceOf, login, logout, refresh } from './sessions.ts';

const tags = ['Authentication'];
const open = { public: true };
/** Everybody's own credentials, whatever their role is. */
const session = { session: true, scope: 'any' } as const;
/** A token may do what only an admin of the account may. */
const sessionOfAdmin = { session: true };
const languageOf = ({ headers }: FastifyRequest) => acceptedLanguage(headers['accept-language']);
const wishOf = (request: FastifyRequest) => ({ ip: request.ip, language: languageOf(request) });
const Id = Type.Object({ id: Type.String() });

export function registerAuth(app: App, context: ApiContext): void {
  registerSignIn(app, context);
  registerRegistration(app, context);
  registerSecondFactor(app, context);
  registerOwnSessions(app, context);
  registerPersonalTokens(app, context);
}

function registerSignIn(app: App, context: ApiContext): void {
  app.post(
    '/auth/login',
    {
      config: open,
      schema: {
        tags,
        summary: 'Sign in',
        security: [],
        body: LoginBody,
        response: { 200: ok(LoginResult), ...errorResponses(400, 401, 403, 422, 423, 429) },
      },
    },
    async (request) => ({ data: await login(context, app.sessionTokens, request.body, deviceOf(request)) }),
  );
  app.post(
    '/auth/refresh',
    {
      config: open,
      schema: {
        tags,
        summary: 'Trade a refresh token for a new pair; the old one is revoked',
        security: [],
        body: RefreshBody,
        response: { 200: ok(TokenPair), ...errorResponses(400, 401, 422, 429) },
      },
    },
    async (request) => ({
      data: await refresh(context, app.sessionTokens, request.body.refreshToken, deviceOf(request)),
    }),
  );
  app.post(
    '/auth/logout',
    {
      config: { scope: 'any' },
      schema: {
        tags,
        summary: 'Revoke the presented token and its refresh family',
        response: { 200: ok(Message), ...errorResponses(401, 429) },
      },
    },
    async (request) => {
      await logout(context, request.auth);
      return { data: { message: 'Signed out' } };
    },
  );
  app.get(
    '/auth/me',
    {
      config: { scope: 'any' },
      schema: { tags, summary: 'The user of the token', response: { 200: ok(User), ...errorResponses(401, 429) } },
    },
    async (request) => ({ data: await currentUser(context, request.auth) }),
  );
}

function registerRegistration(app: App, context: ApiContext): void {
  app.post(
    '/auth/register',
    {
      config: open,
      schema: {
        tags,
        summary: 'Create an account with its first user; a verification mail is sent',
        security: [],
        body: RegisterBody,
        response: { 201: ok(RegisterResult), ...errorResponses(400, 403, 409, 422, 429) },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return { data: { user: await register(context, request.body, wishOf(request)), delivery: deliveryOf(context) } };
    },
  );
  app.post(
    '/auth/verify-email',
    {
      config: open,
      schema: {
        tags,
        summary: 'Verify an e-mail address by the token that was mailed',
        security: [],
        body: TokenBody,
        response: { 200: ok(Message), ...errorResponses(400, 422, 429) },
      },
    },
    async (request) => {
      await verifyEmail(context, request.body.token);
      return { data: { message: 'Email verified' } };
    },
  );
  app.post(
    '/auth/resend-verification',
    {
      config: open,
      schema: {
        tags,
        summary: 'Send another verification mail; the answer is always the same',
        security: [],
        body: EmailBody,
        response: { 200: ok(MailMessage), ...errorResponses(400, 422, 429) },
      },
    },
    async (request) => {
      await resendVerification(context, request.body.email, languageOf(request));
      const message = 'If the address waits for verification, a mail is on its way';
      return { data: { message, delivery: deliveryOf(context) } };
    },
  );
  app.post(
    '/auth/accept-invite',
    {
      config: open,
      schema: {
        tags,
        summary: 'Accept an invitation: sets the password and verifies the address',
        security: [],
        body: AcceptInviteBody,
        response: { 200: ok(AcceptedInvite), ...errorResponses(400, 422, 429) },
      },
    },
    async (request) => ({ data: { user: await acceptInvite(context, request.body.token, request.body.password) } }),
  );
  app.post(
    '/auth/forgot-password',
    {
      config: open,
      schema: {
        tags,
        summary: 'Mail a reset code; the answer is always the same',
        security: [],
        body: EmailBody,
        response: { 200: ok(MailMessage), ...errorResponses(400, 422, 429) },
      },
    },
    async (request) => {
      await forgotPassword(context, request.body.email, languageOf(request));
      const message = 'If the address is known, a reset code is on its way';
      return { data: { message, delivery: deliveryOf(context) } };
    },
  );
  app.post(
    '/auth/reset-password',
    {
      config: open,
      schema: {
        tags,
        summary: 'Set a new password by a reset code; all sessions end',
        security: [],
        body: ResetPasswordBody,
        response: { 200: ok(Message), ...errorResponses(400, 422, 429) },
      },
    },
    async (request) => {
      await resetPassword(context, request.body, request.ip);
      return { data: { message: 'Password changed' } };
    },
  );
}

function registerSecondFactor(app: App, context: ApiContext): void {
  app.post(
    '/auth/verify-2fa',
    {
      config: open,
      schema: {
        tags,
        summary: 'Second step of a login: a TOTP or a recovery code',
        security: [],
        body: VerifySecondFactorBody,
        response: { 200: ok(Session), ...errorResponses(400, 401, 422, 423, 429) },
      },
    },
    async (request) => ({
      data: await verifySecondFactor(context, app.sessionTokens, request.body, deviceOf(request)),
    }),
  );
  app.post(
    '/auth/2fa/setup',
    {
      config: session,
      schema: {
        tags,
        summary: 'Begin to set up two-factor authentication',
        response: { 200: ok(SecondFactorSetup), ...errorResponses(401, 403, 409, 429) },
      },
    },
    async (request) => ({ data: await setUpSecondFactor(context, request.auth) }),
  );
  app.post(
    '/auth/2fa/enable',
    {
      config: session,
      schema: {
        tags,
        summary: 'Put two-factor authentication in force by a first code',
        body: CodeBody,
        response: { 200: ok(RecoveryCodes), ...errorResponses(400, 401, 403, 409, 422, 423, 429) },
      },
    },
    async (request) => ({
      data: { recoveryCodes: await enableSecondFactor(context, request.auth, request.body.code) },
    }),
  );
  app.post(
    '/auth/2fa/disable',
    {
      config: session,
      schema: {
        tags,
        summary: 'End two-factor authentication',
        body: DisableSecondFactorBody,
        response: { 200: ok(Message), ...errorResponses(400, 401, 403, 409, 422, 423, 429) },
      },
    },
    async (request) => {
      await disableSecondFactor(context, request.auth, request.body);
      return { data: { message: 'Two-factor authentication disabled' } };
    },
  );
}

function registerOwnSessions(app: App, context: ApiContext): void {
  app.get(
    '/auth/sessions',
    {
      config: session,
      schema: {
        tags,
        summary: 'Sessions of the user, the last used first',
        querystring: TokenQuery,
        response: { 200: okList(OwnSession), ...errorResponses(401, 403, 422, 429) },
      },
    },
    async (request) => listOwnSessions(context, request.auth, request.query),
  );
  app.delete(
    '/auth/sessions',
    {
      config: session,
      schema: {
        tags,
        summary: 'End all sessions of the user but the one that asks',
        response: { 200: ok(EndedSessions), ...errorResponses(401, 403, 429) },
      },
    },
    async (request) => ({ data: { ended: await endOtherSessions(context, request.auth) } }),
  );
  app.delete(
    '/auth/sessions/:id',
    {
      config: session,
      schema: {
        tags,
        summary: 'End a session of the user',
        params: Id,
        response: { 200: ok(OwnSession), ...errorResponses(401, 403, 404, 429) },
      },
    },
    async (request) => ({ data: await endOwnSession(context, request.auth, request.params.id) }),
  );
  app.post(
    '/auth/change-password',
    {
      config: session,
      schema: {
        tags,
        summary: 'Set a new password by the old one; all sessions end, the answer is a new one',
        body: ChangePasswordBody,
        response: { 200: ok(Session), ...errorResponses(400, 401, 403, 422, 423, 429) },
      },
    },
    async (request) => {
      const given = { ...request.body, device: deviceOf(request) };
      return { data: await changePassword(context, app.sessionTokens, request.auth, given) };
    },
  );
}

function registerPersonalTokens(app: App, context: ApiContext): void {
  app.get(
    '/auth/tokens',
    {
      config: session,
      schema: {
        tags,
        summary: 'Personal access tokens of the user',
        querystring: TokenQuery,
        response: { 200: okList(PersonalToken), ...errorResponses(401, 403, 422, 429) },
      },
    },
    async (request) => listPersonalTokens(context, request.auth, request.query),
  );
  app.post(
    '/auth/tokens',
    {
      config: sessionOfAdmin,
      schema: {
        tags,
        summary: 'Create a personal access token; it is shown this one time',
        body: CreateTokenBody,
        response: { 201: ok(NewPersonalToken), ...errorResponses(400, 401, 403, 409, 422, 429) },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return { data: await createPersonalToken(context, request.auth, request.body) };
    },
  );
  app.delete(
    '/auth/tokens/:id',
    {
      config: session,
      schema: {
        tags,
        summary: 'Revoke a personal access token',
        params: Id,
        response: { 200: ok(PersonalToken), ...errorResponses(401, 403, 404, 429) },
      },
    },
    async (request) => ({ data: await deletePersonalToken(context, request.auth, request.params.id) }),
  );
}
