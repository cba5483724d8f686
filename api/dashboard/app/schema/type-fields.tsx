// The type of a value: a simple choice, the values of a list, or JSON Schema for more.
import { Select, TextArea } from '../ui/fields/field.tsx';
import { TagsField } from '../ui/fields/tags-field.tsx';
import { typeFault, type ValueKind, type ValueType, withKind } from './value-type.ts';

const KINDS: ReadonlyArray<{ value: ValueKind; text: string }> = [
  { value: 'string', text: 'Text' },
  { value: 'integer', text: 'Whole number' },
  { value: 'number', text: 'Number' },
  { value: 'boolean', text: 'Yes or no' },
  { value: 'one-of', text: 'One of a list' },
  { value: 'other', text: 'JSON Schema' },
];

interface TypeProps {
  value: ValueType;
  onChange: (type: ValueType) => void;
}

export const TypeChoice = ({ value, onChange }: TypeProps) => (
  <Select label="Type" value={value.kind} choices={KINDS} onChange={(kind) => onChange(withKind(value, kind))} />
);

/** The details that the choice asks for beside it. */
export function TypeDetails({ value, onChange, fault }: TypeProps & { fault?: string | undefined }) {
  const own = typeFault(value) ?? undefined;
  if (value.kind === 'one-of')
    return (
      <TagsField
        label="Values"
        fault={fault}
        values={value.choices}
        onChange={(choices) => onChange({ ...value, choices })}
        placeholder="booking, question, complaint"
      />
    );
  if (value.kind === 'other')
    return (
      <div class="code-field">
        <TextArea
          label="JSON Schema of the value"
          fault={own === undefined ? fault : `Not valid yet: ${own}`}
          value={value.json}
          onChange={(json) => onChange({ ...value, json })}
          rows={4}
        />
      </div>
    );
  return null;
}
