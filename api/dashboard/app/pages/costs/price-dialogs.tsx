// The dialogs by which an ADMIN adds a price, and brings the table of a trunk.
import { useState } from 'preact/hooks';
import * as LIMITS from '../../api-limits.ts';
import type { CreatePriceBody, Price } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { formatNumber } from '../../format.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Select, TextField } from '../../ui/fields/field.tsx';
import { FileField } from '../../ui/fields/file-field.tsx';
import { TrunkField } from '../../ui/fields/record-field.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { say } from '../../ui/toast.tsx';
import { said, t, words } from '../../words/words.ts';
import { KIND_NAMES } from './cost-words.ts';

type Kind = Price['kind'];
const KINDS = Object.entries(KIND_NAMES).map(([value, text]) => ({ value: value as Kind, text }));
const DIRECTIONS = [
  { value: 'outbound', text: words('Outbound') },
  { value: 'inbound', text: words('Inbound') },
] as const;

const RATES = {
  llm: [
    ['perMillionInput', words('A million tokens of prompts')],
    ['perMillionCached', words('A million tokens from the cache')],
    ['perMillionOutput', words('A million tokens of answers')],
  ],
  speech_to_speech: [
    ['perMinute', words('A minute of the session')],
    ['perMillionInput', words('A million tokens in')],
    ['perMillionCached', words('A million tokens from the cache')],
    ['perMillionOutput', words('A million tokens out')],
  ],
  stt: [['perMinute', words('A minute of sound')]],
  tts: [
    ['perThousandCharacters', words('A thousand characters')],
    ['perMinute', words('A minute of speech')],
  ],
  trunk: [
    ['perMinute', words('A minute')],
    ['connectionFee', words('A connection')],
  ],
} as const satisfies Record<Kind, ReadonlyArray<readonly [keyof CreatePriceBody, string]>>;

interface Values {
  kind: Kind;
  engine: string;
  model: string;
  trunkId: string | null;
  direction: 'inbound' | 'outbound';
  prefix: string;
  increment: string;
  perMinute: string;
  perThousandCharacters: string;
  perMillionInput: string;
  perMillionCached: string;
  perMillionOutput: string;
  connectionFee: string;
  currency: string;
}

const FRESH: Values = {
  ...{ kind: 'llm', engine: '', model: '', trunkId: null, direction: 'outbound', prefix: '', increment: '' },
  ...{ perMinute: '', perThousandCharacters: '', perMillionInput: '', perMillionCached: '', perMillionOutput: '' },
  ...{ connectionFee: '', currency: 'USD' },
};

function bodyOf(values: Values): CreatePriceBody {
  const { kind, engine, model, trunkId, direction, prefix, increment, currency } = values;
  const rates: Partial<CreatePriceBody> = {};
  for (const [name] of RATES[kind]) {
    const text = values[name].trim().replace(',', '.');
    if (text !== '') rates[name] = text;
  }
  const of =
    kind === 'trunk'
      ? {
          trunkId,
          direction,
          prefix: prefix.trim(),
          ...(increment.trim() === '' ? {} : { increment: increment.trim() }),
        }
      : { engine: engine.trim() || null, model: model.trim() || null };
  return { kind, ...of, ...rates, currency: currency.trim().toUpperCase() };
}

interface Props {
  /** Of the prices that there are. */
  currency: string;
  onAdded: () => void;
  onClose: () => void;
}

export function AddPrice({ currency, onAdded, onClose }: Props) {
  const form = useForm<Values>({ ...FRESH, currency }, async ({ values }) => {
    await call('createPrice', { body: bodyOf(values) });
    say(t('Price added, for calls that begin from now on'));
    onAdded();
    onClose();
  });
  const { field, values } = form;
  const isOfTrunk = values.kind === 'trunk';
  return (
    <Dialog title={t('Add a price')} onClose={onClose}>
      <SubmitForm form={form} shown={Object.keys(FRESH)} send={t('Add')} onCancel={onClose}>
        <Select label={t('Of')} {...field('kind')} choices={said(KINDS)} />
        {isOfTrunk ? (
          <>
            <TrunkField label={t('Trunk')} none={t('Every trunk')} {...field('trunkId')} />
            <div class="columns">
              <Select label={t('Direction')} {...field('direction')} choices={said(DIRECTIONS)} />
              <TextField
                label={t('Numbers that begin with')}
                hint={t('Empty: any. The longest beginning counts.')}
                placeholder="+49"
                {...field('prefix')}
              />
            </div>
          </>
        ) : (
          <div class="columns">
            <TextField label={t('Engine')} hint={t('Empty: every engine')} placeholder="openai" {...field('engine')} />
            <TextField
              label={t('Model')}
              hint={t('A name, or a part with *')}
              placeholder="gpt-4.1*"
              {...field('model')}
            />
          </div>
        )}
        <div class="columns">
          {RATES[values.kind].map(([name, label]) => (
            <TextField key={name} label={t(label)} inputMode="decimal" placeholder="0.0000" {...field(name)} />
          ))}
          {isOfTrunk && (
            <TextField
              label={t('Counted in seconds')}
              hint={t('60/60: whole minutes')}
              placeholder="1/1"
              {...field('increment')}
            />
          )}
          <TextField label={t('Currency')} limits={LIMITS.CreatePriceBody.currency} required {...field('currency')} />
        </div>
      </SubmitForm>
    </Dialog>
  );
}

interface TableValues {
  trunkId: string | null;
  direction: 'inbound' | 'outbound';
  currency: string;
}

export function ImportPrices({ currency: known, onAdded, onClose }: Props) {
  const [file, setFile] = useState<File | null>(null);
  const form = useForm<TableValues>({ trunkId: null, direction: 'outbound', currency: known }, async ({ values }) => {
    if (file === null) return;
    const { trunkId, direction, currency } = values;
    const query = { direction, currency: currency.trim().toUpperCase(), ...(trunkId === null ? {} : { trunkId }) };
    // The table itself, which means the same as a body.
    const body = file as unknown as Parameters<typeof call<'importTrunkPrices'>>[1]['body'];
    const { data } = await call('importTrunkPrices', { query, body }, { headers: { 'content-type': 'text/csv' } });
    say(t('{count} prices are added', { count: formatNumber(data.added) }));
    onAdded();
    onClose();
  });
  const { field } = form;
  return (
    <Dialog title={t('Import the prices of a trunk')} onClose={onClose}>
      <SubmitForm
        form={form}
        shown={['trunkId', 'direction', 'currency']}
        send={t('Import')}
        disabled={file === null}
        onCancel={onClose}
      >
        <TrunkField label={t('Trunk')} none={t('Every trunk')} {...field('trunkId')} />
        <div class="columns">
          <Select label={t('Direction')} {...field('direction')} choices={said(DIRECTIONS)} />
          <TextField label={t('Currency')} required {...field('currency')} />
        </div>
        <FileField
          label={file === null ? t('Table (CSV)') : file.name}
          hint={t('The first row names the columns: prefix and perMinute, perhaps connectionFee and increment.')}
          accept=".csv,text/csv"
          onChange={setFile}
        />
      </SubmitForm>
    </Dialog>
  );
}
