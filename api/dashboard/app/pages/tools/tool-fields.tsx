// The fields of a tool, for a new one and for changes.

import type { ComponentChildren } from 'preact';
import * as LIMITS from '../../api-limits.ts';
import type { Form } from '../../form.ts';
import { formatNumber } from '../../format.ts';
import { HeaderFields } from '../../headers/header-fields.tsx';
import { spanText, TOOL_PATH, TOOL_VARIABLE } from '../../limits.ts';
import { NumberField, Select, TextArea, TextField } from '../../ui/fields/field.tsx';
import { Fieldset } from '../../ui/fields/fieldset.tsx';
import { TagsField } from '../../ui/fields/tags-field.tsx';
import { Card } from '../../ui/layout.tsx';
import { Rows } from '../../ui/rows.tsx';
import { said, t, words } from '../../words/words.ts';
import { ParametersCard } from './parameters-card.tsx';
import { TIMEOUT_MS, type ToolValues } from './tool-form.ts';

export const TOOL_FIELDS = [
  'name',
  'description',
  'kind',
  'url',
  'method',
  'headers',
  'parameters',
  'timeoutMs',
  'mode',
  'sayWhile',
  'assign',
  'when',
  'onInterruption',
  'only',
];

const METHODS: ReadonlyArray<{ value: ToolValues['method']; text: string }> = [
  { value: 'GET', text: words('GET: arguments in the query') },
  { value: 'POST', text: words('POST: arguments as JSON') },
  { value: 'PUT', text: words('PUT: arguments as JSON') },
  { value: 'PATCH', text: words('PATCH: arguments as JSON') },
  { value: 'DELETE', text: words('DELETE: arguments in the query') },
];

interface PartProps {
  form: Form<ToolValues>;
}

export function ToolFields({
  form,
  children,
}: PartProps & {
  /** Shown in place of the parameters of a server. */
  children?: ComponentChildren;
}) {
  return (
    <>
      <div class="columns">
        <WhatCard form={form} />
        <RequestCard form={form} />
      </div>
      {form.values.kind === 'http' ? <ParametersCard form={form} /> : children}
      <div class="columns">
        <MannerCard form={form} />
        <AnswerCard form={form} />
      </div>
    </>
  );
}

function WhatCard({ form }: PartProps) {
  const { values, field } = form;
  return (
    <Card title={t('What it does')}>
      <Select
        label={t('Kind')}
        {...field('kind')}
        choices={[
          { value: 'http', text: t('One HTTP request') },
          { value: 'mcp', text: t('A server of tools (MCP)') },
        ]}
      />
      <TextField
        label={t('Name')}
        hint={
          values.kind === 'mcp'
            ? t('Stands before the names of its tools. Letters, digits and underscores.')
            : t('As the model calls it: letters, digits and underscores.')
        }
        {...field('name')}
        placeholder={values.kind === 'mcp' ? 'crm' : 'find_order'}
        autocomplete="off"
        limits={LIMITS.CreateToolBody.name}
        required
      />
      <TextArea
        label={t('Description')}
        hint={
          values.kind === 'mcp'
            ? t('For people only: the server describes its tools itself.')
            : t('For the model: what it does, and when to use it.')
        }
        {...field('description')}
        placeholder={t('Finds an order by its number. Use it when the caller asks where an order is.')}
        rows={3}
        limits={LIMITS.CreateToolBody.description}
      />
    </Card>
  );
}

function RequestCard({ form }: PartProps) {
  const { values, set, faultOf, field } = form;
  return (
    <Card title={t('What is asked')}>
      <TextField
        label={t('Web address')}
        hint={
          values.kind === 'mcp'
            ? t('HTTPS. Streamable HTTP is spoken.')
            : t(
                'HTTPS. {{name}} in path or query is an argument, a variable of the call, or callId, callerNumber, callerName, businessName, agentName, direction.',
              )
        }
        {...field('url')}
        placeholder={
          values.kind === 'mcp' ? 'https://crm.example.com/mcp' : 'https://shop.example.com/orders/{{number}}'
        }
        inputMode="url"
        autocomplete="off"
        limits={LIMITS.CreateToolBody.url}
        required
      />
      {values.kind === 'http' && <Select label={t('Method')} {...field('method')} choices={said(METHODS)} />}
      <HeaderFields
        hint={t('Kept sealed, and never shown again. {{name}} is a variable that the call began with.')}
        field="headers"
        value={values.headers}
        faultOf={faultOf}
        hasSingle
        onChange={(headers) => set('headers', headers)}
      />
      <NumberField
        label={t('Longest wait, in milliseconds')}
        hint={t('{span}, for the whole run. Default {value}', {
          span: spanText(LIMITS.CreateToolBody.timeoutMs),
          value: formatNumber(TIMEOUT_MS),
        })}
        {...field('timeoutMs')}
        placeholder={String(TIMEOUT_MS)}
        limits={LIMITS.CreateToolBody.timeoutMs}
        step={1}
      />
    </Card>
  );
}

function MannerCard({ form }: PartProps) {
  const { values, field } = form;
  return (
    <Card title={t('In the call')}>
      <Select
        label={t('Who waits')}
        {...field('mode')}
        choices={[
          { value: 'wait', text: t('The agent waits for the answer') },
          { value: 'background', text: t('The talk goes on; the answer is a turn of its own') },
        ]}
      />
      <TextField
        label={t('Said meanwhile')}
        hint={values.mode === 'wait' ? t('Empty: "One moment, please." where it takes long.') : t('As it starts.')}
        {...field('sayWhile')}
        placeholder={t('I am looking that up.')}
        limits={LIMITS.CreateToolBody.sayWhile}
      />
      <Select
        label={t('When the caller speaks again')}
        {...field('onInterruption')}
        choices={[
          { value: 'finish', text: t('Finish it, and keep the answer for later') },
          { value: 'cancel', text: t('Give it up') },
        ]}
      />
      <TagsField
        label={t('Without a language model: when callers say')}
        hint={t('The built-in receptionist uses it at these words. Enter or a comma ends a phrase.')}
        fault={form.faultOf('when', true)}
        values={values.when}
        onChange={(when) => form.set('when', when)}
        placeholder={t('where is my order')}
      />
    </Card>
  );
}

function AnswerCard({ form }: PartProps) {
  const { values, set, faultOf } = form;
  return (
    <Card title={t('What is kept of the answer')}>
      <Fieldset
        title={t('Variables')}
        hint={t(
          'They stand in later prompts, in other tools, and on the call. The path leads to the value in the answer: customer.plan',
        )}
        fault={faultOf('assign')}
      >
        <Rows
          items={values.assign}
          onChange={(assign) => set('assign', assign)}
          fresh={() => ({ variable: '', path: '' })}
          itemName={t('variable')}
          addText={t('Add a variable')}
          empty={t('None: only the model is told.')}
        >
          {(row, _, change) => (
            <div class="parts two">
              <TextField
                label={t('Variable')}
                value={row.variable}
                onChange={(variable) => change({ variable })}
                fault={faultOf(`assign.${row.variable.trim()}`)}
                placeholder="plan"
                autocomplete="off"
                limits={TOOL_VARIABLE}
                required
              />
              <TextField
                label={t('Path')}
                value={row.path}
                onChange={(path) => change({ path })}
                placeholder="customer.plan"
                autocomplete="off"
                limits={TOOL_PATH}
                required
              />
            </div>
          )}
        </Rows>
      </Fieldset>
    </Card>
  );
}
