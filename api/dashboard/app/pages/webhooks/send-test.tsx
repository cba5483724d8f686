// The dialog that sends a sample event to a webhook.
import type { Webhook, WebhookDelivery } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/fields/field.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
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
    <Dialog title="Send a test" onClose={onClose}>
      <SubmitForm form={form} send="Send it" onCancel={onClose}>
        <Select
          label="Event"
          hint="A complete sample, signed like any other. It is sent once and never repeated."
          value={form.values.event}
          choices={choices}
          onChange={(event) => form.set('event', event)}
        />
      </SubmitForm>
    </Dialog>
  );
}
