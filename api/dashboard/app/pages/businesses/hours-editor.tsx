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
import { DAY_NAMES } from '../../weekdays.ts';
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
  const faults = spanFaults(spans);
  const change = (index: number, part: Partial<WeekdayHours>) =>
    onChange(spans.map((span, at) => (at === index ? { ...span, ...part } : span)));
  const remove = (index: number) => onChange(spans.filter((_, at) => at !== index));
  return (
    <Card title="Opening hours">
      <p class="soft">
        In {timezone}. Appointments are offered only inside them. {spans.length > 0 && `${hoursText(spans)}.`}
        {spans.length === 0 && 'Without any, the agent does not know when you are open.'}
      </p>
      {children}
      <div class="days">
        {WEEKDAYS.map((day) => {
          const own = spans.map((span, index) => ({ span, index })).filter(({ span }) => span.day === day);
          return (
            <fieldset class="day" key={day} aria-label={DAY_NAMES[day]}>
              <h3>{DAY_NAMES[day]}</h3>
              <div class="stack tight">
                {own.length === 0 && <span class="soft day-closed">Closed</span>}
                {own.map(({ span, index }, at) => (
                  <SpanRow
                    key={index}
                    span={span}
                    name={own.length > 1 ? `${DAY_NAMES[day]}, span ${at + 1}` : DAY_NAMES[day]}
                    fault={faults[index] ?? faultOf(`hours[${index}]`, true)}
                    onChange={(part) => change(index, part)}
                    onRemove={() => remove(index)}
                  />
                ))}
              </div>
              <div class="row">
                <Button
                  isSmall
                  label={own.length === 0 ? `Open on ${DAY_NAMES[day]}` : `Add a span on ${DAY_NAMES[day]}`}
                  onClick={() => onChange(sortedHours([...spans, nextSpan(spans, day)]))}
                >
                  {own.length === 0 ? 'Open' : 'Add a span'}
                </Button>
                {own.length > 0 && (
                  <Button
                    isSmall
                    look="plain"
                    onClick={() => setCopied(day)}
                    label={`Copy ${DAY_NAMES[day]} to other days`}
                  >
                    Copy
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
        {input('open', 'from')}
        <span aria-hidden="true">–</span>
        {input('close', 'to')}
        <Button isSmall look="plain" label={`Remove ${name}`} onClick={onRemove}>
          ✕
        </Button>
        {span.open !== '' && span.close !== '' && isOvernight(span) && <span class="small soft">past midnight</span>}
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
  const others = WEEKDAYS.filter((day) => day !== from);
  const workdays = others.filter((day) => day !== 'saturday' && day !== 'sunday');
  const [days, setDays] = useState<readonly Weekday[]>(workdays);
  return (
    <Dialog title={`Copy ${DAY_NAMES[from]} to other days`} onClose={onClose}>
      <p class="soft">The hours of these days are replaced.</p>
      <fieldset class="stack tight" aria-label="Days">
        {others.map((day) => (
          <Checkbox
            key={day}
            label={DAY_NAMES[day]}
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
          Copy
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
}
