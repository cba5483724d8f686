// The filters of the list of calls. The address contains all of them.
import { useEffect, useState } from 'preact/hooks';
import type { Output } from '../../calls/results-shown.ts';
import { OUTCOME_CHOICES } from '../../calls/words.ts';
import { loadPhoneReader } from '../../phone-reader.ts';
import { link, route, setQuery } from '../../router.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { DayFilters, Filter } from '../../ui/filters.tsx';
import { likelyCountry } from '../../zones.ts';
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
const ALL = ['status', 'direction', 'campaignId', 'from', 'to', 'number', ...MORE] as const;

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
    <form onSubmit={(event) => void ask(event)}>
      <TextField label="Caller or called" type="tel" value={typed} onChange={setTyped} autocomplete="off" />
    </form>
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
        <DayFilters />
        <NumberFilter />
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
