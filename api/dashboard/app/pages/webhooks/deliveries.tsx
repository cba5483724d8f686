// The deliveries of a webhook with their answers, and replays.
import { useEffect } from 'preact/hooks';
import type { WebhookDelivery } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { formatNumber } from '../../format.ts';
import { route, setQuery } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/fields/field.tsx';
import { Badge, Empty, Facts } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { Payload } from '../../ui/payload.tsx';
import { ErrorNotice } from '../../ui/status.tsx';
import { currentPage } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';

type Outcome = 'all' | 'failed' | 'delivered';
const SUCCESS: Record<Outcome, boolean | undefined> = { all: undefined, failed: false, delivered: true };

const currentOutcome = (): Outcome => {
  const wanted = route.value.query.get('outcome');
  return wanted === 'failed' || wanted === 'delivered' ? wanted : 'all';
};

export function Deliveries({
  webhookId,
  round,
  onOpen,
  onTest,
}: {
  webhookId: string;
  /** Counts the deliveries sent from this page: a change reloads the list. */
  round: number;
  onOpen: (delivery: WebhookDelivery) => void;
  onTest: () => void;
}) {
  const outcome = currentOutcome();
  const success = SUCCESS[outcome];
  const deliveries = useApi('listDeliveries', {
    params: { id: webhookId },
    query: { page: currentPage(), limit: 20, ...(success === undefined ? {} : { success }) },
  });
  const { reload } = deliveries;
  useEffect(() => {
    if (round > 0) reload();
  }, [round, reload]);
  return (
    <>
      <div class="filters">
        <Select<Outcome>
          label={t('Show')}
          value={outcome}
          onChange={(next) => setQuery({ outcome: next === 'all' ? undefined : next, page: undefined })}
          choices={[
            { value: 'all', text: t('All deliveries') },
            { value: 'failed', text: t('Failed only') },
            { value: 'delivered', text: t('Delivered only') },
          ]}
        />
        <Button onClick={reload}>{t('Reload')}</Button>
      </div>
      <List
        of={deliveries}
        label={t('Deliveries')}
        empty={
          <Empty
            title={outcome === 'all' ? t('Nothing sent yet') : t('No such delivery')}
            action={outcome === 'all' ? <Button onClick={onTest}>{t('Send a test')}</Button> : undefined}
          >
            {t('Deliveries are kept for 30 days.')}
          </Empty>
        }
        keyOf={({ id }) => id}
        columns={[
          {
            title: t('Event'),
            cell: (delivery) => (
              <span class="row">
                {delivery.eventType} <Kind of={delivery} />
              </span>
            ),
          },
          { title: t('Answer'), cell: (delivery) => <Outcome of={delivery} /> },
          { title: t('Time'), isNumber: true, cell: ({ durationMs }) => `${formatNumber(durationMs)} ms` },
          { title: t('Sent'), cell: ({ createdAt }) => <Time at={createdAt} /> },
          { title: t('Next attempt'), cell: ({ nextRetryAt }) => <Time at={nextRetryAt} ago /> },
          {
            title: '',
            cell: (delivery) => (
              <Button isSmall onClick={() => onOpen(delivery)} label={t('Show {name}', { name: delivery.eventType })}>
                {t('Show')}
              </Button>
            ),
          },
        ]}
      />
    </>
  );
}

function Kind({ of: { isTest, isReplay, attempt } }: { of: WebhookDelivery }) {
  return (
    <>
      {isTest && <Badge>{t('Test')}</Badge>}
      {isReplay && <Badge>{t('Replay')}</Badge>}
      {attempt > 1 && <Badge>{t('Attempt {number}', { number: formatNumber(attempt) })}</Badge>}
    </>
  );
}

function Outcome({ of: { success, statusCode, error } }: { of: WebhookDelivery }) {
  return <Badge tone={success ? 'good' : 'bad'}>{statusCode ?? error ?? t('No answer')}</Badge>;
}

export function DeliveryDialog({
  webhookId,
  delivery,
  onReplayed,
  onClose,
}: {
  webhookId: string;
  delivery: WebhookDelivery;
  onReplayed: (delivery: WebhookDelivery) => void;
  onClose: () => void;
}) {
  const { id: deliveryId, eventId, eventType, url, requestBody, responseBody, error } = delivery;
  const replay = useForm({}, async () => {
    const { data } = await call('replayDelivery', { params: { id: webhookId, deliveryId } });
    onReplayed(data);
  });
  return (
    <Dialog title={eventType} isWide onClose={onClose}>
      <Facts
        facts={[
          [
            t('Answer'),
            <span key="answer" class="row">
              <Outcome of={delivery} /> <Kind of={delivery} />
            </span>,
          ],
          [t('Fault'), error],
          [t('Sent'), <Time key="sent" at={delivery.createdAt} />],
          [t('Took'), `${formatNumber(delivery.durationMs)} ms`],
          [t('To'), url],
          ['webhook-id', <code key="event">{eventId}</code>],
          [t('Next attempt'), delivery.nextRetryAt === null ? null : <Time key="next" at={delivery.nextRetryAt} />],
        ]}
      />
      <div class="stack tight">
        <h3>{t('Payload')}</h3>
        <Payload label={t('Payload')} text={requestBody} />
      </div>
      <div class="stack tight">
        <h3>{t('Answer of the receiver')}</h3>
        {responseBody === null || responseBody === '' ? (
          <p class="soft">{responseBody === null ? t('None.') : t('Without a body.')}</p>
        ) : (
          <Payload label={t('Answer of the receiver')} text={responseBody} />
        )}
      </div>
      <ErrorNotice error={replay.error} />
      <div class="row">
        <Button look="primary" onClick={() => replay.submit()} isBusy={replay.isSending}>
          {t('Replay')}
        </Button>
        <Button onClick={onClose}>{t('Close')}</Button>
        <span class="small soft">
          {t('A replay sends the same bytes under the same webhook-id, with a new signature.')}
        </span>
      </div>
    </Dialog>
  );
}
