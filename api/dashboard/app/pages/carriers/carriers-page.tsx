// The page that lists the connected accounts at carriers.
import { link } from '../../router.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Badge, Empty, Page } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { currentPage } from '../../ui/table.tsx';
import { useApi } from '../../use-api.ts';
import { CARRIERS } from './carrier-words.ts';

export default function CarriersPage() {
  const carriers = useApi('listCarriers', { query: { page: currentPage(), limit: 20 } });
  const connect = (
    <ButtonLink look="primary" href={link('/admin/carriers/new')}>
      Connect a carrier
    </ButtonLink>
  );
  return (
    <Page
      title="Carriers"
      lead="Twilio, Telnyx or Plivo by their key: the trunk is made for you, and numbers are bought here."
      actions={connect}
    >
      <List
        of={carriers}
        label="Carriers"
        empty={
          <Empty title="No carrier is connected" action={connect}>
            You need an account at one of them, and its key. Trunks and numbers of other providers are added under
            Trunks and Inventory.
          </Empty>
        }
        keyOf={({ id }) => id}
        columns={[
          { title: 'Name', cell: ({ id, name }) => <a href={link(`/admin/carriers/${id}`)}>{name}</a> },
          { title: 'Carrier', cell: ({ kind }) => CARRIERS[kind].name },
          {
            title: 'Key',
            cell: ({ testedAt, findings }) =>
              testedAt === null ? (
                <Badge>Not tested</Badge>
              ) : findings.every(({ ok }) => ok) ? (
                <Badge tone="good">Works</Badge>
              ) : (
                <Badge tone="bad">Something is missing</Badge>
              ),
          },
          {
            title: 'Trunk',
            cell: ({ trunkId }) =>
              trunkId === null ? <span class="soft">None yet</span> : <Badge tone="good">Made</Badge>,
          },
          {
            title: 'Numbers for',
            cell: ({ offeredTo }) => (offeredTo === 'accounts' ? 'All accounts' : 'ADMINs'),
          },
        ]}
      />
    </Page>
  );
}
