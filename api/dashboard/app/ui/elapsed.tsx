import { useEffect, useState } from 'preact/hooks';
import { formatDuration } from '../format.ts';

/** How long ago it began, counting on. */
export function Elapsed({ sinceMs }: { sinceMs: number }) {
  const [nowMs, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <span class="number">{formatDuration(Math.max(0, (nowMs - sinceMs) / 1_000))}</span>;
}
