// Opening hours, day by day. The order of the form's list is that of the request, so that a fault finds its row.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { isOvernight, sortedHours, type WeekdayHours } from '../../../../../db/domain/hours/opening-hours.ts';
import { WEEKDAYS, type Weekday } from '../../../../../db/domain/hours/weekdays.ts';
import { remembered } from '../../entered.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox } from '../../ui/fields/field.tsx';
import { Card } from '../../ui/layout.tsx';
import { dayNames } from '../../weekdays.ts';
import { t } from '../../words/words.ts';
import { copyDay, hoursText, nextSpan, spanFaults } from './hours.ts';

interface HoursEditorProps {
  hours: readonly WeekdayHours[];
  timezone: string;
  onChange: (hours: WeekdayHours[]) => void;
  faultOf: (path: string, deep?: boolean) => string | undefined;
  /** Stands above the days. */
  children?: ComponentChildren;
}

export function HoursEditor({ hours: spans, timezone, onChange, faultOf, children }: HoursEditorProps) {
  const [copied, setCopied] = useState<Weekday | null>(null);
  const names = dayNames('long');
  const faults = spanFaults(spans);
  const change = (index: number, part: Partial<WeekdayHours>) =>
    onChange(spans.map((span, at) => (at === index ? { ...span, ...part } : span)));
  const remove = (index: number) => onChange(spans.filter((_, at) => at !== index));
  return (
    <Card title={t('Opening hours')}>
      <p class="soft">
        {t('In {timezone}. Appointments are offered only inside them.', { timezone })}{' '}
        {spans.length > 0 ? `${hoursText(spans)}.` : t('Without any, the agent does not know when you are open.')}
      </p>
      {children}
      <div class="days">
        {WEEKDAYS.map((day) => {
          const own = spans.map((span, index) => ({ span, index })).filter(({ span }) => span.day === day);
          return (
            <fieldset class="day" key={day} aria-label={names[day]}>
              <h3>{names[day]}</h3>
              <div class="stack tight">
                {own.length === 0 && <span class="soft day-closed">{t('Closed')}</span>}
                {own.map(({ span, index }, at) => (
                  <SpanRow
                    key={index}
                    span={span}
                    name={own.length > 1 ? t('{day}, span {number}', { day: names[day], number: at + 1 }) : names[day]}
                    fault={faults[index] ?? faultOf(`hours[${index}]`, true)}
                    onChange={(part) => change(index, part)}
                    onRemove={() => remove(index)}
                  />
                ))}
              </div>
              <div class="row">
                <Button
                  isSmall
                  label={
                    own.length === 0
                      ? t('Open on {day}', { day: names[day] })
                      : t('Add a span on {day}', { day: names[day] })
                  }
                  onClick={() => onChange(sortedHours([...spans, nextSpan(spans, day)]))}
                >
                  {own.length === 0 ? t('Open') : t('Add a span')}
                </Button>
                {own.length > 0 && (
                  <Button
                    isSmall
                    look="plain"
                    onClick={() => setCopied(day)}
                    label={t('Copy {day} to other days', { day: names[day] })}
                  >
                    {t('Copy')}
                  </Button>
                )}
              </div>
            </fieldset>
          );
        })}
      </div>
      {faultOf('hours') !== undefined && (
        <span class="fault" role="alert">
          {faultOf('hours')}
        </span>
      )}
      {copied !== null && (
        <CopyDialog
          from={copied}
          onCopy={(days) => onChange(copyDay(spans, copied, days))}
          onClose={() => setCopied(null)}
        />
      )}
    </Card>
  );
}

function SpanRow({
  span,
  name,
  fault,
  onChange,
  onRemove,
}: {
  span: WeekdayHours;
  name: string;
  fault: string | undefined;
  onChange: (part: Partial<WeekdayHours>) => void;
  onRemove: () => void;
}) {
  const input = (part: 'open' | 'close', text: string) => (
    <input
      type="time"
      class="input"
      aria-label={`${name} ${text}`}
      aria-invalid={fault !== undefined}
      ref={remembered()}
      value={span[part]}
      onInput={(event) => onChange({ [part]: event.currentTarget.value })}
    />
  );
  return (
    <div>
      <div class="span">
        {input('open', t('from'))}
        <span aria-hidden="true">–</span>
        {input('close', t('to'))}
        <Button isSmall look="plain" label={t('Remove {name}', { name })} onClick={onRemove}>
          ✕
        </Button>
        {span.open !== '' && span.close !== '' && isOvernight(span) && (
          <span class="small soft">{t('past midnight')}</span>
        )}
      </div>
      {fault !== undefined && (
        <span class="fault" role="alert">
          {fault}
        </span>
      )}
    </div>
  );
}

function CopyDialog({
  from,
  onCopy,
  onClose,
}: {
  from: Weekday;
  onCopy: (days: Weekday[]) => void;
  onClose: () => void;
}) {
  const names = dayNames('long');
  const others = WEEKDAYS.filter((day) => day !== from);
  const workdays = others.filter((day) => day !== 'saturday' && day !== 'sunday');
  const [days, setDays] = useState<readonly Weekday[]>(workdays);
  return (
    <Dialog title={t('Copy {day} to other days', { day: names[from] })} onClose={onClose}>
      <p class="soft">{t('The hours of these days are replaced.')}</p>
      <fieldset class="stack tight" aria-label={t('Days')}>
        {others.map((day) => (
          <Checkbox
            key={day}
            label={names[day]}
            value={days.includes(day)}
            onChange={(on) => setDays(on ? [...days, day] : days.filter((each) => each !== day))}
          />
        ))}
      </fieldset>
      <div class="row">
        <Button
          look="primary"
          disabled={days.length === 0}
          onClick={() => {
            onCopy([...days]);
            onClose();
          }}
        >
          {t('Copy')}
        </Button>
        <Button onClick={onClose}>{t('Cancel')}</Button>
      </div>
    </Dialog>
  );
}
