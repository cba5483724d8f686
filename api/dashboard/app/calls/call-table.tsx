// Calls in a table: the list, the live ones, the latest failures.
import type { Call } from '../api-types.ts';
import { formatDuration, formatNumber } from '../format.ts';
import { link } from '../router.ts';
import { type Column, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { t } from '../words/words.ts';
import { CallStatus } from './call-status.tsx';
import { resultColumn } from './result-columns.tsx';
import { otherParty, reasonWords } from './words.ts';

type Names = ReadonlyMap<string, string>;

const when = (): Column<Call> => ({
  title: t('Began'),
  cell: ({ id, startedAt }) => (
    <a class="nowrap" href={link(`/calls/${id}`)}>
      <Time at={startedAt} />
    </a>
  ),
});

const who = (): Column<Call> => ({
  title: t('With'),
  isLine: true,
  cell: (call) => (
    <span>
      <span class="soft" title={call.direction === 'inbound' ? t('Inbound') : t('Outbound')}>
        <span aria-hidden="true">{call.direction === 'inbound' ? '↙' : '↗'}</span>
        <span class="visually-hidden">{call.direction === 'inbound' ? t('Inbound from') : t('Outbound to')}</span>
      </span>{' '}
      {otherParty(call)}
    </span>
  ),
});

const status = (): Column<Call> => ({ title: t('Result'), cell: (call) => <CallStatus call={call} /> });

export function CallTable({
  label,
  calls,
  campaigns,
  results = [],
}: {
  label: string;
  calls: readonly Call[];
  campaigns: Names;
  /** Columns of what was found of them, by `resultColumn`'s names. */
  results?: readonly string[];
}) {
  return (
    <Table
      label={label}
      rows={calls}
      keyOf={({ id }) => id}
      columns={[
        when(),
        who(),
        {
          title: t('Campaign'),
          isLine: true,
          cell: ({ campaignId }) => campaigns.get(campaignId) ?? <code>{campaignId}</code>,
        },
        status(),
        ...results.map(resultColumn),
        {
          title: t('Duration'),
          isNumber: true,
          cell: ({ endedAt, durationSeconds }) =>
            endedAt === null || durationSeconds === 0 ? '' : formatDuration(durationSeconds),
        },
        {
          title: t('Response gap'),
          isNumber: true,
          cell: ({ latency }) =>
            latency === null || latency.turns === 0 ? '' : `${formatNumber(Math.round(latency.p50Ms))} ms`,
        },
      ]}
    />
  );
}

/** Failed calls, with reasons. */
export function FailureTable({ calls }: { calls: readonly Call[] }) {
  return (
    <Table
      label={t('Latest failures')}
      rows={calls}
      keyOf={({ id }) => id}
      columns={[
        when(),
        who(),
        { title: t('Why'), cell: ({ endReason }) => (endReason === null ? '–' : reasonWords(endReason)) },
      ]}
    />
  );
}
