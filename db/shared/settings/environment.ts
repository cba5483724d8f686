// Reads the environment for both processes: each variable has a name, a parser and a default; the error for a wrong
// value is one line that names the variable.

import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { messageOf } from '../../domain/unexpected.ts';
import { withoutTrailingSlashes } from '../net/base-url.ts';
import { APP_ENVS, type AppEnv } from '../process/app-env.ts';

export type Environment = Record<string, string | undefined>;

/** A wrong environment. The message names the variable; the process exits with 2. */
export class ConfigError extends Error {
  readonly variable: string;
  constructor(variable: string, message: string) {
    super(`${variable}: ${message}`);
    this.name = 'ConfigError';
    this.variable = variable;
  }
}

const present = (environment: Environment, name: string): string | undefined => {
  const value = environment[name]?.trim();
  return value === '' ? undefined : value;
};

/** The text, or the default. */
export function readText<D extends string | null>(environment: Environment, name: string, fallback: D): string | D {
  return present(environment, name) ?? fallback;
}

/** A whole number within [min, max]. */
export function readInteger<D extends number | null>(
  environment: Environment,
  name: string,
  fallback: D,
  { min, max }: { min: number; max: number },
): number | D {
  const text = present(environment, name);
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!/^-?\d+$/.test(text) || value < min || value > max) {
    throw new ConfigError(name, `"${text}" is not a whole number from ${min} to ${max}`);
  }
  return value;
}

export const readPort = (environment: Environment, name: string, fallback: number): number =>
  readInteger(environment, name, fallback, { min: 0, max: 65_535 });

/** `1` or `0`. */
export function readFlag(environment: Environment, name: string, fallback: boolean): boolean {
  const text = present(environment, name);
  if (text === undefined) return fallback;
  if (text === '1' || text === 'true') return true;
  if (text === '0' || text === 'false') return false;
  throw new ConfigError(name, `"${text}" is neither 1 nor 0`);
}

/** One of a few words. */
export function readChoice<C extends string>(
  environment: Environment,
  name: string,
  choices: readonly C[],
  fallback: C,
): C {
  const text = present(environment, name);
  if (text === undefined) return fallback;
  const found = choices.find((choice) => choice === text);
  if (found === undefined) throw new ConfigError(name, `"${text}" is none of ${choices.join(', ')}`);
  return found;
}

/** A URL of one of the schemes. */
export function readUrl<D extends string | null>(
  environment: Environment,
  name: string,
  fallback: D,
  schemes: readonly string[],
): string | D {
  const text = present(environment, name);
  if (text === undefined) return fallback;
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new ConfigError(name, `"${text}" is not a URL`);
  }
  if (!schemes.includes(url.protocol.slice(0, -1))) {
    throw new ConfigError(name, `"${text}" must begin with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`);
  }
  return withoutTrailingSlashes(text);
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Comma-separated addresses and CIDRs. @throws {ConfigError} */
export function readAddresses(environment: Environment, name: string): string[] {
  const list = readText(environment, name, '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  for (const entry of list) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address);
    const bitsMax = family === 4 ? 32 : 128;
    if (family === 0 || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax))) {
      throw new ConfigError(name, `"${entry}" is not an address or CIDR`);
    }
  }
  return list;
}

/** The settings of both processes. */
export interface SharedConfig {
  appEnv: AppEnv;
  dataDir: string;
  /** The path of a SQLite file, or DATABASE_URL. */
  database: string;
  /** For what a transaction pooler in front of PostgreSQL breaks: announcements, locks, migrations. */
  directDatabase: string;
  /** SEALING_KEY; null: the key is a file in DATA_DIR. */
  sealingKey: Buffer | null;
  recordingsDir: string;
  /** The object store of recordings and documents; null: they stay in DATA_DIR. */
  store: StoreSettings | null;
  logLevel: (typeof LOG_LEVELS)[number];
  /** Webhooks, web pages and tools may be at private addresses. */
  webhookAllowPrivate: boolean;
  /** Webhooks may go to this machine itself without TLS. */
  webhookAllowHttp: boolean;
}

/** An S3-compatible object store. */
export interface StoreSettings {
  /** Without a slash at the end. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Of every key; empty, or with a slash at the end. */
  prefix: string;
  /** ENDPOINT/BUCKET/KEY; else BUCKET.ENDPOINT/KEY. */
  isPathStyle: boolean;
}

/** Reads the shared variables and creates DATA_DIR. @throws {ConfigError} */
export function readSharedConfig(environment: Environment): SharedConfig {
  const dataDir = resolve(readText(environment, 'DATA_DIR', './data'));
  const recordingsDir = join(dataDir, 'recordings');
  const shared: SharedConfig = {
    appEnv: readChoice(environment, 'APP_ENV', APP_ENVS, 'development'),
    dataDir,
    ...readDatabase(environment, dataDir),
    recordingsDir,
    store: readStore(environment),
    logLevel: readChoice(environment, 'LOG_LEVEL', LOG_LEVELS, 'info'),
    webhookAllowPrivate: readFlag(environment, 'WEBHOOK_ALLOW_PRIVATE', false),
    webhookAllowHttp: readFlag(environment, 'WEBHOOK_ALLOW_HTTP', false),
  };
  if (shared.appEnv === 'production') {
    const isTestsOnly = 'must not be 1 with APP_ENV=production';
    if (shared.webhookAllowPrivate) throw new ConfigError('WEBHOOK_ALLOW_PRIVATE', isTestsOnly);
    if (shared.webhookAllowHttp) throw new ConfigError('WEBHOOK_ALLOW_HTTP', isTestsOnly);
  }
  // Files are readable by their owner only: the database's library would create the database with 0644.
  process.umask(0o077);
  try {
    makeFolder(recordingsDir);
    accessSync(dataDir, constants.W_OK);
    closeToOthers(dataDir, join(dataDir, 'voice.db'), recordingsDir);
  } catch (error) {
    throw new ConfigError('DATA_DIR', `${dataDir} cannot be created or written: ${messageOf(error)}`);
  }
  return shared;
}

