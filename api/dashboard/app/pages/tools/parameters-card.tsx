// The parameters of a tool: rows, and beside them the JSON Schema that they are.

import type { Form } from '../../form.ts';
import { readObject } from '../../json-object.ts';
import { ARGUMENT_DESCRIPTION, ARGUMENT_NAME } from '../../limits.ts';
import { freshRow, nameFaults, type ParameterRow, withJson, withRows } from '../../schema/parameter-rows.ts';
import { TypeChoice, TypeDetails } from '../../schema/type-fields.tsx';
import { typeFault } from '../../schema/value-type.ts';
import { Checkbox, TextArea, TextField } from '../../ui/fields/field.tsx';
import { Card, Notice } from '../../ui/layout.tsx';
import { Rows } from '../../ui/rows.tsx';
import { t } from '../../words/words.ts';
import type { ToolValues } from './tool-form.ts';

export function ParametersCard({ form }: { form: Form<ToolValues> }) {
  const { values, set, faultOf } = form;
  const { parameters } = values;
  const { fault } = readObject(parameters.json);
  return (
    <Card title={t('Arguments')}>
      <p class="small soft">
        {t(
          'What the model has to give. A fixed one is JSON Schema with {fixed}, which the model does not see; one with {filled} is filled where it is left out.',
          { fixed: 'const', filled: 'default' },
        )}
      </p>
      <div class="columns">
        {parameters.rows === null ? (
          <Notice>
            {fault === null
              ? t('This schema says more than rows can show. It is edited as JSON.')
              : t('The rows come back when the JSON is valid.')}
          </Notice>
        ) : (
          <ParameterRows
            rows={parameters.rows}
            isRefused={faultOf('parameters') !== undefined}
            onChange={(rows) => set('parameters', withRows(parameters, rows))}
          />
        )}
        <div class="code-field tall">
          <TextArea
            label={t('As JSON Schema')}
            fault={fault === null ? faultOf('parameters', true) : t('Not valid yet: {fault}', { fault })}
            value={parameters.json}
            onChange={(json) => set('parameters', withJson(json))}
            rows={12}
          />
        </div>
      </div>
    </Card>
  );
}

function ParameterRows({
  rows,
  isRefused,
  onChange,
}: {
  rows: ParameterRow[];
  /** The form was sent with a fault of the arguments. */
  isRefused: boolean;
  onChange: (rows: ParameterRow[]) => void;
}) {
  const faults = nameFaults(rows);
  return (
    <Rows
      items={rows}
      onChange={onChange}
      fresh={freshRow}
      itemName={t('argument')}
      addText={t('Add an argument')}
      empty={t('None.')}
    >
      {(row, index, change) => {
        // A fresh row is not at fault before anything is written.
        const fault = row.name === '' ? undefined : (faults[index] ?? undefined);
        return (
          <div class="stack tight">
            <div class="parts two">
              <TextField
                label={t('Name')}
                value={row.name}
                onChange={(name) => change({ name })}
                fault={fault}
                placeholder={t('number')}
                autocomplete="off"
                limits={ARGUMENT_NAME}
                required
              />
              <TypeChoice value={row.type} onChange={(type) => change({ type })} />
            </div>
            <TypeDetails
              value={row.type}
              onChange={(type) => change({ type })}
              fault={isRefused ? (typeFault(row.type) ?? undefined) : undefined}
            />
            <TextField
              label={t('Description')}
              value={row.description}
              onChange={(description) => change({ description })}
              placeholder={t('As it stands on the receipt')}
              limits={ARGUMENT_DESCRIPTION}
            />
            <Checkbox label={t('Required')} value={row.isRequired} onChange={(isRequired) => change({ isRequired })} />
            <Checkbox
              label={t('Keep no value of it')}
              hint={t('A PIN, a card number: masked in the record of calls.')}
              value={row.isSecret}
              onChange={(isSecret) => change({ isSecret })}
            />
          </div>
        );
      }}
    </Rows>
  );
}
