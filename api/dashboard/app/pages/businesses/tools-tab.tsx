// The tools of a business's calls, and the question that is asked as a call begins.

import * as LIMITS from '../../api-limits.ts';
import type { Business } from '../../api-types.ts';
import type { Form } from '../../form.ts';
import { HeaderFields } from '../../headers/header-fields.tsx';
import { headersOf } from '../../headers/headers-value.ts';
import { spanText } from '../../limits.ts';
import { ToolsCard } from '../../tools/tools-field.tsx';
import { Checkbox, NumberField, TextField } from '../../ui/fields/field.tsx';
import { Card } from '../../ui/layout.tsx';
import { t } from '../../words/words.ts';
import { type BusinessValues, LOOKUP_TIMEOUT_MS, type LookupValues, lookupValuesOf } from './business-form.ts';

interface PartProps {
  business: Business;
  form: Form<BusinessValues>;
}

export function ToolsTab({ business, form }: PartProps) {
  const { values, set, faultOf } = form;
  return (
    <div class="columns">
      <ToolsCard
        hint={t('In this order. A campaign’s stand before them, an agent’s after them.')}
        fault={faultOf('toolIds', true)}
        value={values.toolIds}
        onChange={(toolIds) => set('toolIds', toolIds)}
      />
      <LookupCard business={business} form={form} />
    </div>
  );
}

const NEW_LOOKUP: LookupValues = { url: '', headers: headersOf([]), timeoutMs: null };

function LookupCard({ business, form }: PartProps) {
  const { values, set, faultOf } = form;
  const { lookup } = values;
  const change = (part: Partial<LookupValues>) => set('lookup', { ...(lookup ?? NEW_LOOKUP), ...part });
  return (
    <Card title={t('Look the caller up')}>
      <Checkbox
        label={t('Ask one of your systems as a call begins')}
        hint={t(
          'While it rings, or before it is dialled. The answer may give variables, instructions, a name, another agent, or decline the call.',
        )}
        value={lookup !== null}
        onChange={(isOn) => set('lookup', isOn ? (lookupValuesOf(business.lookup) ?? NEW_LOOKUP) : null)}
      />
      {lookup !== null && (
        <>
          <TextField
            label={t('Web address')}
            hint={t('HTTPS. It gets a POST with the numbers, the names and the variables of the call.')}
            fault={faultOf('lookup.url')}
            value={lookup.url}
            onChange={(url) => change({ url })}
            placeholder="https://crm.example.com/who-calls"
            inputMode="url"
            autocomplete="off"
            limits={LIMITS.CreateBusinessBody.lookup.url}
            required
          />
          <HeaderFields
            hint={t('Kept sealed, and never shown again.')}
            field="lookup.headers"
            value={lookup.headers}
            faultOf={faultOf}
            onChange={(headers) => change({ headers })}
          />
          <NumberField
            label={t('Longest wait, in milliseconds')}
            hint={t('Late or broken, the call goes on without. {timeoutMs}, default {number}', {
              timeoutMs: spanText(LIMITS.CreateBusinessBody.lookup.timeoutMs),
              number: LOOKUP_TIMEOUT_MS,
            })}
            fault={faultOf('lookup.timeoutMs')}
            value={lookup.timeoutMs}
            onChange={(timeoutMs) => change({ timeoutMs })}
            placeholder={String(LOOKUP_TIMEOUT_MS)}
            limits={LIMITS.CreateBusinessBody.lookup.timeoutMs}
            step={1}
          />
        </>
      )}
    </Card>
  );
}
