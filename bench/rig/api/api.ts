// A whole API on a temporary DATA_DIR with a clock that tests control, called through fastify's inject. Accounts are
// created with the product's own functions; nothing is mocked.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { InjectOptions } from 'fastify';
import { type HashCost, Passwords } from '../../../api/auth/passwords.ts';
import { newAccountRow, newUserRow } from '../../../api/auth/registration.ts';
import { type ApiConfig, readApiConfig } from '../../../api/config.ts';
import type { ApiContext } from '../../../api/context.ts';
import { closeContext, createContext } from '../../../api/create-context.ts';
import type { App } from '../../../api/frame/app.ts';
import { createLog } from '../../../api/log.ts';
import type { Mail, MailTransport } from '../../../api/mail/mail.ts';
import { buildServer } from '../../../api/server.ts';
import { isPostgres, openDatabase } from '../../../db/database.ts';
import { insertAccount } from '../../../db/queries/accounts/accounts.ts';
import { insertUser } from '../../../db/queries/accounts/users.ts';
import { newId } from '../../../db/shared/id.ts';
import { freshDatabase, renewDatabase } from '../database/fresh-database.ts';
import { dropPostgres, freshPostgres, renewPostgres, testServer } from '../database/postgres.ts';
import type { AnswerJson, Envelope } from './answers.ts';

export interface Answer<Json extends Envelope<unknown> = Envelope<unknown>> {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  text: string;
  bytes: Buffer;
  json: Json;
}

export interface Tenant {
  accountId: string;
  userId: string;
  email: string;
  /** A session token, issued without the login route. */
  token: string;
  /** Sends a request with this tenant's token; `body` is sent as JSON. `path` is relative to /api/v1. */
  ask<Method extends 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', Path extends string>(
    method: Method,
    path: Path,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<AnswerJson<Method, Path>>>;
}

export interface TestApi {
  app: App;
  context: ApiContext;
  clock: { now: number; advance(ms: number): void };
  mails: Mail[];
  logs: string[];
  /** The first tenant (role USER), another one, and an ADMIN of the installation. */
  tenant: Tenant;
  other: Tenant;
  admin: Tenant;
  newTenant(options?: { role?: 'USER' | 'ADMIN'; plan?: 'STARTER' | 'PRO' | 'ENTERPRISE' }): Promise<Tenant>;
  /** For anything outside /api/v1, and unusual requests. */
  inject(options: InjectOptions): Promise<Answer>;
  /** Sends a request without a token. */
  ask: Tenant['ask'];
  /** As after a start of a new installation: an empty database, other tenants, and the clock set back. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

export interface TestApiOptions {
  config?: Partial<ApiConfig>;
  environment?: Record<string, string>;
  context?: Partial<ApiContext>;
  /** Default: sent mails are added to `mails`. */
  mailTransport?: MailTransport;
  /** Keeps this DATA_DIR, e.g. to restart on it; default: a temporary one that `close` removes. */
  dataDir?: string;
  /** More routes under /api/v1, to try plugins with. */
  routes?: (app: App, context: ApiContext) => void;
  nowMs?: number;
}

const SEALING_KEY = Buffer.alloc(32, 7).toString('base64url');
const NOON = Date.UTC(2026, 10, 18, 12);

/** Tests sign in hundreds of times; at the service's own cost that would be a tenth of their processor time. */
const QUICK: HashCost = {
  memoryKib: 64,
  passes: 1,
  nobody: '$argon2id$v=19$m=64,t=1,p=1$VrxePqeYxjLvnB1BBW7Ctw$3KQHhe+NpOKm8D0mjhPy0nD1Um3od8Gq9rUxpAvtL0o',
};

