// Opens PostgreSQL as kysely. The library is loaded at the first connection: never in an installation on SQLite.
import { CamelCasePlugin, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import type { ClientConfig, Pool } from 'pg';
import type { OpenOptions } from '../open-options.ts';
import type { Db, Schema } from '../schema.ts';
import { PostgresDriver } from './driver.ts';

/** Connections of a handle. */
const POOL_MAX = 8;
const CONNECT_TIMEOUT_MS = 5_000;
/** A transaction that does nothing for so long is stuck, and everybody waits for it. */
const IDLE_IN_TRANSACTION_MS = 10_000;
/** Commits within this time are announced together. */
const ANNOUNCE_EVERY_MS = 10;

/** In an address: behind a pooler of transactions, each of which may have another connection. */
export const POOLED = 'pgbouncer=true';

/** The channel on which commits are announced. */
export const CHANGES_CHANNEL = 'voice_changes';

export const loadPg = async () => (await import('pg')).default;

/** Values as SQLite gives them: numbers, booleans as 0 and 1, everything else as text. */
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => (text === 't' ? 1 : 0),
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
export function openPostgres(url: string, { readonly = false }: OpenOptions = {}): Db {
  let pool: Pool | null = null;
  const options = [`-c idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION_MS}`];
  if (readonly) options.push('-c default_transaction_read_only=on');
  const openPool = async (): Promise<Pool> => {
    const { Pool } = await loadPg();
    pool = new Pool({
      connectionString: url,
      max: POOL_MAX,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      application_name: 'voice',
      options: options.join(' '),
      types: TYPES,
    });
    // A connection that is lost while nobody uses it: the pool opens another one.
    pool.on('error', () => undefined);
    return pool;
  };
  const announce = announcer(async (tables) => {
    await pool?.query('select pg_notify($1, $2)', [CHANGES_CHANNEL, [...tables].join(',')]);
  });
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () =>
        new PostgresDriver({ pool: openPool, readonly, keepsStatements: !url.includes(POOLED), onCommit: announce }),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    plugins: [new CamelCasePlugin()],
  });
}

/** Outside of the transactions: a NOTIFY within would make all commits of the installation wait for each other. */
function announcer(send: (tables: ReadonlySet<string>) => Promise<void>): (tables: ReadonlySet<string>) => void {
  let timer: NodeJS.Timeout | null = null;
  let waiting = new Set<string>();
  const announce = (tables: ReadonlySet<string>): void => {
    if (timer !== null) {
      for (const table of tables) waiting.add(table);
      return;
    }
    // Listeners also look every second, so an announcement may be lost.
    send(tables).catch(() => undefined);
    timer = setTimeout(() => {
      timer = null;
      if (waiting.size === 0) return;
      const next = waiting;
      waiting = new Set();
      announce(next);
    }, ANNOUNCE_EVERY_MS);
    timer.unref();
  };
  return announce;
}
