// Opens PostgreSQL as kysely. The library is loaded at the first connection: never in an installation on SQLite.

import { CamelCasePlugin, Kysely, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import type { ClientConfig, Pool } from 'pg';
import { MINUTE_MS } from '../domain/hours/durations.ts';
import type { OpenOptions } from '../open-options.ts';
import type { Db, Schema } from '../schema.ts';
import { announcer, payloadsOf } from './announcements.ts';
import { PostgresDialectAdapter } from './dialect.ts';
import { LOCK_WAIT_MS, PostgresDriver } from './driver.ts';

/** Connections of a handle. */
const POOL_MAX = 8;
const CONNECT_TIMEOUT_MS = 5_000;
/**
 * A transaction that does nothing for so long is stuck, or its machine is gone, and everybody waits for it: it ends
 * before the first of them gives up.
 */
const IDLE_IN_TRANSACTION_MS = LOCK_WAIT_MS - 1_000;
/** A connection that nobody uses is kept: a new one costs as much as a call, and plans all its statements again. */
const IDLE_CONNECTION_MS = 5 * MINUTE_MS;

const NOTIFY = {
  text: 'select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) as told (channel, payload)',
};

/** In an address: behind a pooler of transactions, each of which may have another connection. */
const POOLED = 'pgbouncer=true';

export const loadPg = async () => (await import('pg')).default;

/** Values as SQLite gives them: numbers, booleans as 0 and 1, bytes, everything else as text. */
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => (text === 't' ? 1 : 0),
  // As `bytea_output = hex`, the default, has it.
  17: (text) => Buffer.from(text.slice(2), 'hex'),
  20: Number,
  21: Number,
  23: Number,
  700: Number,
  701: Number,
  1700: Number,
};
const asText = (text: string): unknown => text;
export const TYPES = {
  getTypeParser: (oid: number) => PARSERS[oid] ?? asText,
} as unknown as NonNullable<ClientConfig['types']>;

/** `url` is `postgres://…`. Nothing is connected before the first query. */
export function openPostgres(url: string, { readonly = false, keepsPlans = false }: OpenOptions = {}): Db {
  // Compiling a statement costs more than any of ours takes.
  const settings = [`idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION_MS}`, 'jit=off'];
  if (readonly) settings.push('default_transaction_read_only=on');
  else settings.push(`lock_timeout=${LOCK_WAIT_MS}`);
  if (keepsPlans) settings.push('plan_cache_mode=force_generic_plan');
  const open = async (max: number, more: readonly string[]): Promise<Pool> => {
    const { Pool } = await loadPg();
    const pool = new Pool({
      connectionString: url,
      max,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      idleTimeoutMillis: IDLE_CONNECTION_MS,
      // A statement that follows without waiting, as a transaction's first one does, goes out with the one before it.
      pipeline: true,
      application_name: 'voice',
      options: [...settings, ...more].map((setting) => `-c ${setting}`).join(' '),
      types: TYPES,
    });
    // A connection that is lost while nobody uses it: the pool opens another one.
    pool.on('error', () => undefined);
    return pool;
  };
  const keepsStatements = !url.includes(POOLED);
  let isClosed = false;
  // An announcement waits for no disk, nor for a connection that writes.
  let speaking: Promise<Pool> | null = null;
  const announce = announcer(async (topics) => {
    if (isClosed) return;
    speaking ??= open(1, ['synchronous_commit=off']);
    const payloads = payloadsOf(topics);
    const values = [[...payloads.keys()], [...payloads.values()]];
    await (await speaking).query({ ...NOTIFY, values, ...(keepsStatements ? { name: 'notify' } : {}) });
  });
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresDialectAdapter(),
      createDriver: () =>
        new PostgresDriver({
          pool: () => open(POOL_MAX, []),
          readonly,
          keepsStatements,
          keepsPlans,
          onCommit: announce,
          async onClose() {
            isClosed = true;
            await (await speaking)?.end();
          },
        }),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    plugins: [new CamelCasePlugin()],
  });
}
