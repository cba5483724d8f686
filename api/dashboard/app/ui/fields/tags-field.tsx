// A list of words: typed one by one, or pasted with commas between them.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { remembered } from '../../entered.ts';
import { t } from '../../words/words.ts';
import { Field, type Suggestion } from './field.tsx';

export function TagsField({
  label,
  hint,
  fault,
  values,
  onChange,
  suggestions,
  placeholder,
  show = String,
}: {
  label: string;
  hint?: ComponentChildren;
  fault?: string | undefined;
  values: readonly string[];
  onChange: (values: string[]) => void;
  suggestions?: readonly Suggestion[];
  placeholder?: string;
  show?: (value: string) => string;
}) {
  const [typed, setTyped] = useState('');
  const add = (text: string) => {
    const added = text
      .split(/[,;\n]/)
      .map((word) => word.trim())
      .filter((word) => word !== '' && !values.includes(word));
    setTyped('');
    if (added.length > 0) onChange([...values, ...new Set(added)]);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      // Enter must not submit the form.
      event.preventDefault();
      add(typed);
    } else if (event.key === 'Backspace' && typed === '') onChange(values.slice(0, -1));
  };
  return (
    <Field label={label} hint={hint ?? t('Enter or a comma ends a word.')} fault={fault}>
      {(described) => (
        <div class="tags">
          {values.map((value) => (
            <span class="tag" key={value}>
              {show(value)}
              <button
                type="button"
                aria-label={t('Remove {name}', { name: value })}
                onClick={() => onChange(values.filter((each) => each !== value))}
              >
                ✕
              </button>
            </span>
          ))}
          <input
            {...described}
            ref={remembered()}
            value={typed}
            placeholder={values.length === 0 ? placeholder : undefined}
            list={suggestions === undefined ? undefined : `${described.id}-list`}
            onInput={({ currentTarget: { value } }) => (/[,;\n]/.test(value) ? add(value) : setTyped(value))}
            onKeyDown={onKeyDown}
            onBlur={() => add(typed)}
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
        </div>
      )}
    </Field>
  );
}