export async function startApi(options: TestApiOptions = {}): Promise<TestApi> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'voice-api-'));
  const server = testServer();
  const database =
    server === null ? {} : { DATABASE_URL: await freshPostgres(server, dataDir), SEALING_KEY, JWT_SECRET: SEALING_KEY };
  const config = {
    ...readApiConfig({
      ...database,
      DATA_DIR: dataDir,
      RATE_LIMIT_PER_MINUTE: '1000000',
      DEMO: '0',
      // No test asks a carrier on the internet.
      CARRIER_API_BASE: 'http://127.0.0.1:1',
      CALENDAR_API_BASE: 'http://127.0.0.1:1',
      ...options.environment,
    }),
    ...options.config,
  };
  if (!isPostgres(config.database)) freshDatabase(config.database);
  const clock = {
    now: options.nowMs ?? NOON,
    advance(ms: number) {
      clock.now += ms;
    },
  };
  const mails: Mail[] = [];
  const logs: string[] = [];
  const context = await createContext(config, createLog({ logLevel: 'debug' }, lines(logs)), {
    overrides: {
      db: openDatabase(config.database, { synchronous: 'NORMAL' }),
      now: () => clock.now,
      skewMs: () => 0,
      passwords: new Passwords(QUICK),
      ...options.context,
    },
    mailTransport: options.mailTransport ?? recordingTransport(mails),
  });
  const app = await buildServer(context, options.routes ? [options.routes] : []);
  const inject = async (request: InjectOptions): Promise<Answer> => {
    const response = await app.inject({ ...request, server: app.server } as InjectOptions);
    const text = response.payload;
    const json = /json/.test(String(response.headers['content-type'])) ? JSON.parse(text) : undefined;
    return { status: response.statusCode, headers: response.headers, text, bytes: response.rawPayload, json };
  };
  const asker =
    (token?: string): Tenant['ask'] =>
    async (method, path, body, headers = {}) =>
      (await inject({
        method,
        url: `/api/v1${path}`,
        headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers },
        ...(body === undefined ? {} : { payload: body as object }),
      })) as Answer<AnswerJson<typeof method, typeof path>>;
  let tenants = 0;
  const begun = { ...context };
  const filesAtStart = new Set(filesIn(dataDir));
  const newTenant: TestApi['newTenant'] = async ({ role = 'USER', plan = 'STARTER' } = {}) => {
    const account = newAccountRow(`Tenant ${++tenants}`, clock.now, plan);
    const accountId = account.id;
    const email = `tenant${tenants}-${accountId.slice(-6)}@example.com`.toLowerCase();
    const user = newUserRow(accountId, { email, passwordHash: null, role, verified: true }, clock.now);
    const userId = user.id;
    await insertAccount(context.db, account);
    await insertUser(context.db, user);
    // Long-lived: the test may move its clock ahead by hours.
    const token = app.sessionTokens.issue(
      { userId, familyId: newId('req'), generation: 0 },
      clock.now + 365 * 86_400_000,
    );
    return { accountId, userId, email, token, ask: asker(token) };
  };
  const api: TestApi = {
    app,
    context,
    clock,
    mails,
    logs,
    tenant: await newTenant(),
    other: await newTenant(),
    admin: await newTenant({ role: 'ADMIN' }),
    newTenant,
    inject,
    ask: asker(),
    async renew() {
      // Of what a test may have set in its place.
      Object.assign(context, begun);
      await context.mail.wake();
      for (const file of filesIn(dataDir)) {
        const isOurs = filesAtStart.has(file) || /-(wal|shm)$/.test(file);
        if (!isOurs) rmSync(join(dataDir, file), { recursive: true, force: true });
      }
      await (server === null ? renewDatabase(config.database) : renewPostgres(server, dataDir));
      [clock.now, mails.length, logs.length, tenants] = [options.nowMs ?? NOON, 0, 0, 0];
      Object.assign(api, { tenant: await newTenant(), other: await newTenant() });
      api.admin = await newTenant({ role: 'ADMIN' });
    },
    async close() {
      await app.close();
      await closeContext(context);
      if (options.dataDir !== undefined) return;
      rmSync(dataDir, { recursive: true, force: true });
      if (server !== null) await dropPostgres(server, dataDir);
    },
  };
  return api;
}

const filesIn = (folder: string): string[] => readdirSync(folder, { encoding: 'utf8', recursive: true });

function recordingTransport(mails: Mail[]): MailTransport {
  return {
    isLocal: true,
    async send(_id, mail) {
      mails.push(mail);
    },
  };
}

const lines = (into: string[]): Writable =>
  new Writable({
    write(chunk, _encoding, done) {
      into.push(String(chunk).trimEnd());
      done();
    },
  });
