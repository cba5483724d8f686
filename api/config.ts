// Reads the API process's environment. A wrong value ends the process with exit 2 and one line that names the variable.
import { type EmbeddingsSettings, readEmbeddings } from '../db/shared/settings/embeddings-settings.ts';
import {
  ConfigError,
  type Environment,
  readAddresses,
  readChoice,
  readFlag,
  readInteger,
  readPort,
  readSharedConfig,
  readText,
  readUrl,
  type SharedConfig,
} from '../db/shared/settings/environment.ts';
import { refuseSharedPorts } from '../db/shared/settings/ports.ts';
import { readSignInProvider, type SignInProviderSettings } from './auth/provider/settings.ts';

export interface ApiConfig extends SharedConfig {
  apiHost: string;
  apiPort: number;
  /** Base of links in mails; null: the API's listening address (known only after listen, because the port may be 0). */
  publicUrl: string | null;
  /** At least 32 bytes; null: a generated one in DATA_DIR. */
  jwtSecret: string | null;
  rateLimitPerMinute: number;
  smtpUrl: string | null;
  /** The sender of mails, `Name <address>` or an address alone; null: no-reply at the host of PUBLIC_URL. */
  mailFrom: string | null;
  carrier: 'inventory';
  /** An origin that stands for all carriers with an API, each below its own host's name: for tests. Null: their own. */
  carrierApiBase: string | null;
  /** The identity provider by which people sign in; null: none. */
  signInProvider: SignInProviderSettings | null;
  /** The installation's own applications at Google and Microsoft, to which calendars' owners sign in. */
  calendarAccounts: CalendarAccounts;
  /** Null: no traces are sent. */
  traces: TraceSettings | null;
  sip: SipAddress;
  /** Null: browsers are told of no relay. */
  turn: TurnSettings | null;
  billing: 'none' | 'stripe';
  stripeSecretKey: string | null;
  stripeApiBase: string | null;
  registration: 'open' | 'invite';
  metricsPort: number | null;
  adminEmail: string;
  adminPassword: string | null;
  demo: boolean;
  /** Models that agents may name; null: any. */
  agentModels: readonly string[] | null;
  llm: LlmConfig;
  /** Null: documents are found by their words alone. */
  embeddings: EmbeddingsSettings | null;
  /** Addresses of reverse proxies whose X-Forwarded-For is believed; none by default. */
  trustProxy: string[];
}

interface CalendarAccounts {
  google: { clientId: string; clientSecret: string } | null;
  /** `tenant`: whose users may sign in; `common`: all of Microsoft's. */
  microsoft: { clientId: string; tenant: string } | null;
  /** An origin that stands for both, each below its hosts' names: for tests. Null: their own. */
  base: string | null;
}

interface TraceSettings {
  /** Of a collector, OTLP over HTTP. */
  url: string;
  headers: Record<string, string>;
  serviceName: string;
  /** Words that were said, numbers, arguments and results of tools. */
  hasContent: boolean;
}

/** Servers that relay browsers' audio (RFC 8656), and the secret that they share with us. */
export interface TurnSettings {
  urls: readonly string[];
  secret: string;
}

interface SipAddress {
  /** Name or address that a carrier can reach; null: none is known. */
  host: string | null;
  port: number;
  /** Null: calls by TLS are not taken. */
  tlsPort: number | null;
}

type LlmConfig =
  | { kind: 'receptionist' }
  | { kind: 'openai'; apiKey: string | null; baseUrl: string | null; model: string | null };

const SECRET_BYTES_MIN = 32;

