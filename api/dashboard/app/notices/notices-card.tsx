// The rules by which people are told of the calls of a business.
import * as LIMITS from '../api-limits.ts';
import type { NoticeMessage, NoticeRule } from '../api-types.ts';
import type { Form } from '../form.ts';
import { Select, TextField } from '../ui/fields/field.tsx';
import { Card } from '../ui/layout.tsx';
import { Rows } from '../ui/rows.tsx';
import { said, t } from '../words/words.ts';
import { freshNotice, type NoticeRow } from './notice-rows.ts';
import { DETAILS, FILTERS, KIND_NAMES, TIMES } from './notice-words.ts';
import { ADDRESSES, CHANNELS, Example, QuietHours } from './recipient-fields.tsx';

const KINDS = Object.entries(KIND_NAMES).map(([value, text]) => ({ value: value as NoticeRule['on'], text }));
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
    <Card title={t('Who is told')}>
      <p class="small soft">
        {t(
          'Who called, how it ended, what was said in short, and a link to the call. Times are in {timezone}. Many at once become one message by themselves.',
          { timezone },
        )}
      </p>
      <Rows
        items={rows}
        onChange={onChange}
        fresh={freshNotice}
        itemName={t('notice')}
        addText={t('Tell somebody')}
        empty={t('Nobody is told yet.')}
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
          label={t('When this happens')}
          fault={faultOf('on')}
          value={row.on}
          onChange={(on) => change({ on })}
          choices={said(KINDS)}
        />
        {row.on === 'call_ended' && (
          <Select
            label={t('Which calls')}
            fault={faultOf('filter')}
            value={row.filter}
            onChange={(filter) => change({ filter })}
            choices={said(FILTERS)}
          />
        )}
      </div>
      <div class="parts two sentences">
        <Select
          label={t('Tell by')}
          fault={faultOf('by')}
          value={row.by}
          onChange={(by) => change({ by, to: '', secret: '' })}
          choices={said(CHANNELS)}
        />
        <Select
          label={t('When')}
          fault={faultOf('when')}
          value={row.when}
          onChange={(when) => change({ when })}
          choices={said(TIMES)}
        />
        <Select
          label={t('What it says')}
          fault={faultOf('detail')}
          value={row.detail}
          onChange={(detail) => change({ detail })}
          choices={said(DETAILS)}
        />
        {row.when === 'daily' && (
          <TextField
            label={t('At')}
            type="time"
            fault={faultOf('at')}
            value={row.at}
            onChange={(at) => change({ at })}
            required
          />
        )}
      </div>
      <TextField
        label={t(address.label)}
        hint={address.hint === undefined ? undefined : t(address.hint)}
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
          label={t('Secret')}
          hint={
            row.isSigned
              ? t('One is set. Type another to replace it.')
              : t('Messages are signed with it, as webhooks are.')
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
