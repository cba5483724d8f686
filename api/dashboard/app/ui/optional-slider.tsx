// A slider whose value may be left out: it then shows the default and says so.
import type { ComponentChildren } from 'preact';
import { remembered } from '../entered.ts';
import type { NumberLimits } from '../limits.ts';
import { t } from '../words/words.ts';
import { Button } from './button.tsx';
import { Field } from './fields/field.tsx';

export function OptionalSlider({
  label,
  hint,
  fault,
  value,
  onChange,
  standard,
  standardText,
  ends,
  limits: { minimum = 0, maximum = 1 } = {},
  step = 0.05,
}: {
  label: string;
  hint?: ComponentChildren;
  fault?: string | undefined;
  /** Undefined: left out. */
  value: number | undefined;
  onChange: (value: number | undefined) => void;
  standard: number;
  /** The text of the default, if it is not just `standard`. */
  standardText?: string;
  /** The meaning of the two ends. */
  ends: readonly [least: string, most: string];
  limits?: NumberLimits;
  step?: number;
}) {
  const shown = value === undefined ? t('default, {value}', { value: standardText ?? standard }) : String(value);
  return (
    <div class={`optional-slider ${value === undefined ? 'unset' : ''}`}>
      <Field label={`${label}: ${shown}`} hint={hint} fault={fault}>
        {(described) => (
          <>
            <input
              {...described}
              type="range"
              min={minimum}
              max={maximum}
              step={step}
              ref={remembered()}
              value={value ?? standard}
              aria-valuetext={shown}
              onInput={(event) => onChange(event.currentTarget.valueAsNumber)}
            />
            <span class="row spread small soft" aria-hidden="true">
              <span>{ends[0]}</span>
              <span>{ends[1]}</span>
            </span>
          </>
        )}
      </Field>
      {value !== undefined && (
        <Button
          isSmall
          look="plain"
          onClick={() => onChange(undefined)}
          label={t('{label}: back to the default', { label })}
        >
          {t('Back to the default')}
        </Button>
      )}
    </div>
  );
}
