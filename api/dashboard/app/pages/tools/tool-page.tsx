// One tool: its settings, and a run of it on request.
import { useState } from 'preact/hooks';
import type { Tool } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import type { PageProps } from '../../page-props.ts';
import { leave, link } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { Notice, Page } from '../../ui/layout.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import { Answer } from '../../ui/status.tsx';
import { currentTab, Tabs } from '../../ui/table.tsx';
import { say } from '../../ui/toast.tsx';
import { useUnsaved } from '../../unsaved.ts';
import { useApi } from '../../use-api.ts';
import { savedText } from '../../versions/saved.ts';
import { Versions } from '../../versions/versions.tsx';
import { t, words } from '../../words/words.ts';
import { CatalogueCard } from './catalogue-card.tsx';
import { TOOL_FIELDS, ToolFields } from './tool-fields.tsx';
import { updateBodyOf, valuesOfTool } from './tool-form.ts';
import { shortAddress } from './tools-page.tsx';
import { TryTool } from './try-tool.tsx';

const LIST = link('/tools');
const back = () => ({ href: LIST, text: t('Tools') });
const TABS: Array<['settings' | 'try' | 'versions', string]> = [
  ['settings', words('Settings')],
  ['try', words('Try it')],
  ['versions', words('Versions')],
];

export default function ToolPage({ params: { id = '' } }: PageProps) {
  const tool = useApi('getTool', { params: { id } });
  if (tool.answer === null) {
    return (
      <Page title={t('Tool')} back={back()}>
        <Answer of={tool}>{() => null}</Answer>
      </Page>
    );
  }
  return <LoadedTool found={tool.answer.data} key={id} />;
}

function LoadedTool({ found }: { found: Tool }) {
  const [tool, setTool] = useState(found);
  const { id, name, url } = tool;
  const tab = currentTab(TABS);
  const remove = () =>
    confirm({
      title: t('Delete {name}?', { name }),
      text: t(
        'Calls that have begun go on with it. One that an agent, a business or a campaign has cannot be deleted.',
      ),
      action: t('Delete the tool'),
      perform: async () => {
        await call('deleteTool', { params: { id } });
        leave(LIST);
        say(t('Deleted {name}', { name }));
      },
    });
  return (
    <Page
      title={name}
      lead={<span class="address">{shortAddress(url)}</span>}
      back={back()}
      actions={
        <Button look="danger" onClick={remove}>
          {t('Delete')}
        </Button>
      }
    >
      <Tabs tabs={TABS.map(([name, text]) => [name, t(text)])} current={tab} />
      {tab === 'settings' && <Settings tool={tool} onSaved={setTool} />}
      {tab === 'try' && <TryTool tool={tool} />}
      {tab === 'versions' && <Versions of="tool" id={id} onRestored={setTool} />}
    </Page>
  );
}

function Settings({ tool, onSaved }: { tool: Tool; onSaved: (tool: Tool) => void }) {
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const form = useForm(
    valuesOfTool(tool),
    async ({ changes, rebase }) => {
      const answer = await call('updateTool', { params: { id: tool.id }, body: updateBodyOf(changes) });
      onSaved(answer.data);
      rebase(valuesOfTool(answer.data));
      setWarnings(answer.warnings ?? []);
      say(savedText(answer.data));
    },
    async () => valuesOfTool((await call('getTool', { params: { id: tool.id } })).data),
  );
  useUnsaved(form.isChanged, { of: 'tab' });
  return (
    <form class="stack" onSubmit={form.submit}>
      {warnings
        .filter((warning) => warning !== tool.catalogueError)
        .map((warning) => (
          <Notice tone="warn" key={warning}>
            {warning}
          </Notice>
        ))}
      <ToolFields form={form}>
        {tool.kind === 'mcp' && <CatalogueCard tool={tool} form={form} onRefreshed={onSaved} />}
      </ToolFields>
      <SaveBar form={form} shown={TOOL_FIELDS} />
    </form>
  );
}
