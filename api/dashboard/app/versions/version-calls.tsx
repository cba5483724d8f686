// A version's calls in figures, each with how sure it is.
import type { VersionCalls } from '../api-types.ts';
import { formatNumber } from '../format.ts';
import { t } from '../words/words.ts';

/** Under so many calls a share says nothing. */
const ENOUGH = 10;

export function LedCalls({ calls }: { calls: VersionCalls }) {
  const { answered, transferred, failed, leftEarly, responseGapMs } = calls;
  if (answered === 0) return <span class="soft">{t('none')}</span>;
  return (
    <div class="changes">
      <span>{t('{count} answered', { count: formatNumber(answered) })}</span>
      {responseGapMs !== null && (
        <span>
          {t('answers after {time}', { time: seconds(responseGapMs.median) })}{' '}
          <span class="soft">
            {t('({low} to {high})', { low: seconds(responseGapMs.low), high: seconds(responseGapMs.high) })}
          </span>
        </span>
      )}
      {answered >= ENOUGH && (
        <>
          <Share of={transferred} text={t('put through to a person')} />
          <Share of={leftEarly} text={t('hung up within 20 s')} />
          <Share of={failed} text={t('failed')} />
        </>
      )}
    </div>
  );
}

function Share({ of: { share, low, high }, text }: { of: VersionCalls['failed']; text: string }) {
  return (
    <span>
      {percent(share)} {text}{' '}
      <span class="soft">{t('({low} to {high})', { low: percent(low), high: percent(high) })}</span>
    </span>
  );
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;
const seconds = (ms: number): string => `${formatNumber(Math.round(ms / 10) / 100)} s`;