/** @throws {ConfigError} */
export function readApiConfig(environment: Environment): ApiConfig {
  const shared = readSharedConfig(environment);
  refuseSharedPorts(environment);
  const billing = readChoice(environment, 'BILLING', ['none', 'stripe'] as const, 'none');
  const config: ApiConfig = {
    ...shared,
    apiHost: readText(environment, 'API_HOST', '127.0.0.1'),
    apiPort: readPort(environment, 'API_PORT', 8080),
    publicUrl: readUrl(environment, 'PUBLIC_URL', null, ['http', 'https']),
    jwtSecret: readJwtSecret(environment),
    rateLimitPerMinute: readInteger(environment, 'RATE_LIMIT_PER_MINUTE', 600, { min: 1, max: 100_000_000 }),
    smtpUrl: readUrl(environment, 'SMTP_URL', null, ['smtp', 'smtps']),
    mailFrom: readMailFrom(environment),
    carrier: readChoice(environment, 'CARRIER', ['inventory'] as const, 'inventory'),
    carrierApiBase: readOrigin(environment, 'CARRIER_API_BASE'),
    signInProvider: readSignInProvider(environment, shared.appEnv),
    calendarAccounts: readCalendarAccounts(environment),
    traces: readTraces(environment),
    sip: readSipAddress(environment),
    turn: readTurn(environment),
    billing,
    stripeSecretKey: readText(environment, 'STRIPE_SECRET_KEY', null),
    stripeApiBase: readOrigin(environment, 'STRIPE_API_BASE'),
    registration: readChoice(
      environment,
      'REGISTRATION',
      ['open', 'invite'] as const,
      shared.appEnv === 'production' ? 'invite' : 'open',
    ),
    metricsPort: readInteger(environment, 'METRICS_PORT', null, { min: 0, max: 65_535 }),
    adminEmail: readEmail(environment, 'ADMIN_EMAIL', 'admin@localhost'),
    adminPassword: readPassword(environment, 'ADMIN_PASSWORD'),
    demo: readFlag(environment, 'DEMO', true),
    agentModels: readNames(environment, 'AGENT_MODELS'),
    llm: readLlm(environment),
    embeddings: readEmbeddings(environment),
    trustProxy: readAddresses(environment, 'TRUST_PROXY'),
  };
  if (billing === 'stripe' && config.stripeSecretKey === null) {
    throw new ConfigError('STRIPE_SECRET_KEY', 'is required with BILLING=stripe');
  }
  return config;
}

/** RFC 7065: `turn:host:port?transport=udp`. */
const TURN_URL = /^turns?:[\w.[\]:-]{1,255}(\?transport=(udp|tcp))?$/;

/** @throws {ConfigError} */
function readTurn(environment: Environment): TurnSettings | null {
  const list = readText(environment, 'TURN_URLS', null);
  const secret = readText(environment, 'TURN_SECRET', null);
  if (list === null && secret === null) return null;
  if (list === null || secret === null) {
    throw new ConfigError(
      list === null ? 'TURN_URLS' : 'TURN_SECRET',
      'is required, because the other one of both is set',
    );
  }
  const urls = list.split(',').map((url) => url.trim());
  const wrong = urls.find((url) => !TURN_URL.test(url));
  if (wrong !== undefined) throw new ConfigError('TURN_URLS', `"${wrong}" does not have the form turn:host:port`);
  return { urls, secret };
}

