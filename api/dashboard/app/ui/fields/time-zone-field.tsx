// A time zone, chosen by typing a part of its name; the hint shows the time there, which reveals a wrong one at once.

import type { ComponentChildren } from 'preact';
import { t } from '../../words/words.ts';
import { clockIn, ZONES } from '../../zones.ts';
import { TextField } from './field.tsx';

export function TimeZoneField({
  label = t('Time zone'),
  hint,
  fault,
  value,
  onChange,
  placeholder = 'Europe/London',
  required = false,
}: {
  label?: string;
  hint?: ComponentChildren;
  fault?: string | undefined;
  value: string;
  onChange: (zone: string) => void;
  placeholder?: string;
  required?: boolean;
}) {
  const clock = value === '' ? null : clockIn(value);
  return (
    <TextField
      label={label}
      hint={
        <>
          {hint} {clock !== null ? t('It is {clock} there.', { clock }) : value === '' ? '' : t('No such zone.')}
        </>
      }
      fault={fault}
      value={value}
      onChange={onChange}
      suggestions={ZONES}
      placeholder={placeholder}
      required={required}
      autocomplete="off"
    />
  );
}
