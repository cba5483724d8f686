// A call whose time has not come: when it is placed, and who has asked for it.
import type { Call } from '../../api-types.ts';
import { link } from '../../router.ts';
import { Card, Notice } from '../../ui/layout.tsx';
import { Time } from '../../ui/time.tsx';

export function ScheduledCall({ call: { scheduled, startedAt } }: { call: Call }) {
  const { inCallId = null, reason = null, problem = null } = scheduled ?? {};
  return (
    <Card title="Scheduled">
      <p>
        It is placed on <Time at={startedAt} />.
      </p>
      {inCallId !== null && (
        <p>
          The agent promised it <a href={link(`/calls/${inCallId}`)}>in an earlier call</a>
          {reason === null ? '' : `: ${reason}`}.
        </p>
      )}
      {problem !== null && <Notice tone="warn">It could not be placed yet: {problem}.</Notice>}
    </Card>
  );
}
