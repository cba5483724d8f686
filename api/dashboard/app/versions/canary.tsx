// The newest version that led, or leads, a share of the calls: how it goes, or how it ended and why.
import type { Canary, CanaryEvidence } from '../api-types.ts';
import { call } from '../client.ts';
import { formatNumber } from '../format.ts';
import { Button } from '../ui/button.tsx';
import { confirm } from '../ui/dialog.tsx';
import { Notice } from '../ui/layout.tsx';
import { Time } from '../ui/time.tsx';
import { say } from '../ui/toast.tsx';
import { useApi } from '../use-api.ts';
import { t, words } from '../words/words.ts';

const SUBJECTS = {
  agent: { list: 'listAgentCanaries', stop: 'stopAgentCanary' },
  business: { list: 'listBusinessCanaries', stop: 'stopBusinessCanary' },
} as const;

interface CanaryProps {
  of: keyof typeof SUBJECTS;
  id: string;
  /** Of what is shown beside it: when it changes, a canary may have begun. */
  version: string;
}

export function CanaryState({ of, id, version }: CanaryProps) {
  const { list, stop } = SUBJECTS[of];
  const input = { params: { id }, query: { limit: 1 } };
  const canaries = useApi<'listAgentCanaries' | 'listBusinessCanaries'>(list, input, { everyMs: 5_000 });
  const [canary] = canaries.answer?.data ?? [];
  if (canary === undefined) return null;
  const ask = () =>
    confirm({
      title: t('Stop version {version}?', { version: canary.version }),
      text: t('All calls obey the published version again. The draft stays.'),
      action: t('Stop it'),
      perform: async () => {
        await call(stop, { params: { id } });
        canaries.reload();
        say(t('Stopped'));
      },
    });
  return (
    <Notice key={version} tone={canary.result === 'rolled_back' ? 'bad' : canary.result === null ? 'warn' : 'neutral'}>
      <strong>{titleOf(canary)}</strong>
      {canary.result === null ? <Progress of={canary} /> : <Ended of={canary} />}
      {canary.result === null && (
        <div>
          <Button right="change" isSmall onClick={ask}>
            {t('Stop it')}
          </Button>
        </div>
      )}
    </Notice>
  );
}

const TITLES = {
  promoted: words('Version {version} was as good, and is published'),
  rolled_back: words('Version {version} was worse, and has gone back'),
  stopped: words('Version {version} was tried, and stopped'),
} as const;

const titleOf = ({ version, share, result }: Canary): string =>
  result === null
    ? t('Version {version} leads {share} % of the calls', { version, share })
    : t(TITLES[result], { version });

const Progress = ({ of: { canaryCalls, publishedCalls, calls, publishedVersion } }: { of: Canary }) => (
  <span>
    {t(
      '{ended} of {calls} calls have ended, and {others} with version {version}. It is published when all have, and goes back by itself when they are worse.',
      {
        ended: formatNumber(canaryCalls),
        calls: formatNumber(calls),
        others: formatNumber(publishedCalls),
        version: publishedVersion,
      },
    )}
  </span>
);

const Ended = ({ of: { endedAt, evidence, canaryCalls } }: { of: Canary }) => (
  <>
    <span>
      <Time at={endedAt} />, {t('after {count} of its calls.', { count: formatNumber(canaryCalls) })}
    </span>
    {evidence.map((each) => (
      <span key={`${each.measure} ${each.direction}`}>{evidenceText(each)}</span>
    ))}
  </>
);

const MEASURES = {
  failed: words('Calls that failed'),
  transferred: words('Put through to a person'),
  leftEarly: words('Hung up within 20 s'),
  responseGapMs: words('Answers after'),
} as const;

/** For example: Put through to a person: 43 % (37 calls), with the published version 15 % (321 calls). */
function evidenceText({ measure, canary, published }: Omit<CanaryEvidence, 'p' | 'direction'>): string {
  const figure = ({ value }: { value: number }) =>
    measure === 'responseGapMs'
      ? `${formatNumber(Math.round(value / 10) / 100)} s`
      : `${formatNumber(Math.round(value * 1_000) / 10)} %`;
  const values = {
    measure: t(MEASURES[measure]),
    canary: figure(canary),
    calls: canary.calls,
    published: figure(published),
    others: published.calls,
  };
  return t('{measure}: {canary} ({calls} calls), with the published version {published} ({others} calls).', values);
}
