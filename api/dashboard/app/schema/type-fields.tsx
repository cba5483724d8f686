// The type of a value: a simple choice, the values of a list, or JSON Schema for more.
import { Select, TextArea } from '../ui/fields/field.tsx';
import { TagsField } from '../ui/fields/tags-field.tsx';
import { said, t, words } from '../words/words.ts';
import { typeFault, type ValueKind, type ValueType, withKind } from './value-type.ts';

const KINDS: ReadonlyArray<{ value: ValueKind; text: string }> = [
  { value: 'string', text: words('Text') },
  { value: 'integer', text: words('Whole number') },
  { value: 'number', text: words('A number') },
  { value: 'boolean', text: words('Yes or no') },
  { value: 'one-of', text: words('One of a list') },
  { value: 'other', text: words('JSON Schema') },
];

interface TypeProps {
  value: ValueType;
  onChange: (type: ValueType) => void;
}

export const TypeChoice = ({ value, onChange }: TypeProps) => (
  <Select
    label={t('Type')}
    value={value.kind}
    choices={said(KINDS)}
    onChange={(kind) => onChange(withKind(value, kind))}
  />
);

/** The details that the choice asks for beside it. */
export function TypeDetails({ value, onChange, fault }: TypeProps & { fault?: string | undefined }) {
  const own = typeFault(value) ?? undefined;
  if (value.kind === 'one-of')
    return (
      <TagsField
        label={t('Values')}
        fault={fault}
        values={value.choices}
        onChange={(choices) => onChange({ ...value, choices })}
        placeholder={t('booking, question, complaint')}
      />
    );
  if (value.kind === 'other')
    return (
      <div class="code-field">
        <TextArea
          label={t('JSON Schema of the value')}
          fault={own === undefined ? fault : t('Not valid yet: {fault}', { fault: own })}
          value={value.json}
          onChange={(json) => onChange({ ...value, json })}
          rows={4}
        />
      </div>
    );
  return null;
}
