// The rules by which people are told of the calls of a business.
import { useState } from 'preact/hooks';
import * as LIMITS from '../api-limits.ts';
import type { NoticeMessage, NoticeRule } from '../api-types.ts';
import type { Form } from '../form.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox, Select, TextField } from '../ui/fields/field.tsx';
import { Card } from '../ui/layout.tsx';
import { Rows } from '../ui/rows.tsx';
import { attempt, say } from '../ui/toast.tsx';
import { freshNotice, type NoticeRow } from './notice-rows.ts';

export const NOTICE_NAMES: Record<NoticeRule['on'], string> = {
  call_ended: 'A call has ended',
  call_missed: 'A call was missed',
  appointment: 'An appointment was booked, moved or cancelled',
  callback: 'A call back was promised',
  results: 'The results of a call are there',
  agent_failed: 'The agent could not answer',
  calendar: 'A calendar has to be opened again',
};
const KINDS = Object.entries(NOTICE_NAMES).map(([value, text]) => ({ value: value as NoticeRule['on'], text }));
const FILTERS = [
  { value: 'all', text: 'Every call' },
  { value: 'not_transferred', text: 'Only calls that no person took' },
] as const;
export const CHANNEL_NAMES: Record<NoticeRule['by'], string> = {
  mail: 'Mail',
  sms: 'Text message',
  slack: 'Slack',
  teams: 'Microsoft Teams',
  webhook: 'Another program',
};
const CHANNELS = Object.entries(CHANNEL_NAMES).map(([value, text]) => ({ value: value as NoticeRule['by'], text }));
const DETAILS = [
  { value: 'full', text: 'The caller, and what was said' },
  { value: 'link', text: 'Only a link, and no name' },
] as const;
const TIMES = [
  { value: 'at_once', text: 'At once' },
  { value: 'hourly', text: 'Once an hour, together' },
  { value: 'daily', text: 'Once a day, together' },
] as const;

const ADDRESSES: Record<NoticeRule['by'], { label: string; hint?: string; placeholder: string }> = {
  mail: { label: 'Mail address', placeholder: 'you@example.com' },
  sms: {
    label: 'Phone number',
    hint: 'A text by a number of this business, with a link and no name.',
    placeholder: '+14155550123',
  },
  slack: {
    label: 'Address from Slack',
    hint: 'In Slack: Apps, Incoming Webhooks, choose a channel, copy the address. It is kept secret.',
    placeholder: 'https://hooks.slack.com/services/…',
  },
  teams: {
    label: 'Address from Teams',
    hint: 'In the channel: Workflows, “Post to a channel when a webhook request is received”. It is kept secret.',
    placeholder: 'https://…',
  },
  webhook: { label: 'Address of the program', hint: 'It is kept secret.', placeholder: 'https://example.com/calls' },
};
const NIGHT = { from: '21:00', to: '07:00' };
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
      {row.when === 'at_once' && <QuietHours row={row} change={change} faultOf={faultOf} />}
      <Example isDisabled={hasChanges} onTest={onTest} />
    </div>
  );
}

function QuietHours({
  row: { quiet },
  change,
  faultOf,
}: {
  row: NoticeRow;
  change: (change: Partial<NoticeRow>) => void;
  faultOf: (part: string) => string | undefined;
}) {
  return (
    <>
      <Checkbox
        label="Not at night"
        hint="What happens then is told when the night is over."
        value={quiet !== null}
        onChange={(isOn) => change({ quiet: isOn ? NIGHT : null })}
      />
      {quiet !== null && (
        <div class="parts two">
          <TextField
            label="Quiet from"
            type="time"
            fault={faultOf('quiet.from')}
            value={quiet.from}
            onChange={(from) => change({ quiet: { ...quiet, from } })}
            required
          />
          <TextField
            label="Until"
            type="time"
            fault={faultOf('quiet.to')}
            value={quiet.to}
            onChange={(to) => change({ quiet: { ...quiet, to } })}
            required
          />
        </div>
      )}
    </>
  );
}

function Example({ isDisabled, onTest }: { isDisabled: boolean; onTest: () => Promise<NoticeMessage> }) {
  const [isSending, setSending] = useState(false);
  const send = async () => {
    setSending(true);
    await attempt(async () => say(exampleText(await onTest())));
    setSending(false);
  };
  return (
    <div class="row">
      <Button isSmall disabled={isDisabled || isSending} onClick={() => void send()}>
        Send an example
      </Button>
      {isDisabled && <span class="small soft">Save first.</span>}
    </div>
  );
}

function exampleText({ status, error, to }: NoticeMessage): string {
  if (status === 'sent') return `The example went to ${to}.`;
  if (status === 'waiting') return 'The example waits for the mail server.';
  return `The example did not arrive: ${error ?? 'nobody took it'}.`;
}
