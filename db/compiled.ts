// Hot statements: written as SQL text that both databases read, compiled once for each handle and shape, and read without
// plugins. Building and compiling a query with kysely costs more than SQLite needs to answer it.
import { type CompiledQuery, sql } from 'kysely';
import type { Db } from './sqlite.ts';

const byHandle = new WeakMap<Db, { plain: Db; queries: Map<string, CompiledQuery> }>();
/** Shapes are few (filters × bounds × order); past this something makes them up. */
const SHAPES_MAX = 500;

/**
 * Runs the text that `build` gives for `shape`, with one `?` for each of `parameters`; each dialect gets its own
 * placeholders. Columns keep the names that the text gives them, so quote aliases: `started_at as "startedAt"`.
 */
export async function runCompiled<R>(
  db: Db,
  shape: string,
  build: () => string,
  parameters: readonly unknown[],
): Promise<R[]> {
  let handle = byHandle.get(db);
  if (handle === undefined) {
    handle = { plain: db.withoutPlugins(), queries: new Map() };
    byHandle.set(db, handle);
  }
  let compiled = handle.queries.get(shape);
  if (compiled === undefined) {
    if (handle.queries.size >= SHAPES_MAX) handle.queries.clear();
    const chunks = build()
      .split('?')
      .map((part, i) => (i === 0 ? sql.raw(part) : sql`${parameters[i - 1]}${sql.raw(part)}`));
    compiled = sql`${sql.join(chunks, sql.raw(''))}`.compile(handle.plain);
    handle.queries.set(shape, compiled);
  }
  const result = await handle.plain.executeQuery<R>({ ...compiled, parameters } as CompiledQuery<R>);
  return result.rows;
}
