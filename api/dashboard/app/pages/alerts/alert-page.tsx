// One alert rule: its figure, each time that it fired, its messages, and its settings.
import { useEffect, useState } from 'preact/hooks';
import type { AlertRule } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { NoticeLog } from '../../notices/notice-log.tsx';
import type { PageProps } from '../../page-props.ts';
import { go, link } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { Card, Empty, Facts, Page } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { Answer } from '../../ui/status.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { currentPage, currentTab, Tabs } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { attempt, say } from '../../ui/toast.tsx';
import { useUnsaved } from '../../unsaved.ts';
import { useApi } from '../../use-api.ts';
import { t, words } from '../../words/words.ts';
import { AlertFields } from './alert-fields.tsx';
import { alertBody, alertValues } from './alert-form.ts';
import { conditionText, figureText, limitText, METRIC_NAMES } from './alert-words.ts';
import { AlertState, Figure } from './alerts-page.tsx';

const TABS: Array<['history' | 'settings', string]> = [
  ['history', words('History')],
  ['settings', words('Settings')],
];
const back = () => ({ href: link('/alerts'), text: t('Alerts') });

export default function AlertPage({ params: { id = '' } }: PageProps) {
  const rule = useApi('getAlertRule', { params: { id } });
  if (rule.answer === null) {
    return (
      <Page title={t('Alert')} back={back()}>
        <Answer of={rule}>{() => null}</Answer>
      </Page>
    );
  }
  return <LoadedAlert found={rule.answer.data} key={id} />;
}

function LoadedAlert({ found }: { found: AlertRule }) {
  const [rule, setRule] = useState(found);
  useEffect(() => setRule(found), [found]);
  const { id, isActive } = rule;
  const tab = currentTab(TABS);
  const setActive = (next: boolean) =>
    attempt(
      async () => setRule((await call('updateAlertRule', { params: { id }, body: { isActive: next } })).data),
      next ? t('Switched on') : t('Switched off'),
    );
  return (
    <Page
      title={rule.name}
      lead={`${t(METRIC_NAMES[rule.metric])} ${conditionText(rule)}`}
      back={back()}
      actions={<Button onClick={() => void setActive(!isActive)}>{isActive ? t('Switch off') : t('Switch on')}</Button>}
    >
      <Facts
        facts={[
          [t('State'), <AlertState key="state" of={rule} />],
          [t('Now'), <Figure key="now" of={rule} />],
          [t('Looked at'), <Time key="looked" at={rule.evaluatedAt} none={t('Not yet')} ago />],
        ]}
      />
      <Tabs tabs={TABS.map(([name, text]) => [name, t(text)])} current={tab} />
      {tab === 'history' ? <History id={id} /> : <Settings rule={rule} onSaved={setRule} />}
    </Page>
  );
}

function History({ id }: { id: string }) {
  const firings = useApi('listAlertFirings', { params: { id }, query: { page: currentPage(), limit: 20 } });
  const messages = useApi('listAlertNotices', { params: { id }, query: { page: 1, limit: 20 } });
  return (
    <>
      <List
        of={firings}
        label={t('Firings')}
        empty={<Empty title={t('It has not fired')}>{t('Each time that it does is listed for 90 days.')}</Empty>}
        keyOf={(firing) => firing.id}
        columns={[
          { title: t('Fired'), cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            title: t('Figure'),
            cell: ({ metric, value, comparison, limit }) =>
              `${figureText(metric, value)}, ${limitText(metric, comparison, limit)}`,
          },
          { title: t('Over'), cell: ({ endedAt }) => <Time at={endedAt} none={t('Not yet')} /> },
        ]}
      />
      <NoticeLog messages={messages} />
    </>
  );
}

function Settings({ rule, onSaved }: { rule: AlertRule; onSaved: (rule: AlertRule) => void }) {
  const { id } = rule;
  const form = useForm(alertValues(rule), async ({ values, rebase }) => {
    const { data } = await call('updateAlertRule', { params: { id }, body: alertBody(values) });
    onSaved(data);
    rebase(alertValues(data));
    say(t('Saved'));
  });
  useUnsaved(form.isChanged, { of: 'tab' });
  const remove = () =>
    confirm({
      title: t('Delete this alert?'),
      text: t('Nobody is told any more, and what it fired is no longer listed.'),
      action: t('Delete the alert'),
      perform: async () => {
        await call('deleteAlertRule', { params: { id } });
        say(t('Alert deleted'));
        go(link('/alerts'), { replace: true });
      },
    });
  const test = async (index: number) => (await call('testAlertRule', { params: { id }, body: { index } })).data;
  return (
    <div class="stack narrow">
      <SubmitForm form={form} shown={Object.keys(form.values)} send={t('Save')} disabled={!form.isChanged}>
        <AlertFields form={form} onTest={test} />
      </SubmitForm>
      <Card title={t('Delete')}>
        <div>
          <Button look="danger" onClick={remove}>
            {t('Delete the alert')}
          </Button>
        </div>
      </Card>
    </div>
  );
}
