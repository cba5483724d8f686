// Hours of the week as rows, folded away where there are none.
import type { WeekdayHours } from '../../../../db/domain/hours/opening-hours.ts';
import { WEEKDAYS, type Weekday } from '../../../../db/domain/hours/weekdays.ts';
import { dayNames } from '../weekdays.ts';
import { t } from '../words/words.ts';
import { Select, TextField } from './fields/field.tsx';
import { Rows } from './rows.tsx';

const freshSpan = (): WeekdayHours => ({ day: 'monday', open: '09:00', close: '17:00' });

export function HoursRows({
  hours,
  onChange,
  faultOf,
  always,
  within,
}: {
  hours: readonly WeekdayHours[];
  onChange: (hours: WeekdayHours[]) => void;
  /** By part: `hours[2]`, `hours[2].close`. */
  faultOf: (part: string) => string | undefined;
  /** The heading without hours, and with some. */
  always: string;
  within: string;
}) {
  const names = dayNames('long');
  return (
    <details open={hours.length > 0}>
      <summary>{hours.length === 0 ? always : within}</summary>
      <Rows items={hours} onChange={onChange} fresh={freshSpan} itemName={t('span')} addText={t('Add a span')}>
        {(span, index, change) => (
          <div class="parts">
            <Select
              label={t('Day')}
              fault={faultOf(`hours[${index}]`)}
              value={span.day}
              onChange={(day: Weekday) => change({ day })}
              choices={WEEKDAYS.map((value) => ({ value, text: names[value] }))}
            />
            <TextField label={t('From')} type="time" value={span.open} onChange={(open) => change({ open })} required />
            <TextField
              label={t('To')}
              type="time"
              fault={faultOf(`hours[${index}].close`)}
              value={span.close}
              onChange={(close) => change({ close })}
              required
            />
          </div>
        )}
      </Rows>
    </details>
  );
}
