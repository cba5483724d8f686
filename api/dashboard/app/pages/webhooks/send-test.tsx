import type { Webhook, WebhookDelivery } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/status.tsx';
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
      <form class="stack" onSubmit={form.submit}>
        <Select
          label="Event"
          hint="A complete sample, signed like any other. It is sent once and never repeated."
          value={form.values.event}
          choices={choices}
          onChange={(event) => form.set('event', event)}
        />
        <ErrorNotice error={form.error} />
        <div class="row">
          <Button look="primary" isBusy={form.isSending}>
            Send it
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
