// The page that lists calls, with filters.
import type { Operations } from '../../api-operations.ts';
import { CallTable } from '../../calls/call-table.tsx';
import { endOfDay, startOfDay } from '../../calls/local-days.ts';
import { outputsOfAll, shownColumns } from '../../calls/results-shown.ts';
import { useAgentNames, useNumbers } from '../../calls/use-names.ts';
import { call } from '../../client.ts';
import { link, route } from '../../router.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { download } from '../../ui/download.ts';
import { Empty, Page } from '../../ui/layout.tsx';
import { Answer } from '../../ui/status.tsx';
import { currentPage, Pages } from '../../ui/table.tsx';
import { attempt } from '../../ui/toast.tsx';
import { useAll } from '../../use-all.ts';
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';
import { CallFilters, CHOSEN, hasFilters } from './call-filters.tsx';
import { currentOrder, resultQuery } from './result-filters.tsx';

const RENEWED_EVERY_MS = 10_000;

type CallQuery = Operations['listCalls']['query'];
function callQuery(): CallQuery {
  const { query } = route.value;
  const values = Object.fromEntries(CHOSEN.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : [])));
  return {
    ...values,
    ...resultQuery(),
    sort: currentOrder(),
    startDate: startOfDay(query.get('from')),
    endDate: endOfDay(query.get('to')),
    page: currentPage(),
    limit: 25,
  } as CallQuery;
}

export default function CallsPage() {
  const campaigns = useAll('listCampaigns').answer;
  const businesses = useAll('listBusinesses').answer;
  const agents = useAgentNames();
  const numbers = useNumbers();
  const campaignNames = namesOf(campaigns);
  const outputs = outputsOfAll([...(businesses ?? []), ...(campaigns ?? [])]);
  const calls = useApi('listCalls', { query: callQuery() }, { everyMs: RENEWED_EVERY_MS });
  return (
    <Page
      title={t('Calls')}
      lead={t('Every call in and out. Open one to hear it and read it.')}
      actions={
        <>
          <Button onClick={() => void exported()}>{t('Export')}</Button>
          <ButtonLink href={link('/talk')}>{t('Talk to an agent')}</ButtonLink>
          <ButtonLink look="primary" href={link('/calls/new')}>
            {t('Place a call')}
          </ButtonLink>
        </>
      }
    >
      <CallFilters
        campaigns={campaignNames}
        agents={agents}
        businesses={namesOf(businesses)}
        numbers={numbers}
        outputs={outputs}
      />
      <Answer of={calls}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <NoCalls />
          ) : (
            <>
              <CallTable label={t('Calls')} calls={data} campaigns={campaignNames} results={shownColumns.value} />
              <Pages of={pagination} />
            </>
          )
        }
      </Answer>
    </Page>
  );
}

/** The table of all calls that the filters show. */
async function exported(): Promise<void> {
  const { page: _page, limit: _limit, sort: _sort, ...filter } = callQuery();
  await attempt(async () => download(await call('exportCalls', { query: filter }), 'calls.csv'));
}

const namesOf = (records: ReadonlyArray<{ id: string; name: string }> | null): ReadonlyMap<string, string> =>
  new Map(records?.map(({ id, name }) => [id, name]));

function NoCalls() {
  if (hasFilters() || currentPage() > 1) {
    return (
      <Empty title={t('No call fits')} action={<ButtonLink href={link('/calls')}>{t('Show all calls')}</ButtonLink>}>
        {t('Take away a filter, or widen the dates.')}
      </Empty>
    );
  }
  if (currentOrder().endsWith('score')) {
    return (
      <Empty title={t('No call has a score')}>
        {t('By score only calls are listed that criteria were judged of. Choose another order to see all.')}
      </Empty>
    );
  }
  return (
    <Empty
      title={t('No calls yet')}
      action={
        <ButtonLink look="primary" href={link('/talk')}>
          {t('Talk to an agent')}
        </ButtonLink>
      }
    >
      {t(
        'Talk to an agent from this browser, call one of your numbers, or place a call. It appears here as soon as it rings.',
      )}
    </Empty>
  );
}
