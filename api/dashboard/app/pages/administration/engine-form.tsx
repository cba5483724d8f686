// The form of one engine: its name, its server and its key; what a variable sets is shown and cannot be changed.
import { useEffect, useState } from 'preact/hooks';
import type { Model, ModelSettings, ModelTestResult } from '../../api-types.ts';
import { type ApiError, call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, Select, TextField } from '../../ui/fields/field.tsx';
import { Fieldset } from '../../ui/fields/fieldset.tsx';
import { Badge, Card, Notice } from '../../ui/layout.tsx';
import { ErrorNotice } from '../../ui/status.tsx';
import { say } from '../../ui/toast.tsx';
import { useUnsaved } from '../../unsaved.ts';
import { faultOf } from '../../use-api.ts';
import { t, words } from '../../words/words.ts';
import { EngineTestResult } from './engine-test-result.tsx';
import { type EngineValues, engineBodyOf, engineChoices, engineValuesOf, usesServer } from './engine-values.ts';
import { ForgetRefused } from './refused-by-server.tsx';

const SHOWN = [
  ...['engine', 'baseUrl', 'model', 'apiKey', 'voices', 'voice'],
  ...['fallbackBaseUrl', 'fallbackModel', 'fallbackApiKey'],
];
const VOICES_HINT = words(
  'Name=id pairs with commas, as in TTS_VOICES. Agents keep the voice they have: choose on their pages',
);
const VOICE_HINT = words(
  'By the vendor’s name. Empty: its default. Agents may have their own; greeting and notices stay in their voice',
);
const OFF_HINT = words('Turned off, it forgets address, model, voice and key');

interface Props {
  title: string;
  settings: ModelSettings;
  models: readonly Model[];
  onSaved: () => void;
}

export function EngineForm({ title, settings, models, onSaved }: Props) {
  const { kind, revision } = settings;
  const form = useForm(engineValuesOf(settings), async ({ changes, values, rebase }) => {
    await call('updateModelSettings', { params: { kind }, body: { ...engineBodyOf(changes), revision } });
    rebase({ ...values, apiKey: '', removesKey: false, fallbackApiKey: '', removesFallbackKey: false });
    say(t('{name}: saved', { name: title }));
    onSaved();
  });
  // Somebody else's change that stood in the way is shown; else what is typed meanwhile, and a test's result, stay.
  useEffect(() => {
    if (form.error?.code === 'CHANGED_MEANWHILE') form.reset(engineValuesOf(settings));
    else form.rebase(engineValuesOf(settings));
  }, [revision]);
  const test = useTest(kind, form.changes);
  useUnsaved(form.isChanged, { of: 'tab' });
  const locked = (field: string): string | undefined => settings.fixed.find((entry) => entry.field === field)?.variable;
  const text = (
    field: 'baseUrl' | 'model' | 'voices' | 'voice' | 'fallbackBaseUrl' | 'fallbackModel',
    hint: string,
  ) => ({
    ...form.field(field),
    disabled: locked(field) !== undefined,
    hint: lockHint(locked(field)) ?? hint,
    autocomplete: 'off',
  });
  const chosen = models.find((model) => model.kind === kind && model.name === form.values.engine);
  const hasServer = chosen === undefined ? kind === 'llm' : usesServer(chosen);
  const hasEngine = kind !== 'speech-to-speech' || (form.values.engine !== '' && form.values.engine !== 'cascade');
  const isTurnedOff = kind === 'speech-to-speech' && settings.engine !== null && !hasEngine;
  const chooseEngine = (engine: string): void => {
    form.set('engine', engine);
    if (kind === 'llm') return;
    // They belonged to the other engine.
    for (const field of ['baseUrl', 'model', 'voices', 'voice'] as const)
      if (locked(field) === undefined) form.set(field, '');
  };
  const keyFields = { form, settings, lockedBy: locked };
  return (
    <Card title={title} actions={<InUse settings={settings} />}>
      <form class="stack" onSubmit={form.submit} aria-label={title}>
        {settings.error !== null && (
          <Notice tone="bad">
            <strong>{t('These settings were not taken: the former engine goes on.')}</strong>
            <span>{settings.error}</span>
          </Notice>
        )}
        <Select
          label={t('Engine')}
          choices={engineChoices(kind, models, form.values.engine)}
          {...form.field('engine')}
          onChange={chooseEngine}
          disabled={locked('engine') !== undefined}
          hint={lockHint(locked('engine')) ?? chosen?.description ?? (isTurnedOff ? t(OFF_HINT) : undefined)}
        />
        {hasServer && (
          <>
            <TextField
              label={t('Address of the server')}
              placeholder="https://"
              inputMode="url"
              {...text('baseUrl', t('Empty: the vendor’s. A server on this machine: http://127.0.0.1:8000/v1'))}
            />
            <TextField
              label={t('Model')}
              {...text('model', t('As the server names it. Empty: the engine’s default'))}
            />
            <KeyField {...keyFields} label={t('API key')} field="apiKey" removes="removesKey" />
            {kind === 'tts' && <TextField label={t('Voices')} {...text('voices', t(VOICES_HINT))} />}
            {kind === 'speech-to-speech' && <TextField label={t('Voice')} {...text('voice', t(VOICE_HINT))} />}
          </>
        )}
        {kind === 'llm' && hasServer && (
          <Fieldset title={t('Second model')} hint={t('Takes over a turn when the first fails before its first word.')}>
            <TextField
              label={t('Address of its server')}
              placeholder="https://"
              inputMode="url"
              {...text('fallbackBaseUrl', t('Empty: the server above'))}
            />
            <TextField label={t('Its model')} {...text('fallbackModel', t('Empty: no second model'))} />
            <KeyField {...keyFields} label={t('Its API key')} field="fallbackApiKey" removes="removesFallbackKey" />
          </Fieldset>
        )}
        <ErrorNotice error={form.error ?? test.error} shown={SHOWN} />
        {form.error?.code === 'CHANGED_MEANWHILE' && (
          <div>
            <Button isSmall onClick={onSaved}>
              {t('Show the newest settings')}
            </Button>
          </div>
        )}
        {test.result !== null && <EngineTestResult kind={kind} result={test.result} />}
        <div class="row">
          <Button
            look="primary"
            isBusy={form.isSending}
            disabled={!form.isChanged}
            label={t('Save {name}', { name: title })}
          >
            {t('Save')}
          </Button>
          <Button
            isBusy={test.isRunning}
            disabled={!hasEngine}
            onClick={test.run}
            label={t('Test {name}', { name: title })}
          >
            {test.isRunning ? t('Testing …') : t('Test')}
          </Button>
          {kind === 'llm' && hasServer && !form.isChanged && <ForgetRefused onForgotten={onSaved} />}
        </div>
      </form>
    </Card>
  );
}

