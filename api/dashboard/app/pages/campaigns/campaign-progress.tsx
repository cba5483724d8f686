// The number of finished contacts of a campaign, requested only for a running one.
import type { Campaign, Contact } from '../../api-types.ts';
import { formatNumber } from '../../format.ts';
import { Progress } from '../../ui/layout.tsx';
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';

/** Each row of a list sends its own request, and a token has 600 requests a minute. */
const RENEWED_EVERY_MS = 30_000;

/** The number of contacts with a status; null until it is known. */
export function useContactCount(campaignId: string, status: Contact['status'], everyMs?: number): number | null {
  const contacts = useApi(
    'listCampaignContacts',
    { params: { id: campaignId }, query: { status, limit: 1 } },
    everyMs === undefined ? {} : { everyMs },
  );
  return contacts.answer?.pagination.total ?? null;
}

export function CampaignProgress({ campaign }: { campaign: Campaign }) {
  const { contacts } = campaign._count;
  if (contacts === 0) return <span class="soft">{t('No contacts')}</span>;
  switch (campaign.status) {
    case 'DRAFT':
    case 'SCHEDULED':
      return <span class="soft">{t('{contacts} contacts', { contacts: formatNumber(contacts) })}</span>;
    case 'COMPLETED':
      return <Bar finished={contacts} contacts={contacts} />;
    case 'RUNNING':
    case 'PAUSED':
    case 'FAILED':
      return <OpenProgress campaign={campaign} />;
  }
}

function OpenProgress({ campaign }: { campaign: Campaign }) {
  const everyMs = campaign.status === 'RUNNING' ? RENEWED_EVERY_MS : undefined;
  const pending = useContactCount(campaign.id, 'PENDING', everyMs);
  const calling = useContactCount(campaign.id, 'CALLING', everyMs);
  const { contacts } = campaign._count;
  const finished = pending === null || calling === null ? null : Math.max(0, contacts - pending - calling);
  return <Bar finished={finished} contacts={contacts} />;
}

export function Bar({ finished, contacts }: { finished: number | null; contacts: number }) {
  return (
    <div class="campaign-progress">
      <Progress label={t('Contacts that are finished')} value={finished ?? 0} max={contacts} />
      <span class="small soft number">
        {t('{done} of {total}', {
          done: finished === null ? '…' : formatNumber(finished),
          total: formatNumber(contacts),
        })}
      </span>
    </div>
  );
}
