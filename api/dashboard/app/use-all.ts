// Loads all records of a list for a choice: its pages one after the other, up to a limit.
import type { Operations } from './api-operations.ts';
import type { Pagination } from './api-types.ts';
import { call, type Input } from './client.ts';
import { type Loaded, useLoaded, useRenewal } from './use-api.ts';

const PAGE_RECORDS = 100;
const PAGES_MAX = 20;

type ListOperation = {
  [K in keyof Operations]: Operations[K]['answer'] extends { data: unknown[]; pagination: Pagination } ? K : never;
}[keyof Operations];
type Item<K extends ListOperation> = Operations[K]['answer'] extends { data: Array<infer T> } ? T : never;

type Query<K extends ListOperation> = Omit<NonNullable<Operations[K]['query']>, 'page' | 'limit'>;

/** @param query null: nothing is loaded */
export function useAll<K extends ListOperation>(
  operation: K,
  query: Query<K> | Record<never, never> | null = {},
  { everyMs }: { everyMs?: number } = {},
): Loaded<Array<Item<K>>> {
  const loaded = useLoaded(
    (signal) => readAll(operation, query ?? {}, signal),
    query === null ? null : JSON.stringify([operation, query]),
  );
  useRenewal(loaded.reload, everyMs);
  return loaded;
}

async function readAll<K extends ListOperation>(
  operation: K,
  query: object,
  signal: AbortSignal,
): Promise<Array<Item<K>>> {
  const items: Array<Item<K>> = [];
  for (let page = 1; page <= PAGES_MAX; page++) {
    const input = { query: { ...query, page, limit: PAGE_RECORDS } } as Input<K>;
    // TypeScript does not apply the constraint of ListOperation to an indexed type.
    const answer: unknown = await call(operation, input, { signal });
    const { data, pagination } = answer as { data: Array<Item<K>>; pagination: Pagination };
    items.push(...data);
    if (!pagination.hasNext) break;
  }
  return items;
}