/** By the names that OpenTelemetry has for them in every program. */
function readTraces(environment: Environment): TraceSettings | null {
  const schemes = ['http', 'https'] as const;
  const base = readUrl(environment, 'OTEL_EXPORTER_OTLP_ENDPOINT', null, [...schemes]);
  const whole = readUrl(environment, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', null, [...schemes]);
  const url = whole ?? (base === null ? null : `${base}/v1/traces`);
  if (url === null) return null;
  return {
    url,
    headers: readHeaders(environment, 'OTEL_EXPORTER_OTLP_HEADERS'),
    serviceName: readText(environment, 'OTEL_SERVICE_NAME', 'voice-calls'),
    hasContent: readText(environment, 'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT', 'false') === 'true',
  };
}

/** `name=value,name=value`, the values encoded as in an address. */
function readHeaders(environment: Environment, name: string): Record<string, string> {
  const parts = (readText(environment, name, null) ?? '').split(',').filter((part) => part.trim() !== '');
  return Object.fromEntries(
    parts.map((part) => {
      const [key = '', ...value] = part.split('=');
      if (value.length === 0 || !/^[\w-]+$/.test(key.trim()))
        throw new ConfigError(name, 'must be name=value, separated by commas');
      return [key.trim().toLowerCase(), decodeURIComponent(value.join('=').trim())];
    }),
  );
}

/** Of SIP_HOST: every address of the machine, and this machine alone. */
const NO_PUBLIC_HOSTS = ['0.0.0.0', '::', '127.0.0.1', '::1'];

/** Where the installation's engines take calls, for trunks that are made at a carrier. */
function readSipAddress(environment: Environment): SipAddress {
  const edge = readText(environment, 'SIP_EDGE', null);
  const own = readText(environment, 'EXTERNAL_IP', null) ?? readText(environment, 'SIP_HOST', '127.0.0.1');
  const [host = own, edgePort] = edge === null ? [own] : edge.split(/:(?=\d+$)/);
  return {
    host: NO_PUBLIC_HOSTS.includes(host) ? null : host,
    port: edgePort === undefined ? readPort(environment, 'SIP_PORT', 5060) : Number(edgePort),
    tlsPort: edge === null ? readInteger(environment, 'SIP_TLS_PORT', null, { min: 0, max: 65_535 }) || null : null,
  };
}

/** A name or an id of a directory. */
const TENANT = /^[\w.-]{1,100}$/;

function readCalendarAccounts(environment: Environment): CalendarAccounts {
  const googleId = readText(environment, 'GOOGLE_CLIENT_ID', null);
  const clientSecret = readText(environment, 'GOOGLE_CLIENT_SECRET', null);
  if (googleId !== null && clientSecret === null)
    throw new ConfigError('GOOGLE_CLIENT_SECRET', 'is required with GOOGLE_CLIENT_ID');
  const microsoftId = readText(environment, 'MICROSOFT_CLIENT_ID', null);
  const tenant = readText(environment, 'MICROSOFT_TENANT', 'common');
  if (!TENANT.test(tenant)) throw new ConfigError('MICROSOFT_TENANT', `"${tenant}" is no name or id of a tenant`);
  return {
    google: googleId === null || clientSecret === null ? null : { clientId: googleId, clientSecret },
    microsoft: microsoftId === null ? null : { clientId: microsoftId, tenant },
    base: readOrigin(environment, 'CALENDAR_API_BASE'),
  };
}

/** Separated by commas; null: none is named. */
function readNames(environment: Environment, name: string): string[] | null {
  const text = readText(environment, name, null);
  const names = (text ?? '').split(',').map((each) => each.trim());
  return text === null ? null : names.filter((each) => each !== '');
}

function readJwtSecret(environment: Environment): string | null {
  const secret = readText(environment, 'JWT_SECRET', null);
  if (secret !== null && Buffer.byteLength(secret) < SECRET_BYTES_MIN) {
    throw new ConfigError(
      'JWT_SECRET',
      `needs at least ${SECRET_BYTES_MIN} bytes, it has ${Buffer.byteLength(secret)}`,
    );
  }
  return secret;
}

function readOrigin(environment: Environment, name: string): string | null {
  const text = readUrl(environment, name, null, ['http', 'https']);
  if (text === null) return null;
  const url = new URL(text);
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new ConfigError(name, `"${text}" must be an origin: scheme, host and port alone`);
  }
  return url.origin;
}

function readMailFrom(environment: Environment): string | null {
  const from = readText(environment, 'MAIL_FROM', null);
  if (from === null) return null;
  if (!/^(?:[^<>@\r\n]{0,200}<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(from))
    throw new ConfigError('MAIL_FROM', `"${from}" is neither an e-mail address nor "Name <address>"`);
  return from;
}

function readEmail(environment: Environment, name: string, fallback: string): string {
  const email = readText(environment, name, fallback).toLowerCase();
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new ConfigError(name, `"${email}" is not an e-mail address`);
  return email;
}

function readPassword(environment: Environment, name: string): string | null {
  const password = environment[name] ?? '';
  if (password === '') return null;
  if (password.length < 12 || password.length > 128) {
    throw new ConfigError(name, 'must be 12 to 128 characters long');
  }
  return password;
}

function readLlm(environment: Environment): LlmConfig {
  const apiKey = readText(environment, 'OPENAI_API_KEY', null);
  const baseUrl = readUrl(environment, 'OPENAI_BASE_URL', null, ['http', 'https']);
  const fallback = apiKey !== null || baseUrl !== null ? 'openai' : 'receptionist';
  // The API cannot use an operator's own dialogue model, which serves calls only: its helpers use their templates.
  if (readText(environment, 'LLM', '').startsWith('module:')) return { kind: 'receptionist' };
  const kind = readChoice(environment, 'LLM', ['openai', 'receptionist'] as const, fallback);
  if (kind === 'receptionist') return { kind };
  return { kind, apiKey, baseUrl, model: readText(environment, 'OPENAI_MODEL', null) };
}
