// The service's answer as state of a component: loaded at once, again when the input changes, and every `everyMs` while
// the page is visible. The old answer stays until the next one has arrived, so that the page does not jump.

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../../../db/domain/unexpected.ts';
import type { Operations } from './api-operations.ts';
import { ApiError, call, type Input } from './client.ts';

export interface Loaded<T> {
  answer: T | null;
  error: ApiError | null;
  isLoading: boolean;
  reload: () => void;
}

/**
 * The result of `load`: at once, when `key` has changed, and after `reload`; nothing while `key` is null. The answer
 * for another `subject` is not shown meanwhile.
 */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T>,
  key: string | null,
  subject: string | null = null,
): Loaded<T> {
  const [answer, setAnswer] = useState<T | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [isLoading, setLoading] = useState(true);
  const [round, setRound] = useState(0);
  const shown = useRef<string | null>(null);

  useEffect(() => {
    if (key === null) return;
    const abort = new AbortController();
    if (shown.current !== subject) {
      setAnswer(null);
      shown.current = subject;
    }
    setLoading(true);
    load(abort.signal).then(
      (next) => {
        if (abort.signal.aborted) return;
        setAnswer(() => next);
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
  }, [key, subject, round]);

  const reload = useCallback(() => setRound((count) => count + 1), []);
  return { answer, error, isLoading, reload };
}

export function useApi<K extends keyof Operations>(
  operation: K,
  input: Input<K> | null,
  { everyMs }: { everyMs?: number } = {},
): Loaded<Operations[K]['answer']> {
  const loaded = useLoaded(
    (signal) => call(operation, input as Input<K>, { signal }),
    input === null ? null : JSON.stringify([operation, input]),
    // The record of another id must not be shown under the new heading; another page of a list may be.
    input === null ? null : JSON.stringify(input.params ?? null),
  );
  useRenewal(loaded.reload, everyMs);
  return loaded;
}

/** Loads again every so often while the page is visible. */
export function useRenewal(reload: () => void, everyMs: number | undefined): void {
  useEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(() => {
      if (!document.hidden) reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs, reload]);
}

export const faultOf = (fault: unknown): ApiError =>
  fault instanceof ApiError ? fault : new ApiError(0, 'UNKNOWN', messageOf(fault), [], null);
