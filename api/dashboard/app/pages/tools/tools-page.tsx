// The page that lists the account's tools.
import type { Tool } from '../../api-types.ts';
import { formatNumber } from '../../format.ts';
import { link } from '../../router.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Badge, Empty, Page } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { currentPage } from '../../ui/table.tsx';
import { useApi } from '../../use-api.ts';
import { t, words } from '../../words/words.ts';

export default function ToolsPage() {
  const tools = useApi('listTools', { query: { page: currentPage(), limit: 20 } });
  const create = (
    <ButtonLink look="primary" href={link('/tools/new')}>
      {t('New tool')}
    </ButtonLink>
  );
  return (
    <Page title={t('Tools')} lead={t('What agents may ask your own systems in a call.')} actions={create}>
      <List
        of={tools}
        label={t('Tools')}
        empty={
          <Empty title={t('No tools yet')} action={create}>
            {t(
              'A tool is a question to another system: where is the order, is the part in stock. Make it once, try it here, and choose it for agents, businesses and campaigns.',
            )}
          </Empty>
        }
        keyOf={({ id }) => id}
        columns={[
          { title: t('Name'), cell: ({ id, name }) => <a href={link(`/tools/${id}`)}>{name}</a> },
          { title: t('Kind'), cell: (tool) => <Kind of={tool} /> },
          { title: t('Web address'), cell: ({ url }) => <span class="address">{shortAddress(url)}</span> },
          { title: t('Who waits'), cell: ({ mode }) => t(WAITS[mode]) },
        ]}
      />
    </Page>
  );
}

const WAITS: Record<Tool['mode'], string> = {
  wait: words('The agent, for the answer'),
  background: words('Nobody: the talk goes on'),
};

/** `shop.example/orders/{{number}}`. */
export const shortAddress = (url: string): string => url.replace(/^https?:\/\//, '');

function Kind({ of: { kind, method, catalogue, catalogueError } }: { of: Tool }) {
  if (kind === 'http') return <>HTTP, {method}</>;
  return (
    <span class="row">
      MCP
      {catalogue !== null &&
        `, ${catalogue.length === 1 ? t('1 tool') : t('{count} tools', { count: formatNumber(catalogue.length) })}`}
      {catalogueError !== null && <Badge tone="warn">{t('Not read')}</Badge>}
    </span>
  );
}
