// The rows of names and values in a campaign's form.
import * as LIMITS from '../../api-limits.ts';
import { TextField } from '../../ui/fields/field.tsx';
import { Rows } from '../../ui/rows.tsx';
import { t } from '../../words/words.ts';

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
      itemName={t('variable')}
      addText={t('Add a variable')}
    >
      {(variable, _, change) => (
        <div class="parts two">
          <TextField
            label={t('Variable')}
            value={variable.name}
            onChange={(name) => change({ name })}
            limits={LIMITS.AddContactsBody.contacts.items.variables.names}
            fault={/^[A-Za-z0-9_]*$/.test(variable.name) ? undefined : t('Only letters, digits and _')}
          />
          <TextField
            label={t('Value')}
            value={variable.value}
            onChange={(value) => change({ value })}
            limits={LIMITS.AddContactsBody.contacts.items.variables.values}
          />
        </div>
      )}
    </Rows>
  );
}
