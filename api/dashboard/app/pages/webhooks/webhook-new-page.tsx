// The page that adds a webhook and then shows its secret.
import { useState } from 'preact/hooks';
import type { Webhook } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { link } from '../../router.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card, Page } from '../../ui/layout.tsx';
import { Secret } from '../../ui/secret.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { t } from '../../words/words.ts';
import { shortUrl } from './events.ts';
import { WebhookFields, type WebhookValues } from './webhook-fields.tsx';

const back = () => ({ href: link('/webhooks'), text: t('Webhooks') });

export default function WebhookNewPage() {
  const [created, setCreated] = useState<Webhook | null>(null);
  const form = useForm<WebhookValues>({ url: '', events: ['call.ended'] }, async ({ values }) => {
    const { data } = await call('createWebhook', { body: values });
    setCreated(data);
  });
  if (created !== null) return <CreatedPage webhook={created} />;
  return (
    <Page title={t('New webhook')} back={back()}>
      <SubmitForm
        form={form}
        isNarrow
        shown={['url', 'events']}
        send={t('Create the webhook')}
        beside={<ButtonLink href={link('/webhooks')}>{t('Cancel')}</ButtonLink>}
      >
        <Card>
          <WebhookFields form={form} />
        </Card>
      </SubmitForm>
    </Page>
  );
}

function CreatedPage({ webhook: { id, url, secret } }: { webhook: Webhook }) {
  return (
    <Page title={t('Webhook created')} lead={shortUrl(url)} back={back()}>
      <div class="stack narrow">
        <Secret label={t('Secret of its signatures')} value={secret} />
        <p>
          {t(
            'Give it to your receiver: each delivery carries {header}, an HMAC-SHA256 with the SHA-256 of this secret as its key.',
            { header: 'webhook-signature' },
          )}
        </p>
        <div class="row">
          <ButtonLink look="primary" href={link(`/webhooks/${id}`)}>
            {t('Send a test')}
          </ButtonLink>
        </div>
      </div>
    </Page>
  );
}
