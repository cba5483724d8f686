// Loads all records of a list for a choice: its pages one after the other, up to a limit.
import { useEffect, useState } from 'preact/hooks';
import type { Operations, Pagination } from './api-types.ts';
import { type ApiError, call, type Input } from './client.ts';
import { faultOf, type Loaded } from './use-api.ts';

const PAGE_RECORDS = 100;
const PAGES_MAX = 20;

type ListOperation = {
  [K in keyof Operations]: Operations[K]['answer'] extends { data: unknown[]; pagination: Pagination } ? K : never;
}[keyof Operations];
type Item<K extends ListOperation> = Operations[K]['answer'] extends { data: Array<infer T> } ? T : never;

export function useAll<K extends ListOperation>(operation: K): Loaded<Array<Item<K>>> {
  const [answer, setAnswer] = useState<Array<Item<K>> | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [isLoading, setLoading] = useState(true);
  const [round, setRound] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    setLoading(true);
    readAll(operation, abort.signal).then(
      (items) => {
        if (abort.signal.aborted) return;
        setAnswer(items);
        setError(null);
        setLoading(false);
      },
      (fault: unknown) => {
        if (abort.signal.aborted) return;
        setError(faultOf(fault));
        setLoading(false);
      },
    );
    return () => abort.abort();
  }, [operation, round]);
  return { answer, error, isLoading, reload: () => setRound((count) => count + 1) };
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
