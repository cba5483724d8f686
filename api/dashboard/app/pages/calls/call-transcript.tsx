// The transcript beside the recording: the playing line is marked, each line can be played, each answer says how long
// it took, and a person says what was wrong with a line.
import { type ReadonlySignal, useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { Call, TranscriptEntry } from '../../api-types.ts';
import { answersOf } from '../../calls/answers.ts';
import type { TurnTiming } from '../../calls/moments.ts';
import type { Player } from '../../calls/player.ts';
import { problemWords } from '../../calls/words.ts';
import { formatPosition } from '../../format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Badge, Card } from '../../ui/layout.tsx';
import { t, words } from '../../words/words.ts';
import { GapChip, GapSplit, type ShownSplit } from './gap-chip.tsx';
import { ProblemDialog } from './problem-dialog.tsx';

const NAMES = { agent: words('Agent'), caller: words('Caller'), person: words('Person') };
/** More lines are laid out only when they come into sight. */
const LONG_LINES = 200;

type Problem = NonNullable<Call['problems']>[number];

export function CallTranscript({ call, player, reload }: { call: Call; player: Player; reload: () => void }) {
  const { transcript } = call;
  const list = useRef<HTMLOListElement>(null);
  const shown: ShownSplit = useSignal(null);
  const [marked, setMarked] = useState<TranscriptEntry | null>(null);
  const answers = useMemo(() => answersOf(transcript, call.latency?.timeline ?? []), [transcript, call.latency]);
  const problems = new Map(call.problems?.map((problem) => [problem.timestamp, problem]));
  const current = useComputed(() => {
    const atMs = player.atSeconds.value * 1_000;
    return atMs === 0 ? -1 : transcript.findLastIndex(({ timestamp }) => timestamp <= atMs);
  });
  useSignalEffect(() => {
    const line = list.current?.children[current.value];
    // Only the list scrolls, not the page.
    if (player.isPlaying.value && list.current !== null && line instanceof HTMLElement) {
      list.current.scrollTo({ top: line.offsetTop - list.current.offsetTop - list.current.clientHeight / 3 });
    }
  });
  return (
    <Card title={t('Transcript')} actions={transcript.length > 0 && <Keys />}>
      {transcript.length === 0 ? (
        <p class="soft">{t('Nothing was said, or it has been erased.')}</p>
      ) : (
        <ol
          class={`transcript ${transcript.length > LONG_LINES ? 'long' : ''}`}
          ref={list}
          aria-label={t('Transcript')}
          onScroll={() => {
            shown.value = null;
          }}
        >
          {transcript.map((entry, index) => (
            <Line
              key={`${entry.speaker} ${entry.line ?? ''} ${entry.timestamp}`}
              entry={entry}
              index={index}
              current={current}
              player={player}
              turn={answers.get(index)}
              shown={shown}
              problem={problems.get(entry.timestamp)}
              onMark={call.erasedAt === null ? setMarked : null}
            />
          ))}
        </ol>
      )}
      <GapSplit shown={shown} />
      {marked !== null && (
        <ProblemDialog
          callId={call.id}
          line={marked}
          problem={problems.get(marked.timestamp)}
          onSaved={reload}
          onClose={() => setMarked(null)}
        />
      )}
    </Card>
  );
}

const Keys = () => (
  <span class="small soft keys">
    <kbd>{t('Space')}</kbd> {t('plays')}, <kbd>←</kbd> <kbd>→</kbd> 5 s, <kbd>J</kbd> <kbd>K</kbd> {t('lines')}
  </span>
);

interface LineProps {
  entry: TranscriptEntry;
  index: number;
  current: ReadonlySignal<number>;
  player: Player;
  turn: TurnTiming | undefined;
  shown: ShownSplit;
  problem: Problem | undefined;
  onMark: ((entry: TranscriptEntry) => void) | null;
}

function Line({ entry, index, current, player, turn, shown, problem, onMark }: LineProps) {
  const { speaker, text, timestamp, line } = entry;
  // Of thousands of lines, two are drawn again when another one plays.
  const isCurrent = useComputed(() => current.value === index).value;
  return (
    <li class={`${speaker} ${isCurrent ? 'current' : ''}`} aria-current={isCurrent ? 'true' : undefined}>
      <button
        type="button"
        class="transcript-line"
        disabled={!player.isReady.value}
        onClick={() => player.playFrom(timestamp)}
      >
        <span class="small soft number">{formatPosition(timestamp)}</span>
        <span>
          <strong>{t(NAMES[speaker])}</strong>
          {line === 'person' && <span class="small soft"> {t('(the caller does not hear it)')}</span>} {text}
        </span>
      </button>
      {turn !== undefined && <GapChip turn={turn} shown={shown} />}
      {onMark !== null && (
        <button
          type="button"
          class={`mark-line ${problem === undefined ? '' : 'marked'}`}
          aria-label={t('What was wrong at {position}', { position: formatPosition(timestamp) })}
          title={t('What was wrong?')}
          onClick={() => onMark(entry)}
        >
          <Icon name="flag" />
        </button>
      )}
      {problem !== undefined && (
        <p class="line-problem small">
          <Badge tone="warn">{problemWords(problem.kind)}</Badge> {problem.note}
        </p>
      )}
    </li>
  );
}
