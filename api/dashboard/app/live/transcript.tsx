// The transcript, one line a turn.
import { useEffect, useRef } from 'preact/hooks';
import { formatNumber, formatPosition } from '../format.ts';
import type { SaidEntry } from './conversation.ts';

const NAMES = { agent: 'Agent', caller: 'Caller' };

export function Transcript({
  said,
  isLive = false,
  empty,
}: {
  said: readonly SaidEntry[];
  /** Screen readers announce new lines, and the list scrolls to its end. */
  isLive?: boolean;
  empty: string;
}) {
  const list = useRef<HTMLOListElement>(null);
  const newest = said.at(-1);
  useEffect(() => {
    if (isLive) list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [isLive, newest]);
  if (said.length === 0) return <p class="soft">{empty}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <ol class="transcript" ref={list} aria-label="Transcript" aria-live={isLive ? 'polite' : undefined} tabIndex={0}>
      {said.map(({ speaker, text, timestamp, gapMs }) => (
        <li key={`${speaker} ${timestamp}`} class={speaker}>
          <span class="small soft number">{formatPosition(timestamp)}</span>
          <span>
            <strong>{NAMES[speaker]}</strong> {text}{' '}
            {gapMs !== null && <span class="small soft nowrap number">after {formatNumber(gapMs)} ms</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}
