// A call whose time has not come: when it is placed, and who has asked for it.
import type { Call } from '../../api-types.ts';
import { formatDateTime } from '../../format.ts';
import { link } from '../../router.ts';
import { Card, Notice } from '../../ui/layout.tsx';
import { Linked } from '../../words/linked.tsx';
import { t } from '../../words/words.ts';

export function ScheduledCall({ call: { scheduled, startedAt } }: { call: Call }) {
  const { inCallId = null, reason = null, problem = null } = scheduled ?? {};
  return (
    <Card title={t('Scheduled')}>
      <p>{t('It is placed on {time}.', { time: formatDateTime(startedAt) })}</p>
      {inCallId !== null && (
        <p>
          <Linked text={t('The agent promised it [in an earlier call]')} to={[link(`/calls/${inCallId}`)]} />
          {reason === null ? '' : `: ${reason}`}.
        </p>
      )}
      {problem !== null && <Notice tone="warn">{t('It could not be placed yet: {problem}.', { problem })}</Notice>}
    </Card>
  );
}
