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
import { CasesTab } from './cases-tab.tsx';
import { RunsTab } from './runs-tab.tsx';
import { bodyOf, SUITE_FIELDS, SuiteFields, valuesOfSuite } from './suite-fields.tsx';

const BACK = { href: link('/tests'), text: 'Tests' };
const TABS: Array<['cases' | 'runs' | 'settings', string]> = [
  ['cases', 'Cases'],
  ['runs', 'Runs'],
  ['settings', 'Settings'],
];

export default function SuitePage({ params: { id = '' } }: PageProps) {
  const suite = useApi('getTestSuite', { params: { id } });
  if (suite.answer === null) {
    return (
      <Page title="Test suite" back={BACK}>
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
      title: `Delete ${name}?`,
      text: 'Its cases and runs are deleted too.',
      action: 'Delete the suite',
      perform: async () => {
        await call('deleteTestSuite', { params: { id } });
        leave(BACK.href);
        say(`Deleted ${name}`);
      },
    });
  return (
    <Page
      title={name}
      back={BACK}
      actions={
        <>
          <Button look="primary" onClick={run}>
            Run now
          </Button>
          <Button look="danger" onClick={remove}>
            Delete
          </Button>
        </>
      }
    >
      <Tabs tabs={TABS} current={tab} />
      {tab === 'cases' && <CasesTab suiteId={id} />}
      {tab === 'runs' && <RunsTab suiteId={id} />}
      {tab === 'settings' && <Settings suite={suite} onSaved={setSuite} />}
    </Page>
  );
}

function Settings({ suite, onSaved }: { suite: TestSuite; onSaved: (suite: TestSuite) => void }) {
  const form = useForm(valuesOfSuite(suite), async ({ changes, rebase }) => {
    const { data } = await call('updateTestSuite', { params: { id: suite.id }, body: bodyOf(changes) });
    onSaved(data);
    rebase(valuesOfSuite(data));
    say('Saved.');
  });
  useUnsaved(form.isChanged, { of: 'tab' });
  return (
    <form class="stack narrow" onSubmit={form.submit}>
      <SuiteFields form={form} />
      <SaveBar form={form} shown={SUITE_FIELDS} onDiscard={() => form.reset(valuesOfSuite(suite))} />
    </form>
  );
}
