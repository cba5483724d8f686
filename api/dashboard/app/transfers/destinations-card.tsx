// The persons to whom the agent of a business or a campaign may hand a caller.

import type { ComponentChildren } from 'preact';
import * as LIMITS from '../api-limits.ts';
import type { Form } from '../form.ts';
import { NumberField, Select, TextField } from '../ui/fields/field.tsx';
import { HoursRows } from '../ui/hours-rows.tsx';
import { Card } from '../ui/layout.tsx';
import { Rows } from '../ui/rows.tsx';
import { said, t, words } from '../words/words.ts';
import { type DestinationRow, freshDestination, withMode } from './destination-rows.ts';

const MODES = [
  { value: 'brief', text: words('Tell them who calls and why') },
  { value: 'announce', text: words('Tell them who calls') },
  { value: 'blind', text: words('Pass the call on (REFER)') },
] as const;
const ACCEPTS = [
  { value: 'key', text: words('By key 1') },
  { value: 'voice', text: words('By a yes, or key 1') },
  { value: 'none', text: words('Without being asked') },
] as const;
const AFTERS = [
  { value: 'leave', text: words('The agent leaves') },
  { value: 'stay', text: words('It listens, and has the caller again afterwards') },
] as const;

interface Props {
  rows: DestinationRow[];
  onChange: (rows: DestinationRow[]) => void;
  faultOf: Form<object>['faultOf'];
  /** How it stands beside other records' lists. */
  hint?: ComponentChildren;
}

export function DestinationsCard({ rows, onChange, faultOf, hint }: Props) {
  return (
    <Card title={t('Persons who take calls')}>
      <p class="small soft">
        {t(
          'The agent chooses by name and description, among those who may be called at this hour. Those of one order ring at once, those of the next one after them.',
        )}{' '}
        {hint}
      </p>
      <Rows
        items={rows}
        onChange={onChange}
        fresh={freshDestination}
        itemName={t('person')}
        addText={t('Add a person')}
        empty={t('None yet.')}
      >
        {(row, index, change) => (
          <Destination row={row} change={change} faultOf={(part) => faultOf(`destinations[${index}].${part}`, true)} />
        )}
      </Rows>
      {faultOf('destinations') !== undefined && (
        <span class="fault" role="alert">
          {faultOf('destinations')}
        </span>
      )}
    </Card>
  );
}

function Destination({
  row,
  change,
  faultOf,
}: {
  row: DestinationRow;
  change: (change: Partial<DestinationRow>) => void;
  faultOf: (part: string) => string | undefined;
}) {
  return (
    <div class="stack tight">
      <div class="parts two">
        <TextField
          label={t('Name')}
          fault={faultOf('name')}
          value={row.name}
          onChange={(name) => change({ name })}
          placeholder={t('Billing')}
          autocomplete="off"
          limits={LIMITS.CreateBusinessBody.destinations.items.name}
          required
        />
        <TextField
          label={t('Number or softphone')}
          fault={faultOf('target')}
          type="tel"
          value={row.target}
          onChange={(target) => change({ target: /^[+\d]/.test(target) ? target.replace(/[\s()/.-]/g, '') : target })}
          placeholder={t('+442079460123 or sip:reception')}
          autocomplete="off"
          limits={LIMITS.CreateBusinessBody.destinations.items.target}
          required
        />
      </div>
      <TextField
        label={t('When to choose it')}
        hint={t('And words that callers use for it.')}
        fault={faultOf('description')}
        value={row.description}
        onChange={(description) => change({ description })}
        placeholder={t('Invoices, refunds, payments')}
        limits={LIMITS.CreateBusinessBody.destinations.items.description}
      />
      <div class="parts two">
        <Select
          label={t('How')}
          fault={faultOf('mode')}
          value={row.mode}
          onChange={(mode) => change(withMode(row, mode))}
          choices={said(MODES)}
        />
        <Select
          label={t('Takes the call')}
          fault={faultOf('accept')}
          value={row.accept}
          onChange={(accept) => change({ accept })}
          choices={row.mode === 'blind' ? ACCEPTS.filter(({ value }) => value === 'none') : ACCEPTS}
        />
        <NumberField
          label={t('Rings for, in seconds')}
          fault={faultOf('ringSeconds')}
          value={row.ringSeconds}
          onChange={(ringSeconds) => change({ ringSeconds })}
          limits={LIMITS.CreateBusinessBody.destinations.items.ringSeconds}
          step={1}
        />
        <NumberField
          label={t('Order')}
          hint={t('Empty: its place here.')}
          fault={faultOf('order')}
          value={row.order}
          onChange={(order) => change({ order })}
          limits={LIMITS.CreateBusinessBody.destinations.items.order}
          step={1}
        />
        {row.mode !== 'blind' && (
          <Select
            label={t('Once they talk')}
            fault={faultOf('after')}
            value={row.after}
            onChange={(after) => change({ after })}
            choices={said(AFTERS)}
          />
        )}
        {row.mode !== 'blind' && (
          <TextField
            label={t('Extension')}
            hint={t('Keys sent after the answer; w waits half a second.')}
            fault={faultOf('extensionDigits')}
            value={row.extensionDigits}
            onChange={(extensionDigits) => change({ extensionDigits })}
            placeholder="ww12#"
            autocomplete="off"
            limits={LIMITS.CreateBusinessBody.destinations.items.extensionDigits}
          />
        )}
      </div>
      <HoursRows
        hours={row.hours}
        onChange={(hours) => change({ hours })}
        faultOf={faultOf}
        always={t('May be called at any hour')}
        within={t('May be called')}
      />
    </div>
  );
}
