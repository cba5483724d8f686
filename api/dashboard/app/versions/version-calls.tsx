// A version's calls in figures, each with how sure it is.
import type { VersionCalls } from '../api-types.ts';
import { formatNumber } from '../format.ts';

/** Under so many calls a share says nothing. */
const ENOUGH = 10;

export function LedCalls({ calls }: { calls: VersionCalls }) {
  const { answered, transferred, failed, leftEarly, responseGapMs } = calls;
  if (answered === 0) return <span class="soft">none</span>;
  return (
    <div class="changes">
      <span>{answered === 1 ? '1 answered' : `${formatNumber(answered)} answered`}</span>
      {responseGapMs !== null && (
        <span>
          answers after {seconds(responseGapMs.median)}{' '}
          <span class="soft">
            ({seconds(responseGapMs.low)} to {seconds(responseGapMs.high)})
          </span>
        </span>
      )}
      {answered >= ENOUGH && (
        <>
          <Share of={transferred} text="put through to a person" />
          <Share of={leftEarly} text="hung up within 20 s" />
          <Share of={failed} text="failed" />
        </>
      )}
    </div>
  );
}

function Share({ of: { share, low, high }, text }: { of: VersionCalls['failed']; text: string }) {
  return (
    <span>
      {percent(share)} {text}{' '}
      <span class="soft">
        ({percent(low)} to {percent(high)})
      </span>
    </span>
  );
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;
const seconds = (ms: number): string => `${formatNumber(Math.round(ms / 10) / 100)} s`;
