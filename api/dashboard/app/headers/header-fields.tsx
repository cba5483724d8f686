// Headers of a request as rows. Values that the service has are not shown: they stay, or are replaced together.
import type { ComponentChildren } from 'preact';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Fieldset } from '../ui/fieldset.tsx';
import { Rows } from '../ui/rows.tsx';
import { type HeadersValue, replaced } from './headers-value.ts';

export function HeaderFields({
  hint,
  value,
  faultOf,
  field,
  onChange,
}: {
  hint: ComponentChildren;
  value: HeadersValue;
  faultOf: (path: string) => string | undefined;
  /** Of the headers in the body. */
  field: string;
  onChange: (value: HeadersValue) => void;
}) {
  const { kept, rows } = value;
  return (
    <Fieldset title="Headers" hint={hint} fault={faultOf(field)}>
      {rows === null ? (
        <>
          <ul class="kept-headers" aria-label="Headers that stay">
            {kept.map((name) => (
              <li key={name}>
                <code>{name}</code> <span class="soft">its value is kept, and not shown</span>
              </li>
            ))}
          </ul>
          <div>
            <Button isSmall onClick={() => onChange(replaced(value))}>
              Replace the headers
            </Button>
          </div>
        </>
      ) : (
        <>
          {kept.length > 0 && <p class="small soft">All are replaced: write each value again, or remove its row.</p>}
          <Rows
            items={rows}
            onChange={(next) => onChange({ kept, rows: next })}
            fresh={() => ({ name: '', value: '' })}
            itemName="header"
            addText="Add a header"
          >
            {(row, _, change) => (
              <div class="parts two">
                <TextField
                  label="Header"
                  value={row.name}
                  onChange={(name) => change({ name })}
                  fault={faultOf(`${field}.${row.name.trim()}`)}
                  placeholder="Authorization"
                  autocomplete="off"
                  maxLength={100}
                  required
                />
                <TextField
                  label="Its value"
                  value={row.value}
                  onChange={(next) => change({ value: next })}
                  placeholder="Bearer …"
                  autocomplete="off"
                  maxLength={4000}
                  required
                />
              </div>
            )}
          </Rows>
          {kept.length > 0 && (
            <div>
              <Button isSmall look="plain" onClick={() => onChange({ kept, rows: null })}>
                Keep them as they are
              </Button>
            </div>
          )}
        </>
      )}
    </Fieldset>
  );
}
