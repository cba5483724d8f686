// The rows of names and values in a campaign's form.
import * as LIMITS from '../../api-limits.ts';
import { TextField } from '../../ui/fields/field.tsx';
import { Rows } from '../../ui/rows.tsx';

interface Variable {
  name: string;
  value: string;
}

/** Values of the placeholders of a campaign's texts. */
export function VariableRows({
  items,
  onChange,
}: {
  items: readonly Variable[];
  onChange: (items: Variable[]) => void;
}) {
  return (
    <Rows
      items={items}
      onChange={onChange}
      fresh={() => ({ name: '', value: '' })}
      itemName="variable"
      addText="Add a variable"
    >
      {(variable, _, change) => (
        <div class="parts two">
          <TextField
            label="Variable"
            value={variable.name}
            onChange={(name) => change({ name })}
            limits={LIMITS.AddContactsBody.contacts.items.variables.names}
            fault={/^[A-Za-z0-9_]*$/.test(variable.name) ? undefined : 'Only letters, digits and _'}
          />
          <TextField
            label="Value"
            value={variable.value}
            onChange={(value) => change({ value })}
            limits={LIMITS.AddContactsBody.contacts.items.variables.values}
          />
        </div>
      )}
    </Rows>
  );
}