const lockHint = (variable: string | undefined) =>
  variable === undefined ? undefined : (
    <>
      {t('Set by the environment variable')} <code>{variable}</code>
    </>
  );

function InUse({ settings: { running, state } }: { settings: ModelSettings }) {
  return (
    <>
      {running !== null && <code>{running}</code>}
      {state === 'in-use' && running !== null && <Badge tone="good">{t('In use')}</Badge>}
      {state === 'waiting' && <Badge tone="neutral">{t('Being taken …')}</Badge>}
      {state === 'failed' && <Badge tone="bad">{t('Not taken')}</Badge>}
    </>
  );
}

function KeyField({
  label,
  field,
  removes,
  form,
  settings,
  lockedBy,
}: {
  label: string;
  field: 'apiKey' | 'fallbackApiKey';
  removes: 'removesKey' | 'removesFallbackKey';
  form: ReturnType<typeof useForm<EngineValues>>;
  settings: ModelSettings;
  lockedBy: (field: string) => string | undefined;
}) {
  const stored = settings[field];
  const variable = lockedBy(field);
  const isOfOther = stored !== null && variable === undefined && hasOtherServer(field, form.changes);
  const hint = isOfOther
    ? t('Enter the key of this server: the stored one belongs to another and is not sent to it')
    : stored === null
      ? t('It is stored encrypted and never shown')
      : stored.end === null
        ? t('A key is stored. Empty: it stays')
        : t('A key is stored, ending in {end}. Empty: it stays', { end: stored.end });
  return (
    <>
      <TextField
        label={label}
        type="password"
        autocomplete="new-password"
        placeholder={stored === null || isOfOther ? '' : '••••••••'}
        disabled={variable !== undefined || form.values[removes]}
        {...form.field(field)}
        hint={lockHint(variable) ?? hint}
      />
      {stored !== null && variable === undefined && !isOfOther && (
        <Checkbox label={t('Remove the stored key')} {...form.field(removes)} />
      )}
    </>
  );
}

const hasOtherServer = (
  field: 'apiKey' | 'fallbackApiKey',
  { engine, baseUrl, fallbackBaseUrl }: Partial<EngineValues>,
) => (field === 'apiKey' ? engine !== undefined || baseUrl !== undefined : fallbackBaseUrl !== undefined);

function useTest(kind: ModelSettings['kind'], changes: Partial<EngineValues>) {
  const [result, setResult] = useState<ModelTestResult | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [isRunning, setRunning] = useState(false);
  const run = async (): Promise<void> => {
    setRunning(true);
    setError(null);
    setResult(null);
    try {
      setResult((await call('testModelSettings', { params: { kind }, body: engineBodyOf(changes) })).data);
    } catch (fault) {
      setError(faultOf(fault));
    }
    setRunning(false);
  };
  return { result, error, isRunning, run: () => void run() };
}
