// A case in a run: its checks, the conversation as on the page of a call, and beside it the one of the run before where
// something else came of it.
import type { TestLine, TestResult } from '../../api-types.ts';
import { formatNumber } from '../../format.ts';
import { statusWord, TestStatus } from '../../tests/test-status.tsx';
import { Badge, Card, Notice } from '../../ui/layout.tsx';

export function ResultCard({ result, before }: { result: TestResult; before: TestResult | null }) {
  const { name, status, statusBefore, durationMs, error, checks, transcript } = result;
  const hasChanged = statusBefore !== null && statusBefore !== status && durationMs !== null;
  const isGood = status === 'PASSED' && !hasChanged;
  return (
    <Card
      title={name}
      actions={
        <>
          {hasChanged && <span class="small soft">before: {statusWord(statusBefore)}</span>}
          {durationMs !== null && <span class="small soft">{formatNumber(durationMs)} ms</span>}
          <TestStatus status={status} />
        </>
      }
    >
      {error !== null && <Notice tone="warn">{error}</Notice>}
      <Checks of={checks} />
      {transcript.length > 0 && (
        <details open={!isGood}>
          <summary>The conversation</summary>
          {hasChanged && before !== null && before.transcript.length > 0 ? (
            <div class="columns">
              <Conversation label={`Now, of ${name}`} title="Now" lines={transcript} />
              <Conversation label={`Before, of ${name}`} title="In the run before" lines={before.transcript} />
            </div>
          ) : (
            <Conversation label={`Conversation of ${name}`} lines={transcript} />
          )}
        </details>
      )}
    </Card>
  );
}

function Checks({ of: checks }: { of: TestResult['checks'] }) {
  if (checks.length === 0) return null;
  return (
    <ul class="test-checks" aria-label="Checks">
      {checks.map(({ turn, passed, expected, found, votes }, index) => (
        <li key={index}>
          <Badge tone={passed ? 'good' : 'bad'}>{passed ? 'Yes' : 'No'}</Badge>
          <span>
            {turn !== null && <span class="soft">Turn {turn + 1}: </span>}
            {expected}
            {!passed && <span class="test-found">Found: {found}</span>}
            {votes !== undefined && passed && <span class="soft"> ({found})</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}

const NAMES = { agent: 'Agent', caller: 'Caller', tool: 'Tool', note: 'Note' };

function Conversation({ label, title, lines }: { label: string; title?: string; lines: readonly TestLine[] }) {
  return (
    <div class="stack tight">
      {title !== undefined && <h3>{title}</h3>}
      <ol class="transcript test-lines" aria-label={label}>
        {lines.map((line, index) => (
          <li key={index} class={line.role}>
            <strong>{NAMES[line.role]}</strong>
            <span>
              {line.role === 'tool' ? <Ran line={line} /> : line.text}
              {line.hint !== undefined && <span class="test-found">Formerly: {line.hint}</span>}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Ran({ line: { name = '', arguments: given, result, ok } }: { line: TestLine }) {
  return (
    <>
      <code>
        {name}({JSON.stringify(given ?? {})})
      </code>{' '}
      <Badge tone={ok === true ? 'good' : 'warn'}>{ok === true ? 'Answered' : 'Refused'}</Badge>
      <span class="test-found">
        <code>{JSON.stringify(result ?? null)}</code>
      </span>
    </>
  );
}
