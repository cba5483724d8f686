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
import type { ToolValues } from './tool-form.ts';

export function ParametersCard({ form }: { form: Form<ToolValues> }) {
  const { values, set, faultOf } = form;
  const { parameters } = values;
  const { fault } = readObject(parameters.json);
  return (
    <Card title="Arguments">
      <p class="small soft">
        What the model has to give. A fixed one is JSON Schema with <code>const</code>, which the model does not see;
        one with <code>default</code> is filled where it is left out.
      </p>
      <div class="columns">
        {parameters.rows === null ? (
          <Notice>
            {fault === null
              ? 'This schema says more than rows can show. It is edited as JSON.'
              : 'The rows come back when the JSON is valid.'}
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
            label="As JSON Schema"
            fault={fault === null ? faultOf('parameters', true) : `Not valid yet: ${fault}`}
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
    <Rows items={rows} onChange={onChange} fresh={freshRow} itemName="argument" addText="Add an argument" empty="None.">
      {(row, index, change) => {
        // A fresh row is not at fault before anything is written.
        const fault = row.name === '' ? undefined : (faults[index] ?? undefined);
        return (
          <div class="stack tight">
            <div class="parts two">
              <TextField
                label="Name"
                value={row.name}
                onChange={(name) => change({ name })}
                fault={fault}
                placeholder="number"
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
              label="Description"
              value={row.description}
              onChange={(description) => change({ description })}
              placeholder="As it stands on the receipt"
              limits={ARGUMENT_DESCRIPTION}
            />
            <Checkbox label="Required" value={row.isRequired} onChange={(isRequired) => change({ isRequired })} />
            <Checkbox
              label="Keep no value of it"
              hint="A PIN, a card number: masked in the record of calls."
              value={row.isSecret}
              onChange={(isSecret) => change({ isSecret })}
            />
          </div>
        );
      }}
    </Rows>
  );
}
