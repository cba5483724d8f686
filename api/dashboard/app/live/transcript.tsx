// The transcript, one line a turn.
import { useEffect, useRef } from 'preact/hooks';
import { formatNumber, formatPosition } from '../format.ts';
import { t, words } from '../words/words.ts';
import type { LiveLine, SaidEntry } from './conversation.ts';

const NEAR_END_PX = 40;
const NAMES = { agent: words('Agent'), caller: words('Caller'), person: words('Person') };

export function Transcript({
  said,
  isLive = false,
  empty,
}: {
  said: ReadonlyArray<SaidEntry & Partial<Pick<LiveLine, 'isUnfinished'>>>;
  /** Screen readers announce new lines, and the list scrolls to its end. */
  isLive?: boolean;
  empty: string;
}) {
  const list = useRef<HTMLOListElement>(null);
  const newest = said.at(-1);
  const heightBefore = useRef(0);
  useEffect(() => {
    const { current } = list;
    if (!isLive || current === null) return;
    // A user who has scrolled back is reading: words come several times a second.
    if (current.scrollTop + current.clientHeight >= heightBefore.current - NEAR_END_PX)
      current.scrollTo({ top: current.scrollHeight });
    heightBefore.current = current.scrollHeight;
  }, [isLive, newest]);
  if (said.length === 0) return <p class="soft">{empty}</p>;
  return (
    <ol
      class="transcript"
      ref={list}
      aria-label={t('Transcript')}
      aria-live={isLive ? 'polite' : undefined}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
    >
      {said.map(({ speaker, text, timestamp, line, gapMs, isUnfinished = false }) => (
        // Screen readers announce the whole sentence, in a new line, and not each of its beginnings.
        <li
          key={`${speaker} ${line ?? ''} ${timestamp} ${isUnfinished}`}
          class={isUnfinished ? `${speaker} unfinished` : speaker}
          aria-hidden={isUnfinished || undefined}
        >
          <span class="small soft number">{formatPosition(timestamp)}</span>
          <span>
            <strong>{t(NAMES[speaker])}</strong>
            {line === 'person' && <span class="small soft"> {t('(the caller does not hear it)')}</span>} {text}{' '}
            {gapMs !== null && (
              <span class="small soft nowrap number">{t('after {ms} ms', { ms: formatNumber(gapMs) })}</span>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}
