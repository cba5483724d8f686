// The events of a call, and their deliveries to webhooks.
import type { CallEvent } from '../../api-types.ts';
import { formatWord } from '../../format.ts';
import { link } from '../../router.ts';
import { Badge, Card } from '../../ui/layout.tsx';
import { Answer } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';

const REFRESH_MS = 5_000;

export function CallEvents({ callId, isRunning }: { callId: string; isRunning: boolean }) {
  const events = useApi(
    'listCallEvents',
    { params: { id: callId }, query: { limit: 50 } },
    isRunning ? { everyMs: REFRESH_MS } : {},
  );
  return (
    <Card title={t('Events')}>
      <Answer of={events}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="soft">{t('None are kept of this call any more.')}</p>
          ) : (
            <ol class="events">
              {data.map((event) => (
                <li key={event.id}>
                  <div class="row spread">
                    <code>{event.type}</code>
                    <span class="small soft">
                      <Time at={event.createdAt} />
                    </span>
                  </div>
                  <Deliveries deliveries={event.deliveries} />
                </li>
              ))}
            </ol>
          )
        }
      </Answer>
    </Card>
  );
}

function Deliveries({ deliveries }: Pick<CallEvent, 'deliveries'>) {
  if (deliveries.length === 0) return <span class="small soft">{t('No webhook asked for it')}</span>;
  return (
    <ul>
      {deliveries.map((delivery) => (
        <li key={delivery.id} class="small">
          <Badge tone={delivery.success ? 'good' : 'bad'}>{delivery.success ? t('Delivered') : t('Failed')}</Badge>{' '}
          <a href={link(`/webhooks/${delivery.webhookId}`)}>{delivery.url}</a>{' '}
          <span class="soft">
            {[
              delivery.statusCode === null
                ? delivery.error === null
                  ? t('No answer')
                  : formatWord(delivery.error)
                : t('status {code}', { code: delivery.statusCode }),
              ...(delivery.attempt > 1 ? [t('attempt {number}', { number: delivery.attempt })] : []),
            ].join(', ')}
            {delivery.nextRetryAt !== null && (
              <>
                , {t('again')} <Time at={delivery.nextRetryAt} ago />
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
