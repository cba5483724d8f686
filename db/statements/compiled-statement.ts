// Hot statements: compiled once for each shape, then run with other parameters. Building and compiling a query with
// kysely costs 50-100 µs, running it on SQLite 5-15 µs; PostgreSQL parses and plans another 100-500 µs.
import { type Compilable, type CompiledQuery, type QueryExecutor, sql } from 'kysely';
import { type Dialect, dialectOf, type NamedQuery } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** One text per connection's adapter, because dialects differ; a transaction has the adapter of its connection. */
const byAdapter = new WeakMap<object, Map<unknown, NamedQuery>>();
/** Real shapes are few (filters × bounds × order); the bound limits a caller that generates them. */
const SHAPES_MAX = 500;

function compiledOnce(
  executor: QueryExecutor,
  shape: unknown,
  compile: (dialect: Dialect) => CompiledQuery,
): NamedQuery {
  const queries = byAdapter.get(executor.adapter) ?? new Map<unknown, NamedQuery>();
  byAdapter.set(executor.adapter, queries);
  const known = queries.get(shape);
  if (known !== undefined) return known;
  if (queries.size >= SHAPES_MAX) queries.clear();
  const dialect = dialectOf(executor);
  const query = dialect.kept(compile(dialect));
  queries.set(shape, query);
  return query;
}

/**
 * Runs the text of `build` for `shape`, with one `?` for each of `parameters`, without plugins: the fastest way to read
 * many rows. Columns keep the names in the text, so quote aliases: `started_at as "startedAt"`.
 */
export async function runText<R>(
  db: Db,
  shape: string,
  build: (dialect: Dialect) => string,
  parameters: readonly unknown[],
): Promise<R[]> {
  const executor = db.getExecutor().withoutPlugins();
  const query = compiledOnce(executor, shape, (dialect) => {
    // Each dialect has its own placeholders.
    const chunks = build(dialect)
      .split('?')
      .map((part, i) => (i === 0 ? sql.raw(part) : sql`${parameters[i - 1]}${sql.raw(part)}`));
    return sql`${sql.join(chunks, sql.raw(''))}`.compile({ getExecutor: () => executor });
  });
  const { rows } = await executor.executeQuery<R>({ ...query, parameters } as CompiledQuery<R>);
  return rows;
}

/** A placeholder for a parameter while the statement is built. */
class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Makes a function of `(db, parameters)` from a query whose values are taken from `parameters`. The query must have the
 * same shape for all parameters: nothing in `build` may look at their values.
 */
export function compiledStatement<P extends Record<string, string | number | null>, R = unknown>(
  build: (db: Db, parameters: P) => Compilable<R>,
): (db: Db, parameters: P) => Promise<R[]> {
  const slots = new Proxy({} as P, { get: (_, name) => new Slot(String(name)) });
  return async (db, parameters) => {
    const query = compiledOnce(db.getExecutor(), build, () => build(db, slots).compile() as CompiledQuery);
    const values = query.parameters.map((value) => (value instanceof Slot ? parameters[value.name] : value));
    const { rows } = await db.executeQuery<R>({ ...query, parameters: values } as CompiledQuery<R>);
    return rows;
  };
}
