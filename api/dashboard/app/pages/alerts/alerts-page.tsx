// The page that lists the alert rules of the account, with their figures.
import type { AlertRule } from '../../api-types.ts';
import { formatNumber } from '../../format.ts';
import { link } from '../../router.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Badge, Empty, Page } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { currentPage } from '../../ui/table.tsx';
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';
import { conditionText, figureText, METRIC_NAMES } from './alert-words.ts';

const REFRESH_MS = 30_000;

export default function AlertsPage() {
  const rules = useApi('listAlertRules', { query: { page: currentPage(), limit: 20 } }, { everyMs: REFRESH_MS });
  const create = (
    <ButtonLink look="primary" href={link('/alerts/new')}>
      {t('New alert')}
    </ButtonLink>
  );
  return (
    <Page
      title={t('Alerts')}
      lead={t('You are told when a figure of your calls leaves its bounds, and when it is over.')}
      actions={create}
    >
      <List
        of={rules}
        label={t('Alerts')}
        empty={
          <Empty title={t('No alert yet')} action={create}>
            {t(
              'For example: more than a fifth of the calls of an hour failed, or nobody has called all day. Who is told of single calls is set at each business.',
            )}
          </Empty>
        }
        keyOf={({ id }) => id}
        columns={[
          { title: t('Alert'), cell: ({ id, name }) => <a href={link(`/alerts/${id}`)}>{name}</a> },
          { title: t('Told when'), cell: (rule) => <Condition of={rule} /> },
          { title: t('Now'), cell: (rule) => <Figure of={rule} /> },
          { title: t('State'), cell: (rule) => <AlertState of={rule} /> },
        ]}
      />
    </Page>
  );
}

const Condition = ({ of: rule }: { of: AlertRule }) => (
  <span class="stack tight">
    <span>{t(METRIC_NAMES[rule.metric])}</span>
    <span class="small soft">{conditionText(rule)}</span>
  </span>
);

export function Figure({ of: { metric, current, calls, evaluatedAt } }: { of: AlertRule }) {
  if (evaluatedAt === null) return <span class="soft">{t('Not looked at yet')}</span>;
  const of = calls === 1 ? t('1 call') : t('{count} calls', { count: formatNumber(calls) });
  return current === null ? (
    <span class="soft">{t('Too few: {calls}', { calls: of })}</span>
  ) : (
    <span class="stack tight">
      <span class="number">{figureText(metric, current)}</span>
      {metric !== 'calls' && <span class="small soft">{t('of {calls}', { calls: of })}</span>}
    </span>
  );
}

export function AlertState({ of: { state, isActive } }: { of: AlertRule }) {
  if (!isActive) return <Badge>{t('Switched off')}</Badge>;
  return state === 'fires' ? <Badge tone="bad">{t('Fires')}</Badge> : <Badge tone="good">{t('In bounds')}</Badge>;
}
