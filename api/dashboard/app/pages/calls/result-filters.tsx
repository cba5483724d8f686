// Filters, order and columns of the list of calls by what was found of them.
import { useState } from 'preact/hooks';
import * as LIMITS from '../../api-limits.ts';
import { formatName, resultColumn } from '../../calls/result-columns.tsx';
import {
  chooseOrder,
  chosenOrder,
  isOrder,
  ORDERS,
  type Order as OrderName,
  type Output,
  showColumn,
  shownColumns,
  valuesOf,
} from '../../calls/results-shown.ts';
import { formatPercent } from '../../format.ts';
import { PERCENT, RESULT_VALUE } from '../../limits.ts';
import { route, setQuery } from '../../router.ts';
import { Checkbox, NumberField, Select, TextField } from '../../ui/fields/field.tsx';
import { Fieldset } from '../../ui/fields/fieldset.tsx';
import type { Chip } from '../../ui/filters.tsx';
import { t, words } from '../../words/words.ts';

type Outputs = ReadonlyMap<string, Output>;

const PREFIX = 'output.';
const RESULT_FILTERS = ['minScore', 'maxScore', 'disposition'] as const;

/** Parameters of the address that the API takes as they are. */
export function resultQuery(): Record<string, string> {
  const entries = [...route.value.query].filter(
    ([name, value]) => value !== '' && (name.startsWith(PREFIX) || RESULT_FILTERS.some((each) => each === name)),
  );
  return Object.fromEntries(entries);
}

/** The address's, else the one that was chosen last. */
export function currentOrder(): OrderName {
  const wanted = route.value.query.get('sort');
  return isOrder(wanted) ? wanted : chosenOrder.value;
}

const percentOf = (name: string): number | null => {
  const text = route.value.query.get(name);
  return text === null || Number.isNaN(Number(text)) ? null : Math.round(Number(text) * 100);
};

const fractionOf = (percent: number | null): string =>
  percent === null || Number.isNaN(percent) ? '' : String(Math.min(100, Math.max(0, percent)) / 100);

export function ResultFilters({ outputs }: { outputs: Outputs }) {
  const { query } = route.value;
  const dispositions = outputs.get('disposition');
  const listed = dispositions === undefined ? null : valuesOf(dispositions);
  const percent = (name: string, label: string) => (
    <NumberField
      label={label}
      value={percentOf(name)}
      onChange={(next) => setQuery({ [name]: fractionOf(next), page: undefined })}
      limits={PERCENT}
      inputMode="numeric"
    />
  );
  return (
    <>
      {percent('minScore', t('Score from, %'))}
      {percent('maxScore', t('Score to, %'))}
      <TextField
        label={t('Disposition')}
        value={query.get('disposition') ?? ''}
        onChange={(disposition) => setQuery({ disposition, page: undefined })}
        suggestions={(listed ?? MET).map(([value]) => ({ value }))}
        limits={LIMITS.listCalls.disposition}
      />
      {outputs.size > 0 && <OutputFilter outputs={outputs} />}
    </>
  );
}

const said = (text: string | undefined): string | undefined => (text === undefined ? undefined : t(text));
const LABELS: Record<string, string> = {
  minScore: words('Score from'),
  maxScore: words('Score to'),
  disposition: words('Disposition'),
};

export const resultChips = (): Chip[] =>
  Object.entries(resultQuery()).map(([name, value]) => ({
    name,
    label: said(LABELS[name]) ?? formatName(name.slice(PREFIX.length)),
    text: name.endsWith('Score') ? formatPercent(Number(value)) : value,
  }));

/** Dispositions without an output of that name. */
const MET: ReadonlyArray<[string, string]> = [
  ['met', words('Met')],
  ['partly_met', words('Partly met')],
  ['not_met', words('Not met')],
];

function OutputFilter({ outputs }: { outputs: Outputs }) {
  const { query } = route.value;
  const given = [...query.keys()].find((name) => name.startsWith(PREFIX))?.slice(PREFIX.length) ?? '';
  const [chosen, setChosen] = useState(given);
  const name = given === '' ? chosen : given;
  const output = outputs.get(name);
  const value = query.get(`${PREFIX}${name}`) ?? '';
  const setValue = (next: string) => setQuery({ [`${PREFIX}${name}`]: next, page: undefined });
  const listed = output === undefined ? null : valuesOf(output);
  const names = [...new Set([...outputs.keys(), ...(name === '' ? [] : [name])])];
  return (
    <>
      <Select
        label={t('Value')}
        value={name}
        choices={[{ value: '', text: t('Any') }, ...names.map((each) => ({ value: each, text: formatName(each) }))]}
        onChange={(next) => {
          setChosen(next);
          if (given !== '') setQuery({ [`${PREFIX}${given}`]: undefined, page: undefined });
        }}
      />
      {name !== '' && listed !== null && (
        <Select
          label={t('{name} is', { name: formatName(name) })}
          value={value}
          choices={[{ value: '', text: t('Anything') }, ...listed.map(([each, text]) => ({ value: each, text }))]}
          onChange={setValue}
        />
      )}
      {name !== '' && listed === null && (
        <TextField
          label={t('{name} is', { name: formatName(name) })}
          value={value}
          onChange={setValue}
          limits={RESULT_VALUE}
        />
      )}
    </>
  );
}

/** The columns of results, which this browser remembers. */
export function Columns({ outputs }: { outputs: Outputs }) {
  const known = ['score', 'disposition', ...[...outputs.keys()].filter((name) => name !== 'disposition').map(dataOf)];
  const all = [...new Set([...known, ...shownColumns.value])];
  return (
    <Fieldset title={t('Results in the list')}>
      <div class="filters">
        {all.map((name) => (
          <Checkbox
            key={name}
            label={resultColumn(name).title}
            value={shownColumns.value.includes(name)}
            onChange={(isShown) => showColumn(name, isShown)}
          />
        ))}
      </div>
    </Fieldset>
  );
}

/** The order of the list, which this browser remembers. */
export const Order = () => (
  <Select
    label={t('Order')}
    value={currentOrder()}
    choices={ORDERS.map(([value, text]) => ({ value, text: t(text) }))}
    onChange={(order) => {
      chooseOrder(order);
      setQuery({ sort: undefined, page: undefined });
    }}
  />
);

const dataOf = (name: string): string => `data.${name}`;
