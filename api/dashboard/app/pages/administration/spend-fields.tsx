// The fields of limits of spend, of an account and of the installation.
import * as LIMITS from '../../api-limits.ts';
import type { SpendLimits } from '../../api-types.ts';
import type { Form } from '../../form.ts';
import { NumberField } from '../../ui/fields/field.tsx';
import { t, words } from '../../words/words.ts';

const FIELDS = [
  ['alarmMinutesPerHour', words('Alarm: minutes in an hour')],
  ['alarmMinutesPerDay', words('Alarm: minutes in a day')],
  ['stopMinutesPerHour', words('Stop: minutes in an hour')],
  ['stopMinutesPerDay', words('Stop: minutes in a day')],
] as const;

/** Where the service's faults about them are shown. */
export const SPEND_FIELDS = FIELDS.map(([field]) => `spendLimits.${field}`);

/** Of a form that holds them beside other fields. */
export function SpendFields<T extends SpendLimits>({ form, empty }: { form: Form<T>; empty: string }) {
  return FIELDS.map(([field, label]) => (
    <NumberField
      key={field}
      label={t(label)}
      hint={t('Empty: {value}', { value: empty })}
      limits={LIMITS.UpdateSettingsBody.spendLimits[field]}
      value={form.values[field]}
      fault={form.faultOf(`spendLimits.${field}`)}
      onChange={(minutes) => form.set(field, minutes as T[typeof field])}
    />
  ));
}
