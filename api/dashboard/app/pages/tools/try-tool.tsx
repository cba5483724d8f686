// Runs a saved tool now: its arguments as fields, then the request as it left, the answer, and what a model is told.
import { useState } from 'preact/hooks';
import type { Tool, ToolTest } from '../../api-types.ts';
import { call } from '../../client.ts';
import { refuseFaults } from '../../field-faults.ts';
import { type Form, useForm } from '../../form.ts';
import { formatNumber } from '../../format.ts';
import { type ArgumentField, argumentFields, argumentsOf, type Entered } from '../../schema/argument-fields.ts';
import { NumberField, Select, TextArea, TextField } from '../../ui/fields/field.tsx';
import { Fieldset } from '../../ui/fields/fieldset.tsx';
import { Badge, Card, Empty, Facts } from '../../ui/layout.tsx';
import { Payload } from '../../ui/payload.tsx';
import { Rows } from '../../ui/rows.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { t } from '../../words/words.ts';

interface TryValues {
  /** Of a server: which of its tools. */
  tool: string;
  entered: Entered;
  variables: Array<{ name: string; value: string }>;
}

export function TryTool({ tool }: { tool: Tool }) {
  const isServer = tool.kind === 'mcp';
  const names = (tool.catalogue ?? []).map(({ name }) => name);
  const [tested, setTested] = useState<ToolTest | null>(null);
  const initial: TryValues = { tool: isServer ? (names[0] ?? '') : '', entered: {}, variables: [] };
  const form = useForm(initial, async ({ values }) => {
    const given = argumentsOf(fieldsFor(tool, values.tool), values.entered);
    refuseFaults(given.faults);
    setTested(null);
    const { data } = await call('testTool', {
      params: { id: tool.id },
      body: {
        arguments: given.arguments,
        ...(isServer ? { tool: values.tool } : {}),
        variables: Object.fromEntries(values.variables.map(({ name, value }) => [name.trim(), value])),
      },
    });
    setTested(data);
  });
  if (isServer && names.length === 0)
    return (
      <Empty title={t('No tools known')}>{t('The server has not been read yet, or has none: see its settings.')}</Empty>
    );
  const fields = fieldsFor(tool, form.values.tool);
  return (
    <div class="columns">
      <Card title={t('Ask')}>
        <SubmitForm form={form} shown={['arguments', 'tool']} send={t('Run it now')}>
          <p class="small soft">
            {t('It runs as in a call, with what is saved: what it changes in your system is changed.')}
          </p>
          {isServer && (
            <Select
              label={t('Tool')}
              value={form.values.tool}
              fault={form.faultOf('tool')}
              choices={names.map((value) => ({ value, text: value }))}
              onChange={(next) => {
                form.set('tool', next);
                form.set('entered', {});
              }}
            />
          )}
          {fields.length === 0 && <p class="soft">{t('It takes no arguments.')}</p>}
          {fields.map((field) => (
            <ArgumentInput key={`${form.values.tool} ${field.name}`} field={field} form={form} />
          ))}
          {!isServer && <Variables form={form} />}
        </SubmitForm>
      </Card>
      <div aria-live="polite">
        {tested === null ? (
          <Card title={t('Answer')}>
            <p class="soft">{form.isSending ? t('Asking …') : t('Nothing asked yet.')}</p>
          </Card>
        ) : (
          <Tested tested={tested} />
        )}
      </div>
    </div>
  );
}

const fieldsFor = ({ kind, parameters, catalogue }: Tool, name: string): ArgumentField[] =>
  argumentFields(kind === 'mcp' ? (catalogue?.find((each) => each.name === name)?.parameters ?? {}) : parameters);

