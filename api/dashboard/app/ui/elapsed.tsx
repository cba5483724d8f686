// A clock that counts up, for whatever is under way.
import { useEffect, useState } from 'preact/hooks';
import { formatDuration } from '../format.ts';

/** The running time since a start. */
export function Elapsed({ sinceMs }: { sinceMs: number }) {
  const [nowMs, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <span class="number">{formatDuration(Math.max(0, (nowMs - sinceMs) / 1_000))}</span>;
}