const POSTGRES_SCHEMES = ['postgres', 'postgresql'];

function readDatabase(
  environment: Environment,
  dataDir: string,
): Pick<SharedConfig, 'database' | 'directDatabase' | 'sealingKey'> {
  const url = readUrl(environment, 'DATABASE_URL', null, POSTGRES_SCHEMES);
  const directUrl = readUrl(environment, 'DATABASE_DIRECT_URL', null, POSTGRES_SCHEMES);
  const sealingKey = readSealingKey(environment);
  if (url === null) {
    if (directUrl !== null) throw new ConfigError('DATABASE_DIRECT_URL', 'has a meaning only beside DATABASE_URL');
    const path = join(dataDir, 'voice.db');
    return { database: path, directDatabase: path, sealingKey };
  }
  // Other machines may use the database too, and a key that each generates for itself would open nothing of the others.
  for (const name of ['SEALING_KEY', 'JWT_SECRET']) {
    if (!environment[name]) throw new ConfigError(name, 'is required with DATABASE_URL: openssl rand -base64 32');
  }
  return { database: directUrl === null ? url : pooled(url), directDatabase: directUrl ?? url, sealingKey };
}

/** Marks the address of a pooler, whose connections keep nothing from one transaction to the next. */
const pooled = (url: string): string =>
  url.includes('pgbouncer=') ? url : `${url}${url.includes('?') ? '&' : '?'}pgbouncer=true`;

const STORE_VARIABLES = ['S3_BUCKET', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'S3_PREFIX'] as const;

function readStore(environment: Environment): StoreSettings | null {
  const endpoint = readUrl(environment, 'S3_ENDPOINT', null, ['http', 'https']);
  if (endpoint === null) {
    for (const name of [...STORE_VARIABLES, 'S3_PATH_STYLE']) {
      if (present(environment, name) !== undefined)
        throw new ConfigError(name, 'has a meaning only beside S3_ENDPOINT');
    }
    return null;
  }
  const { username, search, hash } = new URL(endpoint);
  if (username !== '' || search !== '' || hash !== '') {
    throw new ConfigError('S3_ENDPOINT', 'must be scheme, host and port; the key belongs into S3_ACCESS_KEY_ID');
  }
  const required = (name: (typeof STORE_VARIABLES)[number]): string => {
    const text = readText(environment, name, null);
    if (text === null) throw new ConfigError(name, 'is required with S3_ENDPOINT');
    return text;
  };
  const bucket = required('S3_BUCKET');
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw new ConfigError('S3_BUCKET', `"${bucket}" is not a bucket's name: small letters, digits, "-" and "."`);
  }
  const prefix = readText(environment, 'S3_PREFIX', '').replace(/^\/+|(?<!\/)\/+$/g, '');
  if (prefix !== '' && !/^\w[\w.-]*(\/\w[\w.-]*)*$/.test(prefix)) {
    throw new ConfigError('S3_PREFIX', `"${prefix}" has other characters than letters, digits, "_", "-", "." and "/"`);
  }
  return {
    endpoint,
    bucket,
    region: readText(environment, 'S3_REGION', 'us-east-1'),
    accessKeyId: required('S3_ACCESS_KEY_ID'),
    secretAccessKey: required('S3_SECRET_ACCESS_KEY'),
    prefix: prefix === '' ? '' : `${prefix}/`,
    isPathStyle: readFlag(environment, 'S3_PATH_STYLE', true),
  };
}

const SEALING_KEY_BYTES = 32;

function readSealingKey(environment: Environment): Buffer | null {
  const text = readText(environment, 'SEALING_KEY', null);
  if (text === null) return null;
  const key = Buffer.from(text, 'base64url');
  if (key.length < SEALING_KEY_BYTES) {
    throw new ConfigError(
      'SEALING_KEY',
      `must be ${SEALING_KEY_BYTES} random bytes in base64: openssl rand -base64 32`,
    );
  }
  return key;
}

/** Creates the folder and those above it, one by one: Node's own recursion never ends below /proc. */
function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // The other process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(path).isDirectory()) throw error;
  }
}

/** Existing files, created by hand or restored, may be readable by all. Another owner's files stay unchanged. */
function closeToOthers(...paths: readonly string[]): void {
  for (const path of paths) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined || found.uid !== process.getuid?.() || (found.mode & 0o077) === 0) continue;
    chmodSync(path, found.isDirectory() ? 0o700 : 0o600);
  }
}

/** Runs `read` and, on a ConfigError, ends the process with exit 2. The supervisor prints a message once. */
export function configOrExit<C>(read: () => C): C {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConfigError) exitForConfig(error);
    throw error;
  }
}

/** Ends the process with exit 2 and the error's line. */
export function exitForConfig(error: ConfigError): never {
  sendLastWords('config-error', error.message);
  process.exit(2);
}

/** Reports why this process ends: to the supervisor if there is one, otherwise on stderr. */
export function sendLastWords(type: 'config-error' | 'start-error', message: string): void {
  if (!process.send) {
    process.stderr.write(`${message}\n`);
    return;
  }
  process.send({ type, message });
  // Block until the message has reached the supervisor.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
}
