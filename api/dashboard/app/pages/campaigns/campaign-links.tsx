// The campaigns of an agent or a business, by name.
import type { Campaign } from '../../api-types.ts';
import { formatWord } from '../../format.ts';
import { link } from '../../router.ts';
import { Badge } from '../../ui/layout.tsx';
import { CAMPAIGN_TONES } from './campaign-status.ts';

export function CampaignLinks({ campaigns }: { campaigns: readonly Campaign[] }) {
  return (
    <ul class="plain-list">
      {campaigns.map(({ id, name, status }) => (
        <li class="row" key={id}>
          <a href={link(`/campaigns/${id}`)}>{name}</a>
          <Badge tone={CAMPAIGN_TONES[status]}>{formatWord(status)}</Badge>
        </li>
      ))}
    </ul>
  );
}
