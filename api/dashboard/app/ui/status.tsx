// Shown in place of an answer: loading, or an error with the service's text.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ApiError } from '../client.ts';
import type { Loaded } from '../use-api.ts';
import { t } from '../words/words.ts';
import { Button } from './button.tsx';
import { showFault } from './show-fault.ts';

export function Loading() {
  return (
    <div class="loading" role="status">
      <span>{t('Loading …')}</span>
    </div>
  );
}

/**
 * The service's text, the faults that no field of the form shows, and the request's id in the log. That of a form is
 * scrolled to and focused, or its first field at fault; that of a list, which can be asked again, is not.
 */
export function ErrorNotice({
  error,
  shown = [],
  onRetry,
  isQuiet = onRetry !== undefined,
}: {
  error: ApiError | null;
  /** Fields that show their own faults. */
  shown?: readonly string[];
  onRetry?: () => void;
  /** Nobody has sent anything that failed. */
  isQuiet?: boolean;
}) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error !== null && !isQuiet && notice.current !== null) showFault(notice.current);
  }, [error, isQuiet]);
  if (error === null) return null;
  const elsewhere = error.faults.filter(
    ({ field }) =>
      !shown.some((name) => field === name || field.startsWith(`${name}[`) || field.startsWith(`${name}.`)),
  );
  return (
    <div class="notice bad" role="alert" tabIndex={-1} ref={notice}>
      <strong>{error.message}</strong>
      {error.detail !== null && <span>{error.detail}</span>}
      {elsewhere.map(({ field, message }) => (
        <span key={field}>
          <code>{field}</code> {message}
        </span>
      ))}
      {error.requestId !== null && (
        <span class="small">
          {t('Request')} <code>{error.requestId}</code>
        </span>
      )}
      {onRetry && (
        <div>
          <Button isSmall onClick={onRetry}>
            {t('Try again')}
          </Button>
        </div>
      )}
    </div>
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
