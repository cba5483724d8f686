// The fields of an alert rule, for a new one and for changes.
import * as LIMITS from '../../api-limits.ts';
import type { NoticeMessage } from '../../api-types.ts';
import type { Form } from '../../form.ts';
import { ADDRESSES, CHANNELS, Example, QuietHours } from '../../notices/recipient-fields.tsx';
import { NumberField, Select, TextField } from '../../ui/fields/field.tsx';
import { AgentField, BusinessField, CampaignField } from '../../ui/fields/record-field.tsx';
import { Card } from '../../ui/layout.tsx';
import { Rows } from '../../ui/rows.tsx';
import { said, t, words } from '../../words/words.ts';
import { type AlertValues, freshRecipient } from './alert-form.ts';
import { isShare, METRIC_NAMES, UNITS, WINDOWS, windowText } from './alert-words.ts';

const METRICS = Object.entries(METRIC_NAMES).map(([value, text]) => ({
  value: value as AlertValues['metric'],
  text,
}));
const COMPARISONS = [
  { value: 'above', text: words('is above') },
  { value: 'below', text: words('is below') },
] as const;
const LIMITS_OF = LIMITS.CreateAlertRuleBody;

interface Props {
  form: Form<AlertValues>;
  /** An example is sent by what is saved; absent: nothing is yet. */
  onTest?: (index: number) => Promise<NoticeMessage>;
}

export function AlertFields({ form, onTest }: Props) {
  const { field, values } = form;
  return (
    <>
      <Card title={t('What is watched')}>
        <TextField
          label={t('Name')}
          limits={LIMITS_OF.name}
          required
          placeholder={t('Failed calls')}
          {...field('name')}
        />
        <div class="parts two sentences">
          <Select label={t('Tell me when')} choices={said(METRICS)} {...field('metric')} />
          <Select label={t('Compared')} choices={said(COMPARISONS)} {...field('comparison')} />
        </div>
        <div class="parts two">
          <NumberField
            label={t('This many ({unit})', { unit: t(UNITS[values.metric]) })}
            limits={LIMITS_OF.value}
            step={0.01}
            inputMode="decimal"
            required
            {...field('value')}
          />
          <Select label={t('Within the last')} choices={windows(values.windowMinutes)} {...field('windowMinutes')} />
          {(isShare(values.metric) || values.metric === 'answer_gap_p95_ms') && (
            <NumberField
              label={t('Of at least so many calls')}
              limits={LIMITS_OF.minimumCalls}
              {...field('minimumCalls')}
            />
          )}
        </div>
        <p class="small soft">
          {t('It is looked at once a minute, and told once. It is over when the figure is back by a tenth.')}
          {values.metric === 'calls' && values.comparison === 'below' && ` ${t('Below 1: nobody calls at all.')}`}
        </p>
      </Card>
      <Card title={t('Of which calls')}>
        <div class="parts two sentences">
          <BusinessField label={t('Business')} none={t('All businesses')} {...field('businessId')} />
          <AgentField label={t('Agent')} none={t('All agents')} {...field('agentId')} />
          <CampaignField label={t('Campaign')} none={t('All campaigns')} {...field('campaignId')} />
        </div>
      </Card>
      <Recipients form={form} {...(onTest ? { onTest } : {})} />
    </>
  );
}

/** An hour and its like, and what a client of the API has set. */
function windows(current: string) {
  const known = WINDOWS.map(([minutes, text]) => ({ value: String(minutes), text: t(text) }));
  return known.some(({ value }) => value === current)
    ? known
    : [...known, { value: current, text: windowText(Number(current)) }];
}

function Recipients({ form, onTest }: Props) {
  const { values, faultOf } = form;
  return (
    <Card title={t('Who is told')}>
      <Rows
        items={values.to}
        onChange={(to) => form.set('to', to)}
        fresh={freshRecipient}
        itemName={t('recipient')}
        addText={t('Tell somebody else too')}
      >
        {(row, index, change) => {
          const address = ADDRESSES[row.by];
          return (
            <div class="stack tight">
              <div class="parts two sentences">
                <Select
                  label={t('Tell by')}
                  choices={said(CHANNELS)}
                  value={row.by}
                  fault={faultOf(`to[${index}].by`)}
                  onChange={(by) => change({ by, to: '', secret: '' })}
                />
                <TextField
                  label={t(address.label)}
                  hint={address.hint === undefined ? undefined : t(address.hint)}
                  type={row.by === 'mail' ? 'email' : 'text'}
                  value={row.to}
                  fault={faultOf(`to[${index}].to`)}
                  onChange={(to) => change({ to })}
                  placeholder={address.placeholder}
                  autocomplete="off"
                  required
                />
              </div>
              {row.by === 'webhook' && (
                <TextField
                  label={t('Secret')}
                  hint={row.isSigned ? t('One is set. Type another to replace it.') : t('Messages are signed with it.')}
                  value={row.secret}
                  fault={faultOf(`to[${index}].secret`)}
                  onChange={(secret) => change({ secret })}
                  autocomplete="off"
                />
              )}
              {onTest !== undefined && <Example isDisabled={form.isChanged} onTest={() => onTest(index)} />}
            </div>
          );
        }}
      </Rows>
      {faultOf('to') !== undefined && (
        <span class="fault" role="alert">
          {faultOf('to')}
        </span>
      )}
      <QuietHours
        quiet={values.quiet}
        onChange={(quiet) => form.set('quiet', quiet)}
        faultOf={(part) => faultOf(part)}
      />
    </Card>
  );
}
