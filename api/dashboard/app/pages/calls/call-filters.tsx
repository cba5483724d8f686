// The filters, the order and the columns of the list of calls. The address contains the filters; the browser remembers
// the rest.
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import type { Output } from '../../calls/results-shown.ts';
import { outcomeChoices, PROBLEM_CHOICES } from '../../calls/words.ts';
import { loadPhoneReader } from '../../phone-reader.ts';
import { route, setQuery } from '../../router.ts';
import { TextField } from '../../ui/fields/field.tsx';
import { type ChoiceFilter, chipsOf, DayFilters, dayChips, Filter, FilterChips } from '../../ui/filters.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { t, words } from '../../words/words.ts';
import { likelyCountry } from '../../zones.ts';
import { Columns, Order, ResultFilters, resultChips, resultQuery } from './result-filters.tsx';

type Names = ReadonlyMap<string, string>;

const STATUSES: ReadonlyArray<[string, string]> = [
  ['RINGING', words('Ringing')],
  ['IN_PROGRESS', words('In progress')],
  ['COMPLETED', words('Completed')],
  ['VOICEMAIL', words('Answering machine')],
  ['FAILED', words('Failed')],
  ['SCHEDULED', words('Scheduled')],
];
const DIRECTIONS: ReadonlyArray<[string, string]> = [
  ['inbound', words('Inbound')],
  ['outbound', words('Outbound')],
];
const SENTIMENTS: ReadonlyArray<[string, string]> = [
  ['positive', words('Positive')],
  ['neutral', words('Neutral')],
  ['negative', words('Negative')],
];
const PROBLEMS: ReadonlyArray<[string, string]> = [
  ['any', words('Anything')],
  ...PROBLEM_CHOICES.map(([kind, text]): [string, string] => [kind, text]),
];
const said = (choices: ReadonlyArray<[string, string]>): Array<[string, string]> =>
  choices.map(([value, text]) => [value, t(text)]);

/** Parameters that the API takes as they are. */
export const CHOSEN = [
  'status',
  'direction',
  'outcome',
  'sentiment',
  'campaignId',
  'agentId',
  'businessId',
  'phoneNumberId',
  'number',
  'problem',
] as const;
const ALL = [...CHOSEN, 'from', 'to'] as const;

export const hasFilters = (): boolean =>
  ALL.some((name) => route.value.query.has(name)) || Object.keys(resultQuery()).length > 0;

/** Of the other side; as it is typed it is part of no address. */
function NumberFilter() {
  const asked = route.value.query.get('number') ?? '';
  const [typed, setTyped] = useState(asked);
  useEffect(() => setTyped(asked), [asked]);
  const ask = async (event: Event) => {
    event.preventDefault();
    const { toE164 } = await loadPhoneReader();
    setQuery({ number: typed.trim() && (toE164(typed, likelyCountry()) ?? typed.trim()), page: undefined });
  };
  return (
    <form class="bar-search" onSubmit={(event) => void ask(event)}>
      <Icon name="search" />
      <TextField
        label={t('Caller or called')}
        type="tel"
        value={typed}
        onChange={setTyped}
        autocomplete="off"
        placeholder={t('Number of the caller or called')}
      />
    </form>
  );
}

interface FilterRecords {
  campaigns: Names;
  agents: Names;
  businesses: Names;
  numbers: Names;
  outputs: ReadonlyMap<string, Output>;
}

export function CallFilters({ campaigns, agents, businesses, numbers, outputs }: FilterRecords) {
  const [open, setOpen] = useState<'filters' | 'columns' | null>(null);
  const id = useId();
  const choices: ChoiceFilter[] = [
    { name: 'status', label: t('Status'), choices: said(STATUSES) },
    { name: 'outcome', label: t('Outcome'), choices: outcomeChoices() },
    { name: 'problem', label: t('Wrong'), choices: said(PROBLEMS) },
    { name: 'direction', label: t('Direction'), choices: said(DIRECTIONS) },
    { name: 'sentiment', label: t('Sentiment'), choices: said(SENTIMENTS) },
    { name: 'campaignId', label: t('Campaign'), choices: campaigns },
    { name: 'businessId', label: t('Business'), choices: businesses },
    { name: 'agentId', label: t('Agent'), choices: agents },
    { name: 'phoneNumberId', label: t('Number'), choices: numbers },
  ];
  const number = route.value.query.get('number') ?? '';
  const numberChips = number === '' ? [] : [{ name: 'number', label: t('With'), text: number }];
  const toggle = (name: 'filters' | 'columns') => ({
    controls: id,
    isOpen: open === name,
    onClick: () => setOpen(open === name ? null : name),
  });
  return (
    <search class="stack tight">
      <div class="bar">
        <NumberFilter />
        <Opener icon="list-filter" {...toggle('filters')}>
          {t('Filters')}
        </Opener>
        <Opener icon="columns-3" {...toggle('columns')}>
          {t('Columns')}
        </Opener>
        <Order />
      </div>
      <div id={id} class={open === null ? '' : 'card'}>
        {open === 'filters' && (
          <div class="filters">
            {choices.map((each) => (
              <Filter key={each.name} {...each} />
            ))}
            <DayFilters />
            <ResultFilters outputs={outputs} />
          </div>
        )}
        {open === 'columns' && <Columns outputs={outputs} />}
      </div>
      <FilterChips chips={[...chipsOf(choices), ...dayChips(), ...numberChips, ...resultChips()]} />
    </search>
  );
}

interface OpenerProps {
  icon: IconName;
  controls: string;
  isOpen: boolean;
  onClick: () => void;
  children: ComponentChildren;
}

function Opener({ icon, controls, isOpen, onClick, children }: OpenerProps) {
  return (
    <button type="button" class="button" aria-expanded={isOpen} aria-controls={controls} onClick={onClick}>
      <Icon name={icon} />
      {children}
    </button>
  );
}
