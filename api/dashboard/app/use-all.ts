// Loads all records of a list for a choice: its pages one after the other, up to a limit.
import type { Operations } from './api-operations.ts';
import type { Pagination } from './api-types.ts';
import { call, type Input } from './client.ts';
import { type Loaded, useLoaded } from './use-api.ts';

const PAGE_RECORDS = 100;
const PAGES_MAX = 20;

type ListOperation = {
  [K in keyof Operations]: Operations[K]['answer'] extends { data: unknown[]; pagination: Pagination } ? K : never;
}[keyof Operations];
type Item<K extends ListOperation> = Operations[K]['answer'] extends { data: Array<infer T> } ? T : never;

export function useAll<K extends ListOperation>(operation: K): Loaded<Array<Item<K>>> {
  return useLoaded((signal) => readAll(operation, signal), operation);
}

async function readAll<K extends ListOperation>(operation: K, signal: AbortSignal): Promise<Array<Item<K>>> {
  const items: Array<Item<K>> = [];
  for (let page = 1; page <= PAGES_MAX; page++) {
    const input = { query: { page, limit: PAGE_RECORDS } } as Input<K>;
    // TypeScript does not apply the constraint of ListOperation to an indexed type.
    const answer: unknown = await call(operation, input, { signal });
    const { data, pagination } = answer as { data: Array<Item<K>>; pagination: Pagination };
    items.push(...data);
    if (!pagination.hasNext) break;
  }
  return items;
}
