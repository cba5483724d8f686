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
import { CatalogueCard } from './catalogue-card.tsx';
import { TOOL_FIELDS, ToolFields } from './tool-fields.tsx';
import { updateBodyOf, valuesOfTool } from './tool-form.ts';
import { shortAddress } from './tools-page.tsx';
import { TryTool } from './try-tool.tsx';

const BACK = { href: link('/tools'), text: 'Tools' };
const TABS: Array<['settings' | 'try' | 'versions', string]> = [
  ['settings', 'Settings'],
  ['try', 'Try it'],
  ['versions', 'Versions'],
];

export default function ToolPage({ params: { id = '' } }: PageProps) {
  const tool = useApi('getTool', { params: { id } });
  if (tool.answer === null) {
    return (
      <Page title="Tool" back={BACK}>
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
      title: `Delete ${name}?`,
      text: 'Calls that have begun go on with it. One that an agent, a business or a campaign has cannot be deleted.',
      action: 'Delete the tool',
      perform: async () => {
        await call('deleteTool', { params: { id } });
        leave(BACK.href);
        say(`Deleted ${name}`);
      },
    });
  return (
    <Page
      title={name}
      lead={<span class="address">{shortAddress(url)}</span>}
      back={BACK}
      actions={
        <Button look="danger" onClick={remove}>
          Delete
        </Button>
      }
    >
      <Tabs tabs={TABS} current={tab} />
      {tab === 'settings' && <Settings tool={tool} onSaved={setTool} />}
      {tab === 'try' && <TryTool tool={tool} />}
      {tab === 'versions' && <Versions of="tool" id={id} onRestored={setTool} />}
    </Page>
  );
}

function Settings({ tool, onSaved }: { tool: Tool; onSaved: (tool: Tool) => void }) {
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const form = useForm(valuesOfTool(tool), async ({ changes, rebase }) => {
    const answer = await call('updateTool', { params: { id: tool.id }, body: updateBodyOf(changes) });
    onSaved(answer.data);
    rebase(valuesOfTool(answer.data));
    setWarnings(answer.warnings ?? []);
    say(savedText(answer.data));
  });
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
      <SaveBar form={form} shown={TOOL_FIELDS} onDiscard={() => form.reset(valuesOfTool(tool))} />
    </form>
  );
}