function ArgumentInput({ field, form }: { field: ArgumentField; form: Form<TryValues> }) {
  const { name, hint, isRequired, kind, choices, isWhole } = field;
  const value = form.values.entered[name] ?? '';
  const shared = {
    label: isRequired ? name : t('{name} (optional)', { name }),
    hint,
    fault: form.faultOf(`arguments.${name}`, true),
  };
  const onChange = (next: string) => form.set('entered', { ...form.values.entered, [name]: next });
  switch (kind) {
    case 'text':
      return <TextField {...shared} value={value} onChange={onChange} autocomplete="off" required={isRequired} />;
    case 'number':
      return (
        <NumberField
          {...shared}
          value={value === '' ? null : Number(value)}
          onChange={(next) => onChange(next === null ? '' : String(next))}
          step={isWhole ? 1 : 'any'}
          required={isRequired}
        />
      );
    case 'yes-no':
      return (
        <Select
          {...shared}
          value={value}
          onChange={onChange}
          choices={[
            { value: '', text: t('Left out') },
            { value: 'true', text: t('Yes') },
            { value: 'false', text: t('No') },
          ]}
        />
      );
    case 'choice':
      return (
        <Select
          {...shared}
          value={value}
          onChange={onChange}
          choices={[{ value: '', text: t('Left out') }, ...choices.map((each) => ({ value: each, text: each }))]}
        />
      );
    case 'json':
      return (
        <div class="code-field">
          <TextArea
            {...shared}
            label={t('{name}, as JSON', { name: shared.label })}
            value={value}
            onChange={onChange}
          />
        </div>
      );
  }
}

function Variables({ form }: { form: Form<TryValues> }) {
  return (
    <Fieldset
      title={t('Variables of the call')}
      hint={t('Where address, headers or arguments name some: {{customerId}}')}
    >
      <Rows
        items={form.values.variables}
        onChange={(variables) => form.set('variables', variables)}
        fresh={() => ({ name: '', value: '' })}
        itemName={t('variable')}
        addText={t('Add a variable')}
      >
        {(row, _, change) => (
          <div class="parts two">
            <TextField label={t('Variable')} value={row.name} onChange={(name) => change({ name })} required />
            <TextField label={t('Its value')} value={row.value} onChange={(value) => change({ value })} />
          </div>
        )}
      </Rows>
    </Fieldset>
  );
}

function Tested({ tested: { request, answer, tookMs, result, assigned } }: { tested: ToolTest }) {
  const isGood = typeof result === 'object' && result !== null && 'ok' in result && result.ok === true;
  const variables = Object.entries(assigned);
  return (
    <Card title={t('Answer')}>
      <Facts
        facts={[
          [
            t('Result'),
            <Badge key="result" tone={isGood ? 'good' : 'bad'}>
              {isGood ? t('Answered') : t('Failed')}
            </Badge>,
          ],
          [t('Status'), answer === null ? null : answer.status],
          [t('Took'), `${formatNumber(tookMs)} ms`],
          [t('Variables'), variables.length === 0 ? null : variables.map((each) => each.join(': ')).join(', ')],
        ]}
      />
      <h3>{t('The request as it left')}</h3>
      {request === null ? (
        <p class="soft">{t('Nothing was sent.')}</p>
      ) : (
        <Payload label={t('The request')} text={textOf(request)} />
      )}
      <h3>{t('What came back')}</h3>
      {answer === null ? (
        <p class="soft">{t('No answer.')}</p>
      ) : (
        <>
          {answer.isCut === true && <p class="small soft">{t('Only its beginning: it is longer than 64 KiB.')}</p>}
          <Payload label={t('What came back')} text={bodyText(answer.body)} />
        </>
      )}
      <h3>{t('What the model would be told')}</h3>
      <Payload label={t('What the model would be told')} text={JSON.stringify(result)} />
    </Card>
  );
}

const bodyText = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body ?? null));

/** As HTTP writes it. */
function textOf({ method, url, headers = {}, body }: NonNullable<ToolTest['request']>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${url}`, ...lines, ...(body ? ['', indented(body)] : [])].join('\n');
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
