// A real OpenID provider on loopback (the package oidc-provider), with people whom tests name, groups that change, keys
// that are replaced, and a way to be slow or away.
import assert from 'node:assert/strict';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

export interface Person {
  sub: string;
  email?: string;
  email_verified?: boolean;
  groups?: string[];
}

export const CLIENT = { OIDC_CLIENT_ID: 'voice-line', OIDC_CLIENT_SECRET: 'a-secret_of.the~voice line' };

/** The button of the form that the package makes. */
const LEAVE = '<button form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button>';

const newKey = () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'RS256' };
};

export class IdentityProvider {
  readonly people = new Map<string, Person>();
  /** Requests to its endpoints, newest last. */
  readonly asked: string[] = [];
  /** The name and secret that its token endpoint was last told, as they came. */
  credentials = '';
  /** Whether these paths are answered, held without an answer, or answered with 503. */
  mode: 'up' | 'silent' | 'broken' = 'up';
  readonly #server: Server;
  readonly #redirectUris: string[];
  #provider: Provider | null = null;
  #key = newKey();
  #port = 0;

  constructor(redirectUris: string[]) {
    this.#redirectUris = redirectUris;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Also of a service whose address is known only once it runs. */
  allow(redirectUri: string): void {
    this.#redirectUris.push(redirectUri);
    this.#renew();
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
    if (this.#provider === null) this.#renew();
  }

  /** Away, until it listens again at the same place. */
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    if (this.#server.listening) await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  /** Other keys from now on; what was signed by the old ones is not shown any more. */
  replaceKeys(): void {
    this.#key = newKey();
    this.#renew();
  }

  #renew(): void {
    this.#provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: CLIENT.OIDC_CLIENT_ID,
          client_secret: CLIENT.OIDC_CLIENT_SECRET,
          redirect_uris: this.#redirectUris,
          post_logout_redirect_uris: this.#redirectUris.map((uri) => uri.replace(/signed-in$/, '')),
          response_types: ['code'],
          grant_types: ['authorization_code'],
        },
      ],
      jwks: { keys: [this.#key] },
      // Its warnings of a quick start are about defaults.
      ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
      cookies: { keys: ['a key of cookies'] },
      pkce: { required: () => true },
      claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name'] },
      findAccount: (_context: unknown, sub: string) => ({
        accountId: sub,
        claims: () => ({ ...(this.people.get(sub) ?? { sub }) }),
      }),
      features: {
        devInteractions: { enabled: false },
        // Its own page asks a host of fonts.
        rpInitiatedLogout: {
          logoutSource: async (context: { body: string }, form: string) => {
            context.body = `<!doctype html><html lang="en"><title>Sign out?</title>${form}${LEAVE}`;
          },
        },
      },
      interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      loadExistingGrant: async (context: Consent) => {
        const { Grant } = this.#provider as Provider;
        const grant = new Grant({ accountId: context.oidc.session.accountId, clientId: context.oidc.client.clientId });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.issuer);
    this.asked.push(`${request.method} ${pathname}`);
    const [, basic] = /^Basic (.*)$/.exec(request.headers.authorization ?? '') ?? [];
    if (basic !== undefined) this.credentials = Buffer.from(basic, 'base64').toString();
    if (this.mode === 'silent') return;
    if (this.mode === 'broken') {
      response.writeHead(503, { 'content-type': 'text/html' }).end('<h1>Down for maintenance</h1>');
      return;
    }
    const provider = this.#provider as Provider;
    if (!pathname.startsWith('/interaction/')) {
      await provider.callback()(request, response);
      return;
    }
    const sub = searchParams.get('sub');
    if (sub === null) {
      const links = [...this.people.keys()].map((each) => `<p><a href="?sub=${each}">${each}</a></p>`);
      const page = `<!doctype html><html lang="en"><title>Who are you?</title>${links.join('')}<a href="?sub=">Nobody</a>`;
      response.writeHead(200, { 'content-type': 'text/html' }).end(page);
      return;
    }
    const result = sub === '' ? { error: 'access_denied' } : { login: { accountId: sub } };
    const location = await provider.interactionResult(request, response, result);
    response.writeHead(303, { location }).end();
  }

  /** The query with which the person's browser is sent back to the service, without any of its pages. */
  async visit(url: string, sub: string): Promise<string> {
    const cookies = new Map<string, string>();
    let at = new URL(url);
    for (let hop = 0; hop < 10; hop++) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(at, { redirect: 'manual', headers: { cookie } });
      for (const set of answer.headers.getSetCookie()) {
        const [name = '', value = ''] = (set.split(';', 1)[0] ?? '').split(/=(.*)/s);
        cookies.set(name, value);
      }
      const location = answer.headers.get('location');
      assert.ok(location, `${at.pathname}: ${answer.status} ${await answer.text()}`);
      at = new URL(location, at);
      if (at.origin !== this.issuer) return at.search.slice(1);
      if (at.pathname.startsWith('/interaction/')) at.searchParams.set('sub', sub);
    }
    throw new Error('the provider redirects for ever');
  }
}

interface Consent {
  oidc: { session: { accountId: string }; client: { clientId: string } };
}
