// One test suite: its cases, its runs, its settings, and a run of it now.
import { useState } from 'preact/hooks';
import type { TestSuite } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import type { PageProps } from '../../page-props.ts';
import { leave, link } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { Page } from '../../ui/layout.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import { Answer } from '../../ui/status.tsx';
import { currentTab, Tabs } from '../../ui/table.tsx';
import { attempt, say } from '../../ui/toast.tsx';
import { useUnsaved } from '../../unsaved.ts';
import { useApi } from '../../use-api.ts';
import { t, words } from '../../words/words.ts';
import { CasesTab } from './cases-tab.tsx';
import { RunsTab } from './runs-tab.tsx';
import { bodyOf, SUITE_FIELDS, SuiteFields, valuesOfSuite } from './suite-fields.tsx';

const LIST = link('/tests');
const back = () => ({ href: LIST, text: t('Tests') });
const TABS: Array<['cases' | 'runs' | 'settings', string]> = [
  ['cases', words('Cases')],
  ['runs', words('Runs')],
  ['settings', words('Settings')],
];

export default function SuitePage({ params: { id = '' } }: PageProps) {
  const suite = useApi('getTestSuite', { params: { id } });
  if (suite.answer === null) {
    return (
      <Page title={t('Test suite')} back={back()}>
        <Answer of={suite}>{() => null}</Answer>
      </Page>
    );
  }
  return <LoadedSuite found={suite.answer.data} key={id} />;
}

function LoadedSuite({ found }: { found: TestSuite }) {
  const [suite, setSuite] = useState(found);
  const { id, name } = suite;
  const tab = currentTab(TABS);
  const run = () =>
    attempt(async () => {
      const { data } = await call('startTestRun', { params: { id }, body: {} });
      leave(link(`/tests/runs/${data.id}`));
    });
  const remove = () =>
    confirm({
      title: t('Delete {name}?', { name }),
      text: t('Its cases and runs are deleted too.'),
      action: t('Delete the suite'),
      perform: async () => {
        await call('deleteTestSuite', { params: { id } });
        leave(LIST);
        say(t('Deleted {name}', { name }));
      },
    });
  return (
    <Page
      title={name}
      back={back()}
      actions={
        <>
          <Button look="primary" onClick={run}>
            {t('Run now')}
          </Button>
          <Button look="danger" onClick={remove}>
            {t('Delete')}
          </Button>
        </>
      }
    >
      <Tabs tabs={TABS.map(([name, text]) => [name, t(text)])} current={tab} />
      {tab === 'cases' && <CasesTab suiteId={id} />}
      {tab === 'runs' && <RunsTab suiteId={id} />}
      {tab === 'settings' && <Settings suite={suite} onSaved={setSuite} />}
    </Page>
  );
}

function Settings({ suite, onSaved }: { suite: TestSuite; onSaved: (suite: TestSuite) => void }) {
  const form = useForm(
    valuesOfSuite(suite),
    async ({ changes, rebase }) => {
      const { data } = await call('updateTestSuite', { params: { id: suite.id }, body: bodyOf(changes) });
      onSaved(data);
      rebase(valuesOfSuite(data));
      say(t('Saved'));
    },
    async () => valuesOfSuite((await call('getTestSuite', { params: { id: suite.id } })).data),
  );
  useUnsaved(form.isChanged, { of: 'tab' });
  return (
    <form class="stack narrow" onSubmit={form.submit}>
      <SuiteFields form={form} />
      <SaveBar form={form} shown={SUITE_FIELDS} />
    </form>
  );
}
