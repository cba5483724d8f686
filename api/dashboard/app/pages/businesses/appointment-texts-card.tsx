// Texts to the persons who have appointments: whether they are confirmed, told of changes, and reminded.
import type { Business } from '../../api-types.ts';
import type { Form } from '../../form.ts';
import { Checkbox, Select } from '../../ui/fields/field.tsx';
import { Card } from '../../ui/layout.tsx';
import { said, t, words } from '../../words/words.ts';
import type { BusinessValues } from './business-form.ts';

type Texts = NonNullable<Business['appointmentTexts']>;

const NOTHING: Texts = { confirm: false, changes: false, remindHoursBefore: null };
const REMINDERS = [
  { value: '', text: words('No reminder') },
  { value: '2', text: words('2 hours before') },
  { value: '24', text: words('1 day before') },
  { value: '48', text: words('2 days before') },
];

export function AppointmentTextsCard({ form }: { form: Form<BusinessValues> }) {
  const { values, set, faultOf } = form;
  const texts = values.appointmentTexts ?? NOTHING;
  const change = (part: Partial<Texts>) => {
    const next = { ...texts, ...part };
    const isNone = !next.confirm && !next.changes && next.remindHoursBefore === null;
    set('appointmentTexts', isNone ? null : next);
  };
  const hours = texts.remindHoursBefore === null ? '' : String(texts.remindHoursBefore);
  const isListed = REMINDERS.some(({ value }) => value === hours);
  return (
    <Card title={t('Texts to those who have appointments')}>
      <p class="soft">
        {t(
          'Sent by one of your numbers at Twilio, Telnyx or Plivo, between 8 and 21 where the person is, and not to who wrote STOP. Answers reach the agent.',
        )}
      </p>
      <Checkbox
        label={t('Confirm what was booked on a call')}
        value={texts.confirm}
        onChange={(confirm) => change({ confirm })}
      />
      <Checkbox
        label={t('Tell when it is moved or cancelled')}
        value={texts.changes}
        onChange={(changes) => change({ changes })}
      />
      <Select
        label={t('Reminder')}
        value={hours}
        fault={faultOf('appointmentTexts', true)}
        onChange={(value) => change({ remindHoursBefore: value === '' ? null : Number(value) })}
        choices={
          isListed
            ? said(REMINDERS)
            : [...said(REMINDERS), { value: hours, text: t('{hours} hours before', { hours }) }]
        }
      />
    </Card>
  );
}
