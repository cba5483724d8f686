// The rules by which people are told of the calls of a business.
import * as LIMITS from '../api-limits.ts';
import type { NoticeMessage, NoticeRule } from '../api-types.ts';
import type { Form } from '../form.ts';
import { Select, TextField } from '../ui/fields/field.tsx';
import { Card } from '../ui/layout.tsx';
import { Rows } from '../ui/rows.tsx';
import { freshNotice, type NoticeRow } from './notice-rows.ts';
import { ADDRESSES, CHANNELS, Example, QuietHours } from './recipient-fields.tsx';

const KIND_NAMES: Record<NoticeRule['on'], string> = {
  call_ended: 'A call has ended',
  call_missed: 'A call was missed',
  appointment: 'An appointment was booked, moved or cancelled',
  callback: 'A call back was promised',
  results: 'The results of a call are there',
  agent_failed: 'The agent could not answer',
  calendar: 'A calendar has to be opened again',
};
export const NOTICE_NAMES: Record<NoticeMessage['on'][number], string> = { ...KIND_NAMES, alert: 'An alert' };
const KINDS = Object.entries(KIND_NAMES).map(([value, text]) => ({ value: value as NoticeRule['on'], text }));
const FILTERS = [
  { value: 'all', text: 'Every call' },
  { value: 'not_transferred', text: 'Only calls that no person took' },
] as const;
const DETAILS = [
  { value: 'full', text: 'The caller, and what was said' },
  { value: 'link', text: 'Only a link, and no name' },
] as const;
const TIMES = [
  { value: 'at_once', text: 'At once' },
  { value: 'hourly', text: 'Once an hour, together' },
  { value: 'daily', text: 'Once a day, together' },
] as const;

const LIMITS_OF = LIMITS.CreateBusinessBody.notify.items;

interface Props {
  rows: NoticeRow[];
  timezone: string;
  onChange: (rows: NoticeRow[]) => void;
  faultOf: Form<object>['faultOf'];
  /** An example is sent by what is saved. */
  hasChanges: boolean;
  onTest: (index: number) => Promise<NoticeMessage>;
}

export function NoticesCard({ rows, timezone, onChange, faultOf, hasChanges, onTest }: Props) {
  return (
    <Card title="Who is told">
      <p class="small soft">
        Who called, how it ended, what was said in short, and a link to the call. Times are in {timezone}. Many at once
        become one message by themselves.
      </p>
      <Rows
        items={rows}
        onChange={onChange}
        fresh={freshNotice}
        itemName="notice"
        addText="Tell somebody"
        empty="Nobody is told yet."
      >
        {(row, index, change) => (
          <Notice
            row={row}
            change={change}
            faultOf={(part) => faultOf(`notify[${index}].${part}`, true)}
            hasChanges={hasChanges}
            onTest={() => onTest(index)}
          />
        )}
      </Rows>
      {faultOf('notify') !== undefined && (
        <span class="fault" role="alert">
          {faultOf('notify')}
        </span>
      )}
    </Card>
  );
}

function Notice({
  row,
  change,
  faultOf,
  hasChanges,
  onTest,
}: {
  row: NoticeRow;
  change: (change: Partial<NoticeRow>) => void;
  faultOf: (part: string) => string | undefined;
  hasChanges: boolean;
  onTest: () => Promise<NoticeMessage>;
}) {
  const address = ADDRESSES[row.by];
  return (
    <div class="stack tight">
      <div class="parts two sentences">
        <Select
          label="When this happens"
          fault={faultOf('on')}
          value={row.on}
          onChange={(on) => change({ on })}
          choices={KINDS}
        />
        {row.on === 'call_ended' && (
          <Select
            label="Which calls"
            fault={faultOf('filter')}
            value={row.filter}
            onChange={(filter) => change({ filter })}
            choices={FILTERS}
          />
        )}
      </div>
      <div class="parts two sentences">
        <Select
          label="Tell by"
          fault={faultOf('by')}
          value={row.by}
          onChange={(by) => change({ by, to: '', secret: '' })}
          choices={CHANNELS}
        />
        <Select
          label="When"
          fault={faultOf('when')}
          value={row.when}
          onChange={(when) => change({ when })}
          choices={TIMES}
        />
        <Select
          label="What it says"
          fault={faultOf('detail')}
          value={row.detail}
          onChange={(detail) => change({ detail })}
          choices={DETAILS}
        />
        {row.when === 'daily' && (
          <TextField
            label="At"
            type="time"
            fault={faultOf('at')}
            value={row.at}
            onChange={(at) => change({ at })}
            required
          />
        )}
      </div>
      <TextField
        label={address.label}
        hint={address.hint}
        fault={faultOf('to')}
        type={row.by === 'mail' ? 'email' : 'text'}
        value={row.to}
        onChange={(to) => change({ to })}
        placeholder={address.placeholder}
        inputMode={row.by === 'mail' ? 'email' : 'url'}
        autocomplete="off"
        limits={LIMITS_OF.to}
        required
      />
      {row.by === 'webhook' && (
        <TextField
          label="Secret"
          hint={
            row.isSigned ? 'One is set. Type another to replace it.' : 'Messages are signed with it, as webhooks are.'
          }
          fault={faultOf('secret')}
          value={row.secret}
          onChange={(secret) => change({ secret })}
          autocomplete="off"
          limits={LIMITS_OF.secret}
        />
      )}
      {row.when === 'at_once' && (
        <QuietHours quiet={row.quiet} onChange={(quiet) => change({ quiet })} faultOf={faultOf} />
      )}
      <Example isDisabled={hasChanges} onTest={onTest} />
    </div>
  );
}
