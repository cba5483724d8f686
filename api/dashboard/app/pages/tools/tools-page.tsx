// The page that lists the account's tools.
import type { Tool } from '../../api-types.ts';
import { formatNumber } from '../../format.ts';
import { link } from '../../router.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Badge, Empty, Page } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { currentPage } from '../../ui/table.tsx';
import { useApi } from '../../use-api.ts';

export default function ToolsPage() {
  const tools = useApi('listTools', { query: { page: currentPage(), limit: 20 } });
  const create = (
    <ButtonLink look="primary" href={link('/tools/new')}>
      New tool
    </ButtonLink>
  );
  return (
    <Page title="Tools" lead="What agents may ask your own systems in a call." actions={create}>
      <List
        of={tools}
        label="Tools"
        empty={
          <Empty title="No tools yet" action={create}>
            A tool is a question to another system: where is the order, is the part in stock. Make it once, try it here,
            and choose it for agents, businesses and campaigns.
          </Empty>
        }
        keyOf={({ id }) => id}
        columns={[
          { title: 'Name', cell: ({ id, name }) => <a href={link(`/tools/${id}`)}>{name}</a> },
          { title: 'Kind', cell: (tool) => <Kind of={tool} /> },
          { title: 'Address', cell: ({ url }) => <span class="address">{shortAddress(url)}</span> },
          { title: 'Who waits', cell: ({ mode }) => WAITS[mode] },
        ]}
      />
    </Page>
  );
}

const WAITS: Record<Tool['mode'], string> = {
  wait: 'The agent, for the answer',
  background: 'Nobody: the talk goes on',
};

/** `shop.example/orders/{{number}}`. */
export const shortAddress = (url: string): string => url.replace(/^https?:\/\//, '');

function Kind({ of: { kind, method, catalogue, catalogueError } }: { of: Tool }) {
  if (kind === 'http') return <>HTTP, {method}</>;
  return (
    <span class="row">
      MCP{catalogue !== null && `, ${formatNumber(catalogue.length)} ${catalogue.length === 1 ? 'tool' : 'tools'}`}
      {catalogueError !== null && <Badge tone="warn">Not read</Badge>}
    </span>
  );
}
