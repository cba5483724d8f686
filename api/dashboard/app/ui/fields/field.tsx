// Inputs with label, hint and fault, connected for screen readers.
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { remembered } from '../../entered.ts';
import type { NumberLimits, TextLimits } from '../../limits.ts';

interface FieldProps {
  label: string;
  hint?: ComponentChildren;
  fault?: string | undefined;
}

interface Described {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean;
}

export function Field({
  label,
  hint,
  fault,
  children,
}: FieldProps & { children: (described: Described) => ComponentChildren }) {
  const id = useId();
  const described = [hint === undefined ? '' : `${id}-hint`, fault === undefined ? '' : `${id}-fault`];
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-describedby': described.filter(Boolean).join(' ') || undefined,
        'aria-invalid': fault !== undefined,
      })}
      {hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {fault !== undefined && (
        <span class="fault" id={`${id}-fault`} role="alert">
          {fault}
        </span>
      )}
    </div>
  );
}

interface InputAttributes {
  type?: 'text' | 'email' | 'password' | 'url' | 'tel' | 'search' | 'date' | 'time' | 'datetime-local';
  required?: boolean;
  autocomplete?: string;
  autofocus?: boolean;
  placeholder?: string;
  inputMode?: 'numeric' | 'decimal' | 'tel' | 'url' | 'email';
  disabled?: boolean;
}

/** Suggested values while typing; other values are allowed. */
export interface Suggestion {
  value: string;
  text?: string;
}

export function TextField({
  label,
  hint,
  fault,
  value,
  onChange,
  type = 'text',
  suggestions,
  limits,
  ...attributes
}: FieldProps &
  InputAttributes & {
    /** Of a date: the first and the last. */
    min?: string | undefined;
    max?: string | undefined;
    limits?: TextLimits | undefined;
    value: string;
    onChange: (value: string) => void;
    suggestions?: readonly Suggestion[];
  }) {
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(described) => (
        <>
          <input
            {...attributes}
            {...described}
            maxLength={limits?.maxLength}
            type={type as 'text'}
            class="input"
            ref={remembered()}
            value={value}
            list={suggestions === undefined ? undefined : `${described.id}-list`}
            onInput={(event) => onChange(event.currentTarget.value)}
          />
          {suggestions !== undefined && (
            <datalist id={`${described.id}-list`}>
              {suggestions.map((each) => (
                <option key={each.value} value={each.value}>
                  {each.text ?? each.value}
                </option>
              ))}
            </datalist>
          )}
        </>
      )}
    </Field>
  );
}

/** A number; null if the field is empty. */
export function NumberField({
  label,
  hint,
  fault,
  value,
  onChange,
  limits,
  ...attributes
}: FieldProps &
  Omit<InputAttributes, 'type'> & {
    value: number | null;
    onChange: (value: number | null) => void;
    limits?: NumberLimits;
    step?: number | 'any';
  }) {
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(described) => (
        <input
          {...attributes}
          {...described}
          min={limits?.minimum}
          max={limits?.maximum}
          type="number"
          class="input"
          ref={remembered()}
          value={value ?? ''}
          onInput={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.valueAsNumber)}
        />
      )}
    </Field>
  );
}

export function TextArea({
  label,
  hint,
  fault,
  value,
  onChange,
  rows = 3,
  placeholder,
  limits,
}: FieldProps & {
  value: string;
  onChange: (value: string) => void;
  rows?: number;
  placeholder?: string;
  limits?: TextLimits;
}) {
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(described) => (
        <textarea
          {...described}
          class="input"
          rows={rows}
          placeholder={placeholder}
          maxLength={limits?.maxLength}
          ref={remembered()}
          value={value}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

export interface Choice<T extends string> {
  value: T;
  text: string;
  disabled?: boolean;
  /** Of the text, where it is not the page's. */
  lang?: 'en';
}

export function Select<T extends string>({
  label,
  hint,
  fault,
  value,
  choices,
  onChange,
  disabled,
}: FieldProps & {
  value: T;
  choices: ReadonlyArray<Choice<T>>;
  onChange: (value: T) => void;
  disabled?: boolean;
}) {
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(described) => (
        <select
          {...described}
          class="input"
          ref={remembered()}
          value={value}
          disabled={disabled}
          onChange={(event) => onChange(event.currentTarget.value as T)}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value} disabled={choice.disabled} lang={choice.lang}>
              {choice.text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function Checkbox({
  label,
  hint,
  value,
  onChange,
  disabled,
}: {
  label: ComponentChildren;
  hint?: ComponentChildren;
  value: boolean;
  onChange: (value: boolean) => void;
  disabled?: boolean;
}) {
  const id = useId();
  return (
    <div class="check">
      <input
        type="checkbox"
        id={id}
        ref={remembered()}
        checked={value}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <div>
        <label for={id}>{label}</label>
        {hint !== undefined && (
          <div class="small soft" id={`${id}-hint`}>
            {hint}
          </div>
        )}
      </div>
    </div>
  );
}

/** A fraction between two named ends. */
export function Slider({
  label,
  hint,
  fault,
  value,
  onChange,
  limits: { minimum = 0, maximum = 1 } = {},
  step = 0.05,
  show = String,
}: FieldProps & {
  value: number;
  onChange: (value: number) => void;
  limits?: NumberLimits;
  step?: number;
  show?: (value: number) => string;
}) {
  return (
    <Field label={`${label}: ${show(value)}`} hint={hint} fault={fault}>
      {(described) => (
        <input
          {...described}
          type="range"
          min={minimum}
          max={maximum}
          step={step}
          ref={remembered()}
          value={value}
          aria-valuetext={show(value)}
          onInput={(event) => onChange(event.currentTarget.valueAsNumber)}
        />
      )}
    </Field>
  );
}
