// A case in a run: its checks, the conversation as on the page of a call, and beside it the one of the run before where
// something else came of it.
import { useEffect, useState } from 'preact/hooks';
import type { TestResult } from '../../api-types.ts';
import { formatNumber } from '../../format.ts';
import { statusWord, TestStatus } from '../../tests/test-status.tsx';
import { Badge, Card, Notice } from '../../ui/layout.tsx';
import { t } from '../../words/words.ts';
import { Conversation } from './conversation.tsx';

export function ResultCard({ result, before }: { result: TestResult; before: TestResult | null }) {
  const { name, status, statusBefore, durationMs, error, checks, transcript } = result;
  const hasChanged = statusBefore !== null && statusBefore !== status && durationMs !== null;
  const isGood = status === 'PASSED' && !hasChanged;
  return (
    <Card
      title={name}
      actions={
        <>
          {hasChanged && <span class="small soft">{t('before: {status}', { status: statusWord(statusBefore) })}</span>}
          {durationMs !== null && <span class="small soft">{formatNumber(durationMs)} ms</span>}
          <TestStatus status={status} />
        </>
      }
    >
      {error !== null && <Notice tone="warn">{error}</Notice>}
      <Checks of={checks} />
      {transcript.length > 0 && (
        <Conversations result={result} before={before} isOpen={!isGood} hasChanged={hasChanged} />
      )}
    </Card>
  );
}

interface ConversationsProps {
  result: TestResult;
  before: TestResult | null;
  isOpen: boolean;
  hasChanged: boolean;
}

/** By voice both are there to be heard, whether or not something else came of it. */
function Conversations({ result, before, isOpen, hasChanged }: ConversationsProps) {
  const { name, kind } = result;
  const [isShown, setShown] = useState(isOpen);
  useEffect(() => {
    if (isOpen) setShown(true);
  }, [isOpen]);
  const earlier = (hasChanged || kind === 'simulation') && (before?.transcript.length ?? 0) > 0 ? before : null;
  return (
    <details open={isShown} onToggle={({ currentTarget }) => setShown(currentTarget.open)}>
      <summary>{kind === 'simulation' ? t('Listen, and read the conversation') : t('The conversation')}</summary>
      {/* Recordings are loaded once they are wanted. */}
      {isShown &&
        (earlier === null ? (
          <Conversation label={t('Conversation of {name}', { name })} result={result} />
        ) : (
          <div class="columns">
            <Conversation label={t('Now, of {name}', { name })} title={t('Now')} result={result} />
            <Conversation label={t('Before, of {name}', { name })} title={t('In the run before')} result={earlier} />
          </div>
        ))}
    </details>
  );
}

function Checks({ of: checks }: { of: TestResult['checks'] }) {
  if (checks.length === 0) return null;
  return (
    <ul class="test-checks" aria-label={t('Checks')}>
      {checks.map(({ turn, passed, expected, found, votes }, index) => (
        <li key={index}>
          <Badge tone={passed ? 'good' : 'bad'}>{passed ? t('Yes') : t('No')}</Badge>
          <span>
            {turn !== null && <span class="soft">{t('Turn {number}:', { number: turn + 1 })} </span>}
            {expected}
            {!passed && <span class="test-found">{t('Found: {text}', { text: found })}</span>}
            {votes !== undefined && passed && <span class="soft"> ({found})</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}
