// The page that lists the installation's softphones and says which are registered.
import type { SipAccount } from '../../api-types.ts';
import { link } from '../../router.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Badge, Empty, Page } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { currentPage } from '../../ui/table.tsx';
import { useAll } from '../../use-all.ts';
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';

const EVERY_MS = 5_000;

export default function SoftphonesPage() {
  const phones = useApi('listSipAccounts', { query: { page: currentPage(), limit: 20 } }, { everyMs: EVERY_MS });
  const campaigns = useAll('listCampaigns');
  const nameOf = (id: string) => campaigns.answer?.find((campaign) => campaign.id === id)?.name ?? id;
  const create = (
    <ButtonLink look="primary" href={link('/admin/softphones/new')}>
      {t('New softphone')}
    </ButtonLink>
  );
  return (
    <Page
      title={t('Softphones')}
      lead={t('Your own phones, registered here: agents transfer callers to them, and they can call an agent.')}
      actions={create}
    >
      <List
        of={phones}
        label={t('Softphones')}
        empty={
          <Empty title={t('No softphones yet')} action={create}>
            {t(
              'A program on a computer, an app on a mobile, a telephone on a desk. A user name is enough; the phone gets it with a password.',
            )}
          </Empty>
        }
        keyOf={({ id }) => id}
        columns={[
          {
            title: t('User name'),
            cell: ({ id, username, displayName }) => (
              <span class="row">
                <a href={link(`/admin/softphones/${id}`)}>{username}</a>
                {displayName !== null && <span class="soft">{displayName}</span>}
              </span>
            ),
          },
          { title: t('State'), cell: (phone) => <SoftphoneState of={phone} /> },
          { title: t('Where'), cell: ({ registration }) => whereOf(registration) ?? '–' },
          {
            title: t('Its calls go to'),
            cell: ({ callsTo }) => {
              if (callsTo === null) return <span class="soft">{t('Nobody')}</span>;
              return callsTo === 'demo' ? t('The demo') : nameOf(callsTo);
            },
          },
        ]}
      />
    </Page>
  );
}

export function SoftphoneState({ of: { enabled, registration } }: { of: SipAccount }) {
  if (!enabled) return <Badge>{t('Switched off')}</Badge>;
  return registration === null ? (
    <Badge tone="warn">{t('Not registered')}</Badge>
  ) : (
    <Badge tone="good">{t('Registered')}</Badge>
  );
}

/** `192.0.2.7:5060 (TCP)`. */
export const whereOf = (registration: SipAccount['registration']): string | null =>
  registration === null
    ? null
    : `${registration.address}:${registration.port} (${registration.transport.toUpperCase()})`;
