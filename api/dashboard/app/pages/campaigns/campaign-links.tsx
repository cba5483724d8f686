// The campaigns of an agent or a business, by name.
import type { Campaign } from '../../api-types.ts';
import { link } from '../../router.ts';
import { Badge } from '../../ui/layout.tsx';
import { t } from '../../words/words.ts';
import { CAMPAIGN_TONES, CAMPAIGN_WORDS } from './campaign-status.ts';

export function CampaignLinks({ campaigns }: { campaigns: readonly Campaign[] }) {
  return (
    <ul class="plain-list">
      {campaigns.map(({ id, name, status }) => (
        <li class="row" key={id}>
          <a href={link(`/campaigns/${id}`)}>{name}</a>
          <Badge tone={CAMPAIGN_TONES[status]}>{t(CAMPAIGN_WORDS[status])}</Badge>
        </li>
      ))}
    </ul>
  );
}
