// The page that lists the account's webhooks and says which are active.
import type { Webhook } from '../../api-types.ts';
import { formatNumber } from '../../format.ts';
import { link } from '../../router.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Badge, Empty, Page } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { currentPage } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';
import { ALL_EVENTS, shortUrl } from './events.ts';

export default function WebhooksPage() {
  const webhooks = useApi('listWebhooks', { query: { page: currentPage(), limit: 20 } });
  const create = (
    <ButtonLink look="primary" href={link('/webhooks/new')}>
      {t('New webhook')}
    </ButtonLink>
  );
  return (
    <Page
      title={t('Webhooks')}
      lead={t('Your system is told of calls, appointments and campaigns as they happen.')}
      actions={create}
    >
      <List
        of={webhooks}
        label={t('Webhooks')}
        empty={
          <Empty title={t('No webhooks yet')} action={create}>
            {t(
              'Enter an HTTPS address of your system and choose the events it should receive. Each delivery is signed, and retried for up to two days if your system does not answer.',
            )}
          </Empty>
        }
        keyOf={({ id }) => id}
        columns={[
          { title: 'URL', cell: ({ id, url }) => <a href={link(`/webhooks/${id}`)}>{shortUrl(url)}</a> },
          { title: t('Events'), cell: ({ events }) => eventsInWords(events) },
          { title: t('State'), cell: (webhook) => <WebhookState of={webhook} /> },
          {
            title: t('Last delivery'),
            cell: ({ lastTriggeredAt }) => <Time at={lastTriggeredAt} none={t('None yet')} ago />,
          },
        ]}
      />
    </Page>
  );
}

function eventsInWords(events: Webhook['events']): string {
  if (events.length === ALL_EVENTS.length) return t('All');
  const [first = '', second, ...others] = events;
  if (second === undefined) return first;
  return others.length === 0
    ? `${first}, ${second}`
    : t('{first}, {second} and {count} more', { first, second, count: others.length });
}

export function WebhookState({ of: { isActive, disabledReason, failureCount } }: { of: Webhook }) {
  if (!isActive) {
    return disabledReason === null ? (
      <Badge>{t('Switched off')}</Badge>
    ) : (
      <Badge tone="bad">{t('Stopped after failures')}</Badge>
    );
  }
  if (failureCount === 0) return <Badge tone="good">{t('Active')}</Badge>;
  return (
    <Badge tone="warn">
      {failureCount === 1 ? t('1 failed attempt') : t('{count} failed attempts', { count: formatNumber(failureCount) })}
    </Badge>
  );
}
