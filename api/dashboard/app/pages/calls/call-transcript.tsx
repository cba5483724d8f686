// The transcript beside the recording: the playing line is marked, and each line can be played.
import { useEffect, useRef } from 'preact/hooks';
import type { TranscriptEntry } from '../../api-types.ts';
import type { Player } from '../../calls/player.ts';
import { formatPosition } from '../../format.ts';
import { Card } from '../../ui/layout.tsx';

const NAMES = { agent: 'Agent', caller: 'Caller', person: 'Person' };

export function CallTranscript({ transcript, player }: { transcript: readonly TranscriptEntry[]; player: Player }) {
  const list = useRef<HTMLOListElement>(null);
  const atMs = player.atSeconds.value * 1_000;
  const isPlaying = player.isPlaying.value;
  const isReady = player.isReady.value;
  const current = atMs === 0 ? -1 : transcript.findLastIndex(({ timestamp }) => timestamp <= atMs);
  useEffect(() => {
    const line = list.current?.children[current];
    // Only the list scrolls, not the page.
    if (isPlaying && list.current !== null && line instanceof HTMLElement) {
      list.current.scrollTo({ top: line.offsetTop - list.current.offsetTop - list.current.clientHeight / 3 });
    }
  }, [current, isPlaying]);
  return (
    <Card title="Transcript">
      {transcript.length === 0 ? (
        <p class="soft">Nothing was said, or it has been erased.</p>
      ) : (
        <ol class="transcript" ref={list} aria-label="Transcript">
          {transcript.map(({ speaker, text, timestamp }, index) => (
            <li
              key={`${speaker} ${timestamp}`}
              class={`${speaker} ${index === current ? 'current' : ''}`}
              aria-current={index === current ? 'true' : undefined}
            >
              <button
                type="button"
                class="transcript-line"
                disabled={!isReady}
                onClick={() => player.playFrom(timestamp)}
              >
                <span class="small soft number">{formatPosition(timestamp)}</span>
                <span>
                  <strong>{NAMES[speaker]}</strong> {text}
                </span>
              </button>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}
