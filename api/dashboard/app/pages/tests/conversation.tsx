// The conversation of a case in a run, as on the page of a call: with the recording of a simulation, whose lines follow
// the player and can be played.
import { useState } from 'preact/hooks';
import type { TestLine, TestResult } from '../../api-types.ts';
import { Player } from '../../calls/player.ts';
import { RecordingPlayer } from '../../calls/recording-player.tsx';
import { formatPosition } from '../../format.ts';
import { Badge } from '../../ui/layout.tsx';
import { Answer } from '../../ui/status.tsx';
import { useApi } from '../../use-api.ts';
import { t, words } from '../../words/words.ts';

interface ConversationProps {
  label: string;
  title?: string;
  result: Pick<TestResult, 'id' | 'transcript' | 'hasRecording'>;
}

export function Conversation({ label, title, result: { id, transcript, hasRecording } }: ConversationProps) {
  const [player] = useState(() => new Player());
  return (
    <div class="stack tight">
      {title !== undefined && <h3>{title}</h3>}
      {hasRecording && <Recorded resultId={id} player={player} />}
      <Lines label={label} lines={transcript} player={hasRecording ? player : null} />
    </div>
  );
}

function Recorded({ resultId, player }: { resultId: string; player: Player }) {
  const recording = useApi('getTestRecording', { params: { id: resultId } });
  return (
    <Answer of={recording}>
      {(blob) => (
        <div class="stack tight">
          <RecordingPlayer recording={blob} player={player} name={resultId} />
        </div>
      )}
    </Answer>
  );
}

const NAMES = { agent: words('Agent'), caller: words('Caller'), tool: words('Tool'), note: words('Note') };

interface LinesProps {
  label: string;
  lines: readonly TestLine[];
  /** Null: nothing was recorded. */
  player: Player | null;
}

function Lines({ label, lines, player }: LinesProps) {
  const atMs = (player?.atSeconds.value ?? 0) * 1_000;
  const current = atMs === 0 ? -1 : lines.findLastIndex((line) => line.atMs !== undefined && line.atMs <= atMs);
  return (
    <ol class="transcript test-lines" aria-label={label}>
      {lines.map((line, index) => (
        <li
          key={index}
          class={`${line.role} ${index === current ? 'current' : ''}`}
          aria-current={index === current ? 'true' : undefined}
        >
          {player === null || line.atMs === undefined ? (
            <>
              <strong>{t(NAMES[line.role])}</strong>
              <Words of={line} />
            </>
          ) : (
            <Playable line={line} atMs={line.atMs} player={player} />
          )}
        </li>
      ))}
    </ol>
  );
}

function Playable({ line, atMs, player }: { line: TestLine; atMs: number; player: Player }) {
  return (
    <button
      type="button"
      class="transcript-line"
      disabled={!player.isReady.value}
      onClick={() => player.playFrom(atMs)}
    >
      <span class="small soft number">{formatPosition(atMs)}</span>
      <span>
        <strong>{t(NAMES[line.role])}</strong> <Words of={line} />
      </span>
    </button>
  );
}

const Words = ({ of: line }: { of: TestLine }) => (
  <span>
    {line.role === 'tool' ? <Ran line={line} /> : line.text}
    {line.hint !== undefined && <span class="test-found">{t('Formerly: {text}', { text: line.hint })}</span>}
  </span>
);

function Ran({ line: { name = '', arguments: given, result, ok } }: { line: TestLine }) {
  return (
    <>
      <code>
        {name}({JSON.stringify(given ?? {})})
      </code>{' '}
      <Badge tone={ok === true ? 'good' : 'warn'}>{ok === true ? t('Answered') : t('Refused')}</Badge>
      <span class="test-found">
        <code>{JSON.stringify(result ?? null)}</code>
      </span>
    </>
  );
}
