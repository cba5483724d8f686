// /auth/provider: sign-in by the installation's identity provider, and the address to which that sends browsers back.
import type { ApiContext } from '../../context.ts';
import type { App } from '../../frame/app.ts';
import { errorResponses, ok } from '../../frame/envelope-schema.ts';
import { LoginResult } from '../schema.ts';
import { deviceOf } from '../sessions.ts';
import { BegunSignIn, FinishSignInBody, SignInWays } from './schema.ts';
import { beginSignIn, finishSignIn, RETURN_PATH } from './sign-ins.ts';

const tags = ['Authentication'];
const config = { public: true };

export function registerProviderSignIn(app: App, context: ApiContext): void {
  app.get(
    '/auth/provider',
    {
      config,
      schema: {
        tags,
        summary: 'How people sign in here: by passwords, by an identity provider',
        security: [],
        response: { 200: ok(SignInWays), ...errorResponses(429) },
      },
    },
    async () => {
      const { signInProvider } = context.config;
      return { data: { provider: signInProvider?.name ?? null, passwords: signInProvider?.isOnly !== true } };
    },
  );
  app.post(
    '/auth/provider/begin',
    {
      config,
      schema: {
        tags,
        summary: 'Begin a sign-in by the identity provider',
        security: [],
        response: { 200: ok(BegunSignIn), ...errorResponses(409, 429, 503) },
      },
    },
    async () => ({ data: await beginSignIn(context) }),
  );
  app.post(
    '/auth/provider/finish',
    {
      config,
      schema: {
        tags,
        summary: 'The session of the person whom the identity provider has sent back',
        security: [],
        body: FinishSignInBody,
        response: { 200: ok(LoginResult), ...errorResponses(400, 401, 403, 409, 422, 429, 503) },
      },
    },
    async (request) => ({ data: await finishSignIn(context, app.sessionTokens, request.body, deviceOf(request)) }),
  );
}

/** Hands what came with the browser to the dashboard's sign-in page, in the hash: no log of a server has it. */
export function registerProviderReturn(app: App): void {
  app.get(RETURN_PATH, { config: { public: true, bare: true }, schema: { hide: true } }, async (request, reply) => {
    const at = request.url.indexOf('?');
    const answer = at === -1 ? '' : request.url.slice(at + 1);
    return reply
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'no-store')
      .redirect(`./#/sign-in?answer=${encodeURIComponent(answer)}`, 302);
  });
}
