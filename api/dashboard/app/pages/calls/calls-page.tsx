import type { Operations } from '../../api-types.ts';
import { CallTable } from '../../calls/call-table.tsx';
import { endOfDay, startOfDay } from '../../calls/local-days.ts';
import { useAgentNames, useBusinessNames, useCampaignNames, useNumbers } from '../../calls/use-names.ts';
import { link, route } from '../../router.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Empty, Page } from '../../ui/layout.tsx';
import { Answer } from '../../ui/status.tsx';
import { currentPage, Pages } from '../../ui/table.tsx';
import { useApi } from '../../use-api.ts';
import { CallFilters, hasFilters } from './call-filters.tsx';

const RENEWED_EVERY_MS = 10_000;

type CallQuery = Operations['listCalls']['query'];
const VALUES = [
  'status',
  'direction',
  'outcome',
  'sentiment',
  'campaignId',
  'agentId',
  'businessId',
  'phoneNumberId',
] as const;

function callQuery(): CallQuery {
  const { query } = route.value;
  const values = Object.fromEntries(VALUES.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : [])));
  return {
    ...values,
    startDate: startOfDay(query.get('from')),
    endDate: endOfDay(query.get('to')),
    page: currentPage(),
    limit: 25,
  } as CallQuery;
}

export default function CallsPage() {
  const campaigns = useCampaignNames();
  const agents = useAgentNames();
  const businesses = useBusinessNames();
  const numbers = useNumbers();
  const calls = useApi('listCalls', { query: callQuery() }, { everyMs: RENEWED_EVERY_MS });
  return (
    <Page
      title="Calls"
      lead="Every call in and out, the newest first. Open one to hear it and read it."
      actions={
        <>
          <ButtonLink href={link('/talk')}>Talk to an agent</ButtonLink>
          <ButtonLink look="primary" href={link('/calls/new')}>
            Place a call
          </ButtonLink>
        </>
      }
    >
      <CallFilters campaigns={campaigns} agents={agents} businesses={businesses} numbers={numbers} />
      <Answer of={calls}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <NoCalls />
          ) : (
            <>
              <CallTable label="Calls" calls={data} campaigns={campaigns} />
              <Pages of={pagination} />
            </>
          )
        }
      </Answer>
    </Page>
  );
}

function NoCalls() {
  if (hasFilters() || currentPage() > 1) {
    return (
      <Empty title="No call fits" action={<ButtonLink href={link('/calls')}>Show all calls</ButtonLink>}>
        Take away a filter, or widen the dates.
      </Empty>
    );
  }
  return (
    <Empty
      title="No calls yet"
      action={
        <ButtonLink look="primary" href={link('/talk')}>
          Talk to an agent
        </ButtonLink>
      }
    >
      Talk to an agent from this browser, call one of your numbers, or place a call. It appears here as soon as it
      rings.
    </Empty>
  );
}
