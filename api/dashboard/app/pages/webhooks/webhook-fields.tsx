// The fields of a webhook, for a new one and for changes.
import type { Form } from '../../form.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, TextField } from '../../ui/fields/field.tsx';
import { Fieldset } from '../../ui/fields/fieldset.tsx';
import { t } from '../../words/words.ts';
import { ALL_EVENTS, EVENT_GROUPS, type EventType } from './events.ts';

export interface WebhookValues {
  url: string;
  events: EventType[];
}

export function WebhookFields({ form }: { form: Form<WebhookValues> }) {
  const { url, events } = form.values;
  // Kept in the order of the list, so that ticking twice changes nothing.
  const choose = (wanted: readonly EventType[]) =>
    form.set(
      'events',
      ALL_EVENTS.filter((type) => wanted.includes(type)),
    );
  const areAll = events.length === ALL_EVENTS.length;
  return (
    <>
      <TextField
        label={t('URL')}
        hint={t('HTTPS, on a public address. It must answer a signed probe with 2xx within 10 seconds.')}
        type="url"
        required
        placeholder="https://example.com/hooks/voice"
        value={url}
        fault={form.faultOf('url')}
        onChange={(next) => form.set('url', next)}
      />
      <div class="row spread">
        <h2>{t('Events')}</h2>
        <Button look="plain" isSmall onClick={() => choose(areAll ? [] : ALL_EVENTS)}>
          {areAll ? t('Choose none') : t('Choose all')}
        </Button>
      </div>
      {EVENT_GROUPS.map(({ title, events: types }) => (
        <Fieldset key={title} title={t(title)}>
          {types.map(([type, text]) => (
            <Checkbox
              key={type}
              label={<code>{type}</code>}
              hint={t(text)}
              value={events.includes(type)}
              onChange={(isChosen) => choose(isChosen ? [...events, type] : events.filter((each) => each !== type))}
            />
          ))}
        </Fieldset>
      ))}
      {form.faultOf('events', true) !== undefined && (
        <span class="small fault" role="alert">
          {t('Choose at least one event.')}
        </span>
      )}
    </>
  );
}
