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
import { t } from '../../words/words.ts';
import { deviceName } from './device-name.ts';

export function Sessions() {
  const sessions = useApi('listSessions', { query: { page: currentPage(), limit: 20 } });
  const end = (session: OwnSession) =>
    attempt(async () => {
      await call('endSession', { params: { id: session.id } });
      sessions.reload();
    }, t('Ended the session'));
  const endOthers = () =>
    confirm({
      title: t('End all other sessions?'),
      text: t('Every other browser and program that is signed in as you must sign in again. API keys stay.'),
      action: t('End all others'),
      perform: async () => {
        const { data } = await call('endOtherSessions', {});
        sessions.reload();
        say(data.ended === 1 ? t('Ended one session') : t('Ended {count} sessions', { count: data.ended }));
      },
    });
  return (
    <Card title={t('Sessions')}>
      <p>{t('Where you are signed in. A session that is not used for a week ends by itself.')}</p>
      <Answer of={sessions}>
        {({ data, pagination }) => (
          <>
            <Table
              label={t('Sessions')}
              rows={data}
              keyOf={({ id }) => id}
              columns={[
                {
                  title: t('Device'),
                  cell: ({ userAgent, isCurrent }) => (
                    <span title={userAgent ?? undefined}>
                      {deviceName(userAgent)} {isCurrent && <Badge tone="good">{t('This one')}</Badge>}
                    </span>
                  ),
                },
                { title: t('IP address'), cell: ({ address }) => address ?? <span class="soft">–</span> },
                {
                  title: t('Signed in'),
                  cell: ({ signedInAt, provider }) => (
                    <span title={provider ?? undefined}>
                      <Time at={signedInAt} /> {provider !== null && <Badge>{t('Identity provider')}</Badge>}
                    </span>
                  ),
                },
                { title: t('Last used'), cell: ({ lastUsedAt }) => <Time at={lastUsedAt} ago /> },
                {
                  title: '',
                  cell: (session) =>
                    !session.isCurrent && (
                      <Button
                        isSmall
                        label={t('End this session: {device}, {address}', {
                          device: deviceName(session.userAgent),
                          address: session.address ?? t('unknown address'),
                        })}
                        onClick={() => void end(session)}
                      >
                        {t('End this session')}
                      </Button>
                    ),
                },
              ]}
            />
            <Pages of={pagination} />
            {pagination.total > 1 && (
              <div>
                <Button right="own" look="danger" onClick={endOthers}>
                  {t('End all others')}
                </Button>
              </div>
            )}
          </>
        )}
      </Answer>
    </Card>
  );
}
