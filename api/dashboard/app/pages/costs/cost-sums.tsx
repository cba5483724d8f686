// Sums of costs: by day as a plot, and by what they are asked for as a table.
import type { ComponentChildren } from 'preact';
import { DAY_MS } from '../../../../../db/domain/hours/durations.ts';
import { utcDay } from '../../../../../db/domain/hours/utc-days.ts';
import type { CostSum, CostSums, CostSumsAnswer } from '../../api-types.ts';
import { formatDayOfYear, formatNumber } from '../../format.ts';
import { link, route, setQuery } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Empty, Figures } from '../../ui/layout.tsx';
import { Plot } from '../../ui/plot/plot.tsx';
import { Answer } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import type { Loaded } from '../../use-api.ts';
import { t, words } from '../../words/words.ts';
import { formatAmount } from './cost-words.ts';

export type CostGroup = 'account' | 'business' | 'campaign' | 'agent';
const GROUP_NAMES: Record<CostGroup, string> = {
  account: words('Account'),
  business: words('Business'),
  campaign: words('Campaign'),
  agent: words('Agent'),
};
const COST_BY: Record<CostGroup, string> = {
  account: words('Cost by account'),
  business: words('Cost by business'),
  campaign: words('Cost by campaign'),
  agent: words('Cost by agent'),
};
const RANGES = [7, 30, 90] as const;

/** The days and the group that the address asks for. */
export function costWish(groups: readonly CostGroup[]): { from: string; by: CostGroup } {
  const { query } = route.value;
  const days = RANGES.find((each) => String(each) === query.get('days')) ?? 30;
  const from = utcDay(Date.now() - (days - 1) * DAY_MS);
  return { from, by: groups.find((group) => group === query.get('by')) ?? groups[0] ?? 'agent' };
}

interface Props {
  groups: readonly CostGroup[];
  days: Loaded<CostSumsAnswer>;
  sums: Loaded<CostSumsAnswer>;
  onExport: () => void;
  /** Where nothing has cost anything. */
  hint: ComponentChildren;
}

export function CostSumsView({ groups, days, sums, onExport, hint }: Props) {
  const { by } = costWish(groups);
  return (
    <>
      <div class="row spread">
        <fieldset class="segments">
          <legend class="visually-hidden">{t('Days')}</legend>
          {RANGES.map((each) => (
            <Button
              key={each}
              isSmall
              pressed={String(each) === (route.value.query.get('days') ?? '30')}
              onClick={() => setQuery({ days: each === 30 ? undefined : String(each) })}
            >
              {t('{count} days', { count: each })}
            </Button>
          ))}
        </fieldset>
        <Button onClick={onExport}>{t('Export')}</Button>
      </div>
      <Answer of={days}>{({ data }) => <Days sums={data} hint={hint} />}</Answer>
      <Card
        title={t(COST_BY[by])}
        actions={
          <fieldset class="segments">
            <legend class="visually-hidden">{t('By')}</legend>
            {groups.map((group) => (
              <Button
                key={group}
                isSmall
                pressed={group === by}
                onClick={() => setQuery({ by: group === groups[0] ? undefined : group })}
              >
                {t(GROUP_NAMES[group])}
              </Button>
            ))}
          </fieldset>
        }
      >
        <Answer of={sums}>{({ data }) => <Groups sums={data.sums} by={by} />}</Answer>
      </Card>
    </>
  );
}

function Days({ sums: { from, to, sums }, hint }: { sums: CostSums; hint: ComponentChildren }) {
  const currency = sums.findLast((sum) => sum.currency !== null)?.currency ?? null;
  const partial = sums.reduce((count, each) => count + each.partialCalls, 0);
  if (currency === null) return <Empty title={t('Nothing has a price yet')}>{hint}</Empty>;
  const priced = sums.filter((sum) => sum.currency === currency);
  const names = daysBetween(from, to);
  const of = (part: 'llm' | 'stt' | 'tts' | 'trunk') =>
    names.map((day) => Number(priced.find(({ group }) => group === day)?.[part] ?? 0));
  const total = priced.reduce((sum, each) => sum + Number(each.total), 0);
  const calls = sums.reduce((sum, each) => sum + each.calls, 0);
  const format = (value: number): string => formatAmount(String(value), currency);
  return (
    <>
      <Figures
        figures={[
          [t('Total'), format(total)],
          [t('Calls and conversations'), formatNumber(calls)],
          [t('Per call'), format(calls === 0 ? 0 : total / calls)],
        ]}
      />
      <Card title={t('Cost by day')}>
        <Plot
          label={t('Cost by day')}
          labels={names.map(formatDayOfYear)}
          format={format}
          least={0}
          series={[
            { name: t('Language model'), values: of('llm'), token: '--agent', kind: 'bar' },
            { name: t('Recogniser'), values: of('stt'), token: '--caller', kind: 'bar' },
            { name: t('Voice'), values: of('tts'), token: '--good', kind: 'bar' },
            { name: t('Trunk'), values: of('trunk'), token: '--warn', kind: 'bar' },
          ]}
        />
        {partial > 0 && (
          <p class="small soft">
            {t('In {count} of them something has no price, and is not in the sums.', { count: formatNumber(partial) })}{' '}
            {t('Days are those of UTC.')}
          </p>
        )}
      </Card>
    </>
  );
}

function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) days.push(utcDay(at));
  return days;
}

const PATHS: Record<CostGroup, string | null> = {
  account: null,
  business: '/businesses',
  campaign: '/campaigns',
  agent: '/agents',
};

function Groups({ sums, by }: { sums: readonly CostSum[]; by: CostGroup }) {
  if (sums.length === 0) return <p class="soft">{t('No call of these days has been priced.')}</p>;
  const path = PATHS[by];
  const name = (sum: CostSum) => sum.name ?? sum.group;
  return (
    <Table
      label={t(COST_BY[by])}
      rows={sums}
      keyOf={({ group, currency }) => `${group} ${currency}`}
      columns={[
        {
          title: t(GROUP_NAMES[by]),
          cell: (sum) => (path === null ? name(sum) : <a href={link(`${path}/${sum.group}`)}>{name(sum)}</a>),
        },
        { title: t('Calls'), isNumber: true, cell: ({ calls }) => formatNumber(calls) },
        { title: t('Model'), isNumber: true, cell: ({ llm, currency }) => formatAmount(llm, currency) },
        { title: t('Recogniser'), isNumber: true, cell: ({ stt, currency }) => formatAmount(stt, currency) },
        { title: t('Voice'), isNumber: true, cell: ({ tts, currency }) => formatAmount(tts, currency) },
        { title: t('Trunk'), isNumber: true, cell: ({ trunk, currency }) => formatAmount(trunk, currency) },
        { title: t('Total'), isNumber: true, cell: ({ total, currency }) => formatAmount(total, currency) },
      ]}
    />
  );
}
