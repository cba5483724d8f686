// The page that lists the alert rules of the account, with their figures.
import type { AlertRule } from '../../api-types.ts';
import { formatNumber } from '../../format.ts';
import { link } from '../../router.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Badge, Empty, Page } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { currentPage } from '../../ui/table.tsx';
import { useApi } from '../../use-api.ts';
import { conditionText, figureText, METRIC_NAMES } from './alert-words.ts';

const REFRESH_MS = 30_000;

export default function AlertsPage() {
  const rules = useApi('listAlertRules', { query: { page: currentPage(), limit: 20 } }, { everyMs: REFRESH_MS });
  const create = (
    <ButtonLink look="primary" href={link('/alerts/new')}>
      New alert
    </ButtonLink>
  );
  return (
    <Page
      title="Alerts"
      lead="You are told when a figure of your calls leaves its bounds, and when it is over."
      actions={create}
    >
      <List
        of={rules}
        label="Alerts"
        empty={
          <Empty title="No alert yet" action={create}>
            For example: more than a fifth of the calls of an hour failed, or nobody has called all day. Who is told of
            single calls is set at each business.
          </Empty>
        }
        keyOf={({ id }) => id}
        columns={[
          { title: 'Alert', cell: ({ id, name }) => <a href={link(`/alerts/${id}`)}>{name}</a> },
          { title: 'Told when', cell: (rule) => <Condition of={rule} /> },
          { title: 'Now', cell: (rule) => <Figure of={rule} /> },
          { title: 'State', cell: (rule) => <AlertState of={rule} /> },
        ]}
      />
    </Page>
  );
}

const Condition = ({ of: rule }: { of: AlertRule }) => (
  <span class="stack tight">
    <span>{METRIC_NAMES[rule.metric]}</span>
    <span class="small soft">{conditionText(rule)}</span>
  </span>
);

export function Figure({ of: { metric, current, calls, evaluatedAt } }: { of: AlertRule }) {
  if (evaluatedAt === null) return <span class="soft">Not looked at yet</span>;
  const of = `${formatNumber(calls)} ${calls === 1 ? 'call' : 'calls'}`;
  return current === null ? (
    <span class="soft">Too few: {of}</span>
  ) : (
    <span class="stack tight">
      <span class="number">{figureText(metric, current)}</span>
      {metric !== 'calls' && <span class="small soft">of {of}</span>}
    </span>
  );
}

export function AlertState({ of: { state, isActive } }: { of: AlertRule }) {
  if (!isActive) return <Badge>Switched off</Badge>;
  return state === 'fires' ? <Badge tone="bad">Fires</Badge> : <Badge tone="good">In bounds</Badge>;
}
