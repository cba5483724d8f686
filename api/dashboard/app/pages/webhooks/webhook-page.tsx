// One webhook: its state, its deliveries and its settings.
import { useEffect, useState } from 'preact/hooks';
import type { Webhook, WebhookDelivery } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { formatNumber } from '../../format.ts';
import type { PageProps } from '../../page-props.ts';
import { go, link } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { Card, Facts, Notice, Page } from '../../ui/layout.tsx';
import { Secret } from '../../ui/secret.tsx';
import { Answer, ErrorNotice } from '../../ui/status.tsx';
import { currentTab, Tabs } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { attempt, say } from '../../ui/toast.tsx';
import { useUnsaved } from '../../unsaved.ts';
import { useApi } from '../../use-api.ts';
import { t, words } from '../../words/words.ts';
import { Deliveries, DeliveryDialog } from './deliveries.tsx';
import { pauseReason, shortUrl } from './events.ts';
import { SendTest } from './send-test.tsx';
import { WebhookFields, type WebhookValues } from './webhook-fields.tsx';
import { WebhookState } from './webhooks-page.tsx';

const TABS: Array<['deliveries' | 'settings', string]> = [
  ['deliveries', words('Deliveries')],
  ['settings', words('Settings')],
];

export default function WebhookPage({ params: { id = '' } }: PageProps) {
  const webhook = useApi('getWebhook', { params: { id } });
  const back = { href: link('/webhooks'), text: t('Webhooks') };
  if (webhook.answer === null) {
    return (
      <Page title={t('Webhook')} back={back}>
        <Answer of={webhook}>{() => null}</Answer>
      </Page>
    );
  }
  return <LoadedWebhook found={webhook.answer.data} key={id} back={back} reload={webhook.reload} />;
}

function LoadedWebhook({
  found,
  back,
  reload,
}: {
  found: Webhook;
  back: { href: string; text: string };
  reload: () => void;
}) {
  const [webhook, setWebhook] = useState(found);
  const [secret, setSecret] = useState<string | null>(null);
  const [isTesting, setTesting] = useState(false);
  const [delivery, setDelivery] = useState<WebhookDelivery | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => setWebhook(found), [found]);
  const { id, url, isActive } = webhook;
  const tab = currentTab(TABS);
  const reason = pauseReason(webhook);
  const setActive = (next: boolean) =>
    attempt(
      async () => setWebhook((await call('updateWebhook', { params: { id }, body: { isActive: next } })).data),
      next ? t('Switched on') : t('Switched off'),
    );
  const showDelivery = (next: WebhookDelivery) => {
    setTesting(false);
    setDelivery(next);
    setRound((count) => count + 1);
    reload();
  };
  return (
    <Page
      title={shortUrl(url)}
      back={back}
      actions={
        <>
          <Button onClick={() => void setActive(!isActive)}>{isActive ? t('Switch off') : t('Switch on')}</Button>
          <Button look="primary" onClick={() => setTesting(true)}>
            {t('Send a test')}
          </Button>
        </>
      }
    >
      {secret !== null && <Secret label={t('New secret: the old one is no longer used')} value={secret} />}
      {reason !== null && (
        <Notice tone="warn">
          {reason}{' '}
          {t(
            'Events of this time are not sent later. When the receiver works, switch it on: delivery starts with the next event.',
          )}
        </Notice>
      )}
      <Facts
        facts={[
          [t('State'), <WebhookState key="state" of={webhook} />],
          [t('Failed since the last success'), formatNumber(webhook.failureCount)],
          [t('Last delivery'), <Time key="last" at={webhook.lastTriggeredAt} none={t('None yet')} ago />],
          [t('Created'), <Time key="created" at={webhook.createdAt} />],
        ]}
      />
      <Tabs tabs={TABS.map(([name, text]) => [name, t(text)])} current={tab} />
      {tab === 'deliveries' ? (
        <Deliveries webhookId={id} round={round} onOpen={setDelivery} onTest={() => setTesting(true)} />
      ) : (
        <Settings webhook={webhook} onSaved={setWebhook} onSecret={setSecret} />
      )}
      {isTesting && <SendTest webhook={webhook} onSent={showDelivery} onClose={() => setTesting(false)} />}
      {delivery !== null && (
        <DeliveryDialog
          key={delivery.id}
          webhookId={id}
          delivery={delivery}
          onReplayed={showDelivery}
          onClose={() => setDelivery(null)}
        />
      )}
    </Page>
  );
}

function Settings({
  webhook,
  onSaved,
  onSecret,
}: {
  webhook: Webhook;
  onSaved: (webhook: Webhook) => void;
  onSecret: (secret: string) => void;
}) {
  const { id, url } = webhook;
  const form = useForm<WebhookValues>({ url, events: webhook.events }, async ({ changes, rebase }) => {
    const { data } = await call('updateWebhook', { params: { id }, body: changes });
    onSaved(data);
    rebase({ url: data.url, events: data.events });
    say(t('Saved'));
  });
  useUnsaved(form.isChanged, { of: 'tab' });
  const rotate = () =>
    confirm({
      title: t('Rotate the secret?'),
      text: t(
        'Deliveries to {url} are signed with the new secret from now on. A receiver that still has the old one refuses them until you have changed it there.',
        { url: shortUrl(url) },
      ),
      action: t('Rotate the secret'),
      perform: async () => {
        const { data } = await call('rotateWebhookSecret', { params: { id } });
        onSecret(data.secret);
        scrollTo(0, 0);
      },
    });
  const remove = () =>
    confirm({
      title: t('Delete this webhook?'),
      text: t('{url} receives no more events. Deliveries waiting for another attempt are dropped.', {
        url: shortUrl(url),
      }),
      action: t('Delete the webhook'),
      perform: async () => {
        await call('deleteWebhook', { params: { id } });
        say(t('Webhook deleted'));
        go(link('/webhooks'), { replace: true });
      },
    });
  return (
    <div class="stack narrow">
      <form class="stack" onSubmit={form.submit}>
        <Card>
          <WebhookFields form={form} />
          <ErrorNotice error={form.error} shown={['url', 'events']} />
          <div>
            <Button right="change" look="primary" isBusy={form.isSending} disabled={!form.isChanged}>
              {t('Save')}
            </Button>
          </div>
        </Card>
      </form>
      <Card title={t('Secret')}>
        <p>{t('Only a digest of it is kept: a lost secret is replaced, not looked up.')}</p>
        <div>
          <Button right="change" onClick={rotate}>
            {t('Rotate the secret')}
          </Button>
        </div>
      </Card>
      <Card title={t('Delete')}>
        <p>{t('The log of its deliveries stays in the service for 30 days.')}</p>
        <div>
          <Button look="danger" onClick={remove}>
            {t('Delete the webhook')}
          </Button>
        </div>
      </Card>
    </div>
  );
}
