// Shown in place of an answer: loading, or an error with the service's text.
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

/** The service's text, the faults that no field of the form shows, and the request's id in the log. */
export function ErrorNotice({
  error,
  shown = [],
  onRetry,
}: {
  error: ApiError | null;
  /** Fields that show their own faults. */
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

/** Shows the loaded answer; the old one stays visible while it is loaded again. */
export function Answer<T>({ of, children }: { of: Loaded<T>; children: (answer: T) => ComponentChildren }) {
  if (of.answer === null) return of.error === null ? <Loading /> : <ErrorNotice error={of.error} onRetry={of.reload} />;
  return (
    <>
      {of.error !== null && <ErrorNotice error={of.error} onRetry={of.reload} />}
      {children(of.answer)}
    </>
  );
}
