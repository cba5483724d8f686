// A time as text, for tables and pages.
import { formatAgo, formatDateTime } from '../format.ts';

/** A time in the reader's zone; the exact one on hovering. No time is shown as `none`. */
export function Time({ at, none = '–', ago = false }: { at: string | null | undefined; none?: string; ago?: boolean }) {
  if (at === null || at === undefined) return <span class="soft">{none}</span>;
  return (
    <time dateTime={at} title={at}>
      {ago ? formatAgo(at) : formatDateTime(at)}
    </time>
  );
}
