// Glewlwyd, an OpenID provider of Debian's, on loopback: its database in a temporary folder, its administration by its
// own API, and people with groups.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reservePort } from '../../../bench/rig/network/reserved-port.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';

const SCHEMA = '/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3';
export const missingGlewlwyd =
  ['/usr/bin/glewlwyd', '/usr/bin/sqlite3', SCHEMA].some((path) => !existsSync(path)) &&
  'Glewlwyd is not installed (apt-get install glewlwyd sqlite3)';

export const CLIENT = { OIDC_CLIENT_ID: 'voice', OIDC_CLIENT_SECRET: 'a-secret_of.the~service' };
/** Of everybody whom `addPerson` has made. */
const passwordOf = (username: string): string => `a password of ${username}`;

const newKey = () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'RS256' };
};

export class Glewlwyd {
  readonly issuer: string;
  readonly #base: string;
  readonly #server: ChildProcess;
  #administrator = '';
  #output = '';

  private constructor(port: number) {
    this.#base = `http://127.0.0.1:${port}`;
    this.issuer = `${this.#base}/api/oidc`;
    const folder = temporaryFolder('voice-glewlwyd');
    const database = join(folder, 'glewlwyd.db');
    execFileSync('sqlite3', [database], { input: readFileSync(SCHEMA) });
    const configuration = join(folder, 'glewlwyd.conf');
    writeFileSync(configuration, configurationOf(port, this.#base, database));
    this.#server = spawn('glewlwyd', [`--config-file=${configuration}`], { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#server.stdout, this.#server.stderr])
      stream?.on('data', (data: Buffer) => {
        this.#output += data.toString();
      });
  }

  static async start(): Promise<Glewlwyd> {
    const provider = new Glewlwyd(await reservePort());
    for (let tries = 0; !(await provider.#answers()); tries++) {
      if (tries > 100) throw new Error(`Glewlwyd does not answer: ${provider.#output}`);
      execFileSync('sleep', ['0.1']);
    }
    provider.#administrator = await provider.#signIn('admin', 'password');
    const people = (await provider.#ask('GET', '/mod/user/database')) as Users;
    const groups = { multiple: true, read: true, write: true, 'profile-read': true, 'profile-write': false };
    people.parameters['data-format'].groups = groups;
    await provider.#ask('PUT', '/mod/user/database', people);
    await provider.#ask('PUT', '/mod/user/database/reset');
    await provider.#ask('POST', '/mod/plugin', { ...provider.#plugin(), module: 'oidc' });
    return provider;
  }

  /** Registers the service, as docs/sign-in.md says. */
  async register(redirectUri: string, leavesTo: string): Promise<void> {
    await this.#ask('POST', '/client/', {
      ...{ client_id: CLIENT.OIDC_CLIENT_ID, client_secret: CLIENT.OIDC_CLIENT_SECRET, name: 'Voice' },
      ...{ confidential: true, enabled: true, authorization_type: ['code'], scope: [] },
      ...{ token_endpoint_auth_method: ['client_secret_basic'] },
      ...{ redirect_uri: [redirectUri], post_logout_redirect_uri: leavesTo },
    });
  }

  async addPerson(username: string, groups: string[]): Promise<void> {
    const email = `${username}@example.com`;
    const person = { username, name: username, email, groups, password: passwordOf(username), enabled: true };
    await this.#ask('POST', '/user/', { ...person, scope: ['openid'] });
  }

  /** The query with which a person's browser is sent back, after what the provider's own page asks of its API. */
  async answerTo(url: string, username: string): Promise<string> {
    const cookie = await this.#signIn(username, passwordOf(username));
    const body = JSON.stringify({ scope: 'openid' });
    const headers = { cookie, 'content-type': 'application/json' };
    const granted = await fetch(`${this.#base}/api/auth/grant/${CLIENT.OIDC_CLIENT_ID}`, {
      method: 'PUT',
      headers,
      body,
    });
    if (!granted.ok) throw new Error(`Glewlwyd, the grant of ${username}: ${granted.status}`);
    const { status, headers: answer } = await fetch(`${url}&g_continue`, { headers: { cookie }, redirect: 'manual' });
    const location = answer.get('location');
    if (location === null) throw new Error(`Glewlwyd does not lead back: ${status}`);
    return new URL(location).search.slice(1);
  }

  /** Other keys from now on. */
  async replaceKeys(): Promise<void> {
    await this.#ask('PUT', '/mod/plugin/oidc', this.#plugin());
    await this.#ask('PUT', '/mod/plugin/oidc/reset');
  }

  async stop(): Promise<void> {
    if (this.#server.exitCode !== null || this.#server.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#server.once('exit', resolve));
    this.#server.kill();
    await ended;
  }

  #plugin(): object {
    const off = ['token', 'implicit', 'password', 'client', 'refresh'].map((type) => [
      `auth-type-${type}-enabled`,
      false,
    ]);
    const parameters = {
      ...{ iss: this.issuer, 'subject-type': 'public', 'allowed-scope': ['openid'], 'allow-non-oidc': false },
      ...{
        'jwks-private': JSON.stringify({ keys: [newKey()] }),
        'jwks-show': true,
        'jwt-type': 'rsa',
        'jwt-key-size': '256',
      },
      ...{ 'access-token-duration': 3_600, 'refresh-token-duration': 3_600, 'code-duration': 600 },
      ...{ 'auth-type-code-enabled': true, ...Object.fromEntries(off) },
      ...{ 'pkce-allowed': true, 'pkce-required': true, 'pkce-method-plain-allowed': false, 'oauth-as-iss-id': true },
      ...{ 'name-claim': 'mandatory', 'email-claim': 'mandatory' },
      claims: [{ name: 'groups', 'user-property': 'groups', type: 'string', mandatory: true, scope: [] }],
      ...{ 'session-management-allowed': true, 'session-cookie-name': 'OIDC_SID', 'session-cookie-expiration': 3_600 },
    };
    return { name: 'oidc', display_name: 'OpenID Connect', enabled: true, parameters };
  }

  async #answers(): Promise<boolean> {
    return fetch(`${this.#base}/config`).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  /** The cookie of a session. */
  async #signIn(username: string, password: string): Promise<string> {
    const body = JSON.stringify({ username, password });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${this.#base}/api/auth/`, { method: 'POST', body, headers });
    return answer.headers
      .getSetCookie()
      .map((set) => set.split(';', 1)[0])
      .join('; ');
  }

  async #ask(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await fetch(`${this.#base}/api${path}`, {
      method,
      headers: { cookie: this.#administrator, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`Glewlwyd, ${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  }
}

interface Users {
  parameters: { 'data-format': Record<string, object> };
}

function configurationOf(port: number, base: string, database: string): string {
  return `
    port=${port}
    bind_address="127.0.0.1"
    external_url="${base}"
    login_url="login.html"
    api_prefix="api"
    log_mode="console"
    log_level="WARNING"
    cookie_secure=0
    user_module_path="/usr/lib/glewlwyd/user"
    client_module_path="/usr/lib/glewlwyd/client"
    user_auth_scheme_module_path="/usr/lib/glewlwyd/scheme"
    plugin_module_path="/usr/lib/glewlwyd/plugin"
    hash_algorithm="SHA512"
    database = { type = "sqlite3"; path = "${database}"; };
  `;
}
