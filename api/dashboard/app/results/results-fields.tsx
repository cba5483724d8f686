// The results that a business or a campaign wants of each of its calls.

import type { ComponentChildren } from 'preact';
import * as LIMITS from '../api-limits.ts';
import type { Form } from '../form.ts';
import { TypeChoice, TypeDetails } from '../schema/type-fields.tsx';
import { TextField } from '../ui/fields/field.tsx';
import { Card } from '../ui/layout.tsx';
import { Rows } from '../ui/rows.tsx';
import { t } from '../words/words.ts';
import { type Criterion, freshOutput, type OutputRow } from './wishes.ts';

interface PartProps<T> {
  rows: T[];
  onChange: (rows: T[]) => void;
  faultOf: Form<object>['faultOf'];
  /** How it stands beside other records' wishes. */
  hint?: ComponentChildren;
}

export function OutputsCard({ rows, onChange, faultOf, hint }: PartProps<OutputRow>) {
  return (
    <Card title={t('Values of each call')}>
      <p class="small soft">
        {t('Each call is read for them after its end. The value named “disposition” is the call’s.')} {hint}
      </p>
      <Rows
        items={rows}
        onChange={onChange}
        fresh={freshOutput}
        itemName={t('value')}
        addText={t('Add a value')}
        empty={t('None yet.')}
      >
        {(row, index, change) => (
          <div class="stack tight">
            <div class="parts two">
              <TextField
                label={t('Name')}
                fault={faultOf(`outputs[${index}].name`)}
                value={row.name}
                onChange={(name) => change({ name })}
                placeholder="reason"
                autocomplete="off"
                limits={LIMITS.CreateBusinessBody.outputs.items.name}
                required
              />
              <TypeChoice value={row.type} onChange={(type) => change({ type })} />
            </div>
            <TypeDetails
              value={row.type}
              onChange={(type) => change({ type })}
              fault={faultOf(`outputs[${index}].schema`, true)}
            />
            <TextField
              label={t('What it is')}
              fault={faultOf(`outputs[${index}].description`)}
              value={row.description}
              onChange={(description) => change({ description })}
              placeholder={t('Why the caller called')}
              limits={LIMITS.CreateBusinessBody.outputs.items.description}
              required
            />
          </div>
        )}
      </Rows>
    </Card>
  );
}

export function CriteriaCard({ rows, onChange, faultOf, hint }: PartProps<Criterion>) {
  return (
    <Card title={t('Criteria')}>
      <p class="small soft">
        {t('Questions about a call that are answered yes or no. The score is the share that is met.')} {hint}
      </p>
      <Rows
        items={rows}
        onChange={onChange}
        fresh={() => ({ name: '', question: '' })}
        itemName={t('criterion')}
        addText={t('Add a criterion')}
        empty={t('None yet.')}
      >
        {(row, index, change) => (
          <div class="stack tight">
            <TextField
              label={t('Name')}
              fault={faultOf(`criteria[${index}].name`)}
              value={row.name}
              onChange={(name) => change({ name })}
              placeholder="offered_appointment"
              autocomplete="off"
              limits={LIMITS.CreateBusinessBody.criteria.items.name}
              required
            />
            <TextField
              label={t('Question')}
              fault={faultOf(`criteria[${index}].question`)}
              value={row.question}
              onChange={(question) => change({ question })}
              placeholder={t('Did the agent offer an appointment?')}
              limits={LIMITS.CreateBusinessBody.criteria.items.question}
              required
            />
          </div>
        )}
      </Rows>
    </Card>
  );
}
