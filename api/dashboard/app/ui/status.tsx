// What stands in for an answer: still loading, or an error with what the service said of it.
import type { ComponentChildren } from 'preact';
import type { ApiError } from '../client.ts';
import type { Loaded } from '../use-api.ts';
import { Button } from './button.tsx';
import { Notice } from './layout.tsx';

export function Loading() {
  return (
    <div class="loading" role="status">
      <span>Loading …</span>
    </div>
  );
}

/** The service's words, the faults that no field of the form shows, and the id by which the log knows the request. */
export function ErrorNotice({
  error,
  shown = [],
  onRetry,
}: {
  error: ApiError | null;
  /** Fields that show their faults themselves. */
  shown?: readonly string[];
  onRetry?: () => void;
}) {
  if (error === null) return null;
  const elsewhere = error.faults.filter(
    ({ field }) =>
      !shown.some((name) => field === name || field.startsWith(`${name}[`) || field.startsWith(`${name}.`)),
  );
  return (
    <Notice tone="bad">
      <strong>{error.message}</strong>
      {elsewhere.map(({ field, message }) => (
        <span key={field}>
          <code>{field}</code> {message}
        </span>
      ))}
      {error.requestId !== null && (
        <span class="small">
          Request <code>{error.requestId}</code>
        </span>
      )}
      {onRetry && (
        <div>
          <Button isSmall onClick={onRetry}>
            Try again
          </Button>
        </div>
      )}
    </Notice>
  );
}

/** Shows the answer once it is there; what is shown stays while it is loaded again. */
export function Answer<T>({ of, children }: { of: Loaded<T>; children: (answer: T) => ComponentChildren }) {
  if (of.answer === null) return of.error === null ? <Loading /> : <ErrorNotice error={of.error} onRetry={of.reload} />;
  return (
    <>
      {of.error !== null && <ErrorNotice error={of.error} onRetry={of.reload} />}
      {children(of.answer)}
    </>
  );
}
