// The filters of the list of calls. The address contains all of them.
import type { Output } from '../../calls/results-shown.ts';
import { OUTCOME_CHOICES } from '../../calls/words.ts';
import { link, route, setQuery } from '../../router.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { type Choice, Select, TextField } from '../../ui/fields/field.tsx';
import { ResultFilters, resultQuery } from './result-filters.tsx';

type Names = ReadonlyMap<string, string>;

const STATUSES: ReadonlyArray<[string, string]> = [
  ['RINGING', 'Ringing'],
  ['IN_PROGRESS', 'In progress'],
  ['COMPLETED', 'Completed'],
  ['VOICEMAIL', 'Answering machine'],
  ['FAILED', 'Failed'],
  ['SCHEDULED', 'Scheduled'],
];
const MORE = ['outcome', 'sentiment', 'agentId', 'businessId', 'phoneNumberId'] as const;
const ALL = ['status', 'direction', 'campaignId', 'from', 'to', ...MORE] as const;

export const hasFilters = (): boolean =>
  ALL.some((name) => route.value.query.has(name)) || Object.keys(resultQuery()).length > 0;

function Filter({
  name,
  label,
  choices,
}: {
  name: string;
  label: string;
  choices: Iterable<readonly [value: string, text: string]>;
}) {
  const value = route.value.query.get(name) ?? '';
  const all: Choice<string>[] = [{ value: '', text: 'All' }];
  for (const [each, text] of choices) all.push({ value: each, text });
  // Keeps a link's value that is no longer among the choices.
  if (!all.some((choice) => choice.value === value)) all.push({ value, text: value });
  return (
    <Select
      label={label}
      value={value}
      choices={all}
      onChange={(next) => setQuery({ [name]: next, page: undefined })}
    />
  );
}

export function CallFilters({
  campaigns,
  agents,
  businesses,
  numbers,
  outputs,
}: {
  campaigns: Names;
  agents: Names;
  businesses: Names;
  numbers: Names;
  outputs: ReadonlyMap<string, Output>;
}) {
  const { query } = route.value;
  const day = (name: string) => query.get(name) ?? '';
  return (
    <search class="stack tight">
      <div class="filters">
        <Filter name="status" label="Status" choices={STATUSES} />
        <Filter
          name="direction"
          label="Direction"
          choices={[
            ['inbound', 'Inbound'],
            ['outbound', 'Outbound'],
          ]}
        />
        <Filter name="campaignId" label="Campaign" choices={campaigns} />
        <TextField
          label="From"
          type="date"
          value={day('from')}
          max={day('to') || undefined}
          onChange={(from) => setQuery({ from, page: undefined })}
        />
        <TextField
          label="To"
          type="date"
          value={day('to')}
          min={day('from') || undefined}
          onChange={(to) => setQuery({ to, page: undefined })}
        />
      </div>
      <details open={MORE.some((name) => query.has(name))}>
        <summary>More filters</summary>
        <div class="filters">
          <Filter name="outcome" label="Outcome" choices={OUTCOME_CHOICES} />
          <Filter
            name="sentiment"
            label="Sentiment"
            choices={[
              ['positive', 'Positive'],
              ['neutral', 'Neutral'],
              ['negative', 'Negative'],
            ]}
          />
          <Filter name="agentId" label="Agent" choices={agents} />
          <Filter name="businessId" label="Business" choices={businesses} />
          <Filter name="phoneNumberId" label="Number" choices={numbers} />
        </div>
      </details>
      <ResultFilters outputs={outputs} />
      {hasFilters() && (
        <div>
          <ButtonLink isSmall href={link('/calls')}>
            Clear filters
          </ButtonLink>
        </div>
      )}
    </search>
  );
}
