// The page that lists the trunks of the installation.
import { formatNumber } from '../../format.ts';
import { link } from '../../router.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Empty, Page } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { currentPage } from '../../ui/table.tsx';
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';
import { TrunkState } from './trunk-state.tsx';

const EVERY_MS = 5_000;

export default function TrunksPage() {
  const trunks = useApi('listTrunks', { query: { page: currentPage(), limit: 20 } }, { everyMs: EVERY_MS });
  const create = (
    <ButtonLink look="primary" href={link('/admin/trunks/new')}>
      {t('New trunk')}
    </ButtonLink>
  );
  return (
    <Page
      title={t('Trunks')}
      lead={t('They connect the service to the telephone network, through a provider or your own PBX.')}
      actions={create}
    >
      <List
        of={trunks}
        label={t('Trunks')}
        empty={
          <Empty
            title={t('No trunks yet')}
            action={
              <div class="row">
                {create}
                <ButtonLink href={link('/admin/carriers')}>{t('By the key of a carrier')}</ButtonLink>
              </div>
            }
          >
            {t(
              'You need the host, and usually a user name and password, from your provider or PBX. At Twilio, Telnyx and Plivo it is made by your key. A trunk is in use at once, without a restart.',
            )}
          </Empty>
        }
        keyOf={({ id }) => id}
        columns={[
          { title: t('Name'), cell: ({ id, name }) => <a href={link(`/admin/trunks/${id}`)}>{name}</a> },
          {
            title: t('Host'),
            cell: ({ host, port, transport }) => `${host}:${port} (${transport.toUpperCase()})`,
          },
          {
            title: t('State'),
            cell: (trunk) => (
              <div class="stack tight">
                <TrunkState of={trunk} />
                {trunk.lastError !== null && <span class="small soft">{trunk.lastError}</span>}
              </div>
            ),
          },
          {
            title: t('Calls now'),
            isNumber: true,
            cell: ({ activeCalls, maxConcurrentCalls }) =>
              t('{done} of {total}', { done: formatNumber(activeCalls), total: formatNumber(maxConcurrentCalls) }),
          },
        ]}
      />
    </Page>
  );
}
