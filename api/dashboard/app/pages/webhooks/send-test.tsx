// The dialog that sends a sample event to a webhook.
import type { Webhook, WebhookDelivery } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/fields/field.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { t } from '../../words/words.ts';
import { EVENT_GROUPS, type EventType } from './events.ts';

/** Sends a sample of any event, even one that the webhook does not subscribe to. */
export function SendTest({
  webhook: { id, events },
  onSent,
  onClose,
}: {
  webhook: Webhook;
  onSent: (delivery: WebhookDelivery) => void;
  onClose: () => void;
}) {
  const form = useForm<{ event: EventType }>({ event: events[0] ?? 'call.ended' }, async ({ values }) => {
    const { data } = await call('testWebhook', { params: { id }, body: values });
    onSent(data);
  });
  const choices = EVENT_GROUPS.flatMap(({ events: types }) => types.map(([value]) => ({ value, text: value })));
  return (
    <Dialog title={t('Send a test')} onClose={onClose}>
      <SubmitForm form={form} send={t('Send it')} onCancel={onClose}>
        <Select
          label={t('Event')}
          hint={t('A complete sample, signed like any other. It is sent once and never repeated.')}
          value={form.values.event}
          choices={choices}
          onChange={(event) => form.set('event', event)}
        />
      </SubmitForm>
    </Dialog>
  );
}
