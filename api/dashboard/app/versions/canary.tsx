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
      title: `Stop version ${canary.version}?`,
      text: 'All calls obey the published version again. The draft stays.',
      action: 'Stop it',
      perform: async () => {
        await call(stop, { params: { id } });
        canaries.reload();
        say('Stopped');
      },
    });
  return (
    <Notice key={version} tone={canary.result === 'rolled_back' ? 'bad' : canary.result === null ? 'warn' : 'neutral'}>
      <strong>{titleOf(canary)}</strong>
      {canary.result === null ? <Progress of={canary} /> : <Ended of={canary} />}
      {canary.result === null && (
        <div>
          <Button right="change" isSmall onClick={ask}>
            Stop it
          </Button>
        </div>
      )}
    </Notice>
  );
}

const TITLES = {
  promoted: 'was as good, and is published',
  rolled_back: 'was worse, and has gone back',
  stopped: 'was tried, and stopped',
} as const;

const titleOf = ({ version, share, result }: Canary): string =>
  result === null ? `Version ${version} leads ${share} % of the calls` : `Version ${version} ${TITLES[result]}`;

const Progress = ({ of: { canaryCalls, publishedCalls, calls, publishedVersion } }: { of: Canary }) => (
  <span>
    {formatNumber(canaryCalls)} of {formatNumber(calls)} calls have ended, and {formatNumber(publishedCalls)} with
    version {publishedVersion}. It is published when all have, and goes back by itself when they are worse.
  </span>
);

const Ended = ({ of: { endedAt, evidence, canaryCalls } }: { of: Canary }) => (
  <>
    <span>
      <Time at={endedAt} />, after {formatNumber(canaryCalls)} of its calls.
    </span>
    {evidence.map((each) => (
      <span key={`${each.measure} ${each.direction}`}>{evidenceText(each)}</span>
    ))}
  </>
);

const MEASURES = {
  failed: 'Calls that failed',
  transferred: 'Put through to a person',
  leftEarly: 'Hung up within 20 s',
  responseGapMs: 'Answers after',
} as const;

/** For example: Put through to a person: 43 % of 37 calls, before 15 % of 321. */
function evidenceText({ measure, canary, published }: Omit<CanaryEvidence, 'p' | 'direction'>): string {
  const figure = ({ value }: { value: number }) =>
    measure === 'responseGapMs'
      ? `${formatNumber(Math.round(value / 10) / 100)} s`
      : `${formatNumber(Math.round(value * 1_000) / 10)} %`;
  const of = ({ calls }: { calls: number }) => (measure === 'responseGapMs' ? `in ${calls}` : `of ${calls}`);
  return `${MEASURES[measure]}: ${figure(canary)} ${of(canary)} calls, with the published version ${figure(published)} ${of(published)}.`;
}
