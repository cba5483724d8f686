// Where the user is signed in, and the end of what should not be.
import type { OwnSession } from '../../api-types.ts';
import { call } from '../../client.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { Badge, Card } from '../../ui/layout.tsx';
import { Answer } from '../../ui/status.tsx';
import { currentPage, Pages, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { attempt, say } from '../../ui/toast.tsx';
import { useApi } from '../../use-api.ts';
import { deviceName } from './device-name.ts';

export function Sessions() {
  const sessions = useApi('listSessions', { query: { page: currentPage(), limit: 20 } });
  const end = (session: OwnSession) =>
    attempt(async () => {
      await call('endSession', { params: { id: session.id } });
      sessions.reload();
    }, 'Ended the session');
  const endOthers = () =>
    confirm({
      title: 'End all other sessions?',
      text: 'Every other browser and program that is signed in as you must sign in again. API keys stay.',
      action: 'End all others',
      perform: async () => {
        const { data } = await call('endOtherSessions', {});
        sessions.reload();
        say(data.ended === 1 ? 'Ended one session' : `Ended ${data.ended} sessions`);
      },
    });
  return (
    <Card title="Sessions">
      <p>Where you are signed in. A session that is not used for a week ends by itself.</p>
      <Answer of={sessions}>
        {({ data, pagination }) => (
          <>
            <Table
              label="Sessions"
              rows={data}
              keyOf={({ id }) => id}
              columns={[
                {
                  title: 'Device',
                  cell: ({ userAgent, isCurrent }) => (
                    <span title={userAgent ?? undefined}>
                      {deviceName(userAgent)} {isCurrent && <Badge tone="good">This one</Badge>}
                    </span>
                  ),
                },
                { title: 'Address', cell: ({ address }) => address ?? <span class="soft">–</span> },
                {
                  title: 'Signed in',
                  cell: ({ signedInAt, provider }) => (
                    <span title={provider ?? undefined}>
                      <Time at={signedInAt} /> {provider !== null && <Badge>Identity provider</Badge>}
                    </span>
                  ),
                },
                { title: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} ago /> },
                {
                  title: '',
                  cell: (session) =>
                    !session.isCurrent && (
                      <Button
                        isSmall
                        label={`End this session: ${deviceName(session.userAgent)} at ${session.address ?? 'an unknown address'}`}
                        onClick={() => void end(session)}
                      >
                        End this session
                      </Button>
                    ),
                },
              ]}
            />
            <Pages of={pagination} />
            {pagination.total > 1 && (
              <div>
                <Button right="own" look="danger" onClick={endOthers}>
                  End all others
                </Button>
              </div>
            )}
          </>
        )}
      </Answer>
    </Card>
  );
}
