// Whether a business has its appointments reminded of by a call: by which campaign, and when.
import * as LIMITS from '../api-limits.ts';
import type { AppointmentReminders } from '../api-types.ts';
import { call } from '../client.ts';
import { useForm } from '../form.ts';
import { NumberField, Select, TextField } from '../ui/fields/field.tsx';
import { Card } from '../ui/layout.tsx';
import { Answer } from '../ui/status.tsx';
import { SubmitForm } from '../ui/submit-form.tsx';
import { say } from '../ui/toast.tsx';
import { useAll } from '../use-all.ts';
import { useApi } from '../use-api.ts';
import { t } from '../words/words.ts';

interface Values {
  /** Blank: nobody is called. */
  campaignId: string;
  kind: 'day' | 'hours';
  dayBeforeAt: string;
  hoursBefore: number | null;
}

const valuesOf = ({ campaignId, dayBeforeAt, hoursBefore }: AppointmentReminders): Values => ({
  campaignId: campaignId ?? '',
  kind: hoursBefore === null ? 'day' : 'hours',
  dayBeforeAt: dayBeforeAt ?? '17:00',
  hoursBefore: hoursBefore ?? 24,
});

export function RemindersCard({ businessId }: { businessId: string }) {
  const reminders = useApi('getReminders', { params: { id: businessId } });
  return (
    <Card title={t('A call before the appointment')}>
      <p class="small soft">
        {t(
          "People are called once and asked whether they come: they confirm, move or cancel, and the appointment says which. Nobody on the do-not-call list is called, and nobody outside of the campaign's hours.",
        )}
      </p>
      <Answer of={reminders}>{({ data }) => <RemindersForm businessId={businessId} saved={data} />}</Answer>
    </Card>
  );
}

function RemindersForm({ businessId, saved }: { businessId: string; saved: AppointmentReminders }) {
  const { answer, error } = useAll('listCampaigns');
  const campaigns = (answer ?? []).filter((each) => each.businessId === businessId);
  const form = useForm(valuesOf(saved), async ({ values, rebase }) => {
    const params = { id: businessId };
    const { campaignId, kind, dayBeforeAt, hoursBefore } = values;
    const time = kind === 'day' ? { dayBeforeAt } : { hoursBefore: hoursBefore ?? 24 };
    if (campaignId === '') await call('deleteReminders', { params });
    else await call('setReminders', { params, body: { campaignId, ...time } });
    rebase(values);
    say(campaignId === '' ? t('Nobody is called') : t('The reminders are set'));
  });
  const { campaignId, kind } = form.values;
  return (
    <SubmitForm form={form} shown={['campaignId', 'dayBeforeAt', 'hoursBefore']} send={t('Set the reminders')}>
      <Select
        label={t('Who calls')}
        hint={t('A campaign of this business, without contacts: its agent, number and hours are taken.')}
        fault={form.faultOf('campaignId') ?? error?.message}
        value={campaignId}
        onChange={(id) => form.set('campaignId', id)}
        choices={[
          { value: '', text: t('Nobody is called') },
          ...campaigns.map(({ id, name }) => ({ value: id, text: name })),
        ]}
      />
      {campaignId !== '' && (
        <Select
          label={t('When')}
          value={kind}
          onChange={(next: Values['kind']) => form.set('kind', next)}
          choices={[
            { value: 'day', text: t('The day before') },
            { value: 'hours', text: t('Hours before') },
          ]}
        />
      )}
      {campaignId !== '' && kind === 'day' && (
        <TextField label={t('At')} type="time" {...form.field('dayBeforeAt')} required />
      )}
      {campaignId !== '' && kind === 'hours' && (
        <NumberField
          label={t('How many hours before')}
          {...form.field('hoursBefore')}
          limits={LIMITS.SetRemindersBody.hoursBefore}
          required
        />
      )}
    </SubmitForm>
  );
}
