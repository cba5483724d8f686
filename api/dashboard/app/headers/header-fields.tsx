// Headers of a request as rows. Values that the service has are not shown: they stay, or are replaced together.

import type { ComponentChildren } from 'preact';
import * as LIMITS from '../api-limits.ts';
import { HEADER_NAME } from '../limits.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/fields/field.tsx';
import { Fieldset } from '../ui/fields/fieldset.tsx';
import { Rows } from '../ui/rows.tsx';
import { t } from '../words/words.ts';
import { type HeadersValue, replaced, withSingle } from './headers-value.ts';

export function HeaderFields({
  hint,
  value,
  faultOf,
  field,
  onChange,
  hasSingle = false,
}: {
  hint: ComponentChildren;
  value: HeadersValue;
  faultOf: (path: string) => string | undefined;
  /** Of the headers in the body. */
  field: string;
  onChange: (value: HeadersValue) => void;
  /** Whether the service changes them one by one, too. */
  hasSingle?: boolean;
}) {
  const { kept, rows } = value;
  return (
    <Fieldset title={t('Headers')} hint={hint} fault={faultOf(field)}>
      {rows === null ? (
        <>
          <ul class="kept-headers" aria-label={t('Headers that stay')}>
            {kept.map((name) => (
              <li key={name}>
                {hasSingle ? (
                  <KeptHeader
                    name={name}
                    change={value.single?.[name]}
                    fault={faultOf(`setHeaders.${name}`)}
                    onChange={(change) => onChange(withSingle(value, name, change))}
                  />
                ) : (
                  <>
                    <code>{name}</code> <span class="soft">{t('its value is kept, and not shown')}</span>
                  </>
                )}
              </li>
            ))}
          </ul>
          <div>
            <Button isSmall onClick={() => onChange(replaced(value))}>
              {hasSingle ? t('Write all headers anew') : t('Replace the headers')}
            </Button>
          </div>
        </>
      ) : (
        <>
          {kept.length > 0 && (
            <p class="small soft">{t('All are replaced: write each value again, or remove its row.')}</p>
          )}
          <Rows
            items={rows}
            onChange={(next) => onChange({ kept, rows: next })}
            fresh={() => ({ name: '', value: '' })}
            itemName={t('header')}
            addText={t('Add a header')}
          >
            {(row, _, change) => (
              <div class="parts two">
                <TextField
                  label={t('Header')}
                  value={row.name}
                  onChange={(name) => change({ name })}
                  fault={faultOf(`${field}.${row.name.trim()}`)}
                  placeholder="Authorization"
                  autocomplete="off"
                  limits={HEADER_NAME}
                  required
                />
                <TextField
                  label={t('Its value')}
                  value={row.value}
                  onChange={(next) => change({ value: next })}
                  placeholder="Bearer …"
                  autocomplete="off"
                  limits={LIMITS.CreateToolBody.headers.values}
                  required
                />
              </div>
            )}
          </Rows>
          {kept.length > 0 && (
            <div>
              <Button isSmall look="plain" onClick={() => onChange({ kept, rows: null })}>
                {t('Keep them as they are')}
              </Button>
            </div>
          )}
        </>
      )}
    </Fieldset>
  );
}

/** One that the service has: it stays, gets a new value, or goes. */
function KeptHeader({
  name,
  change,
  fault,
  onChange,
}: {
  name: string;
  change: string | null | undefined;
  fault: string | undefined;
  onChange: (change: string | null | undefined) => void;
}) {
  if (change === undefined) {
    return (
      <div class="row spread">
        <span>
          <code>{name}</code> <span class="soft">{t('its value is kept, and not shown')}</span>
        </span>
        <span class="row">
          <Button isSmall label={t('Replace {name}', { name })} onClick={() => onChange('')}>
            {t('Replace')}
          </Button>
          <Button isSmall look="plain" label={t('Remove {name}', { name })} onClick={() => onChange(null)}>
            {t('Remove')}
          </Button>
        </span>
      </div>
    );
  }
  return (
    <div class="row spread align-end">
      {change === null ? (
        <span>
          <code>{name}</code> <span class="soft">{t('goes when you save')}</span>
        </span>
      ) : (
        <TextField
          label={t('New value of {name}', { name })}
          value={change}
          onChange={onChange}
          fault={fault}
          autocomplete="off"
          limits={LIMITS.CreateToolBody.headers.values}
          required
        />
      )}
      <Button isSmall look="plain" label={t('Keep {name}', { name })} onClick={() => onChange(undefined)}>
        {t('Keep it')}
      </Button>
    </div>
  );
}
