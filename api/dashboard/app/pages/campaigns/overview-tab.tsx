// The results and the state of a campaign.

import { WEEKDAYS } from '../../../../../db/domain/hours/weekdays.ts';
import type { Campaign, Contact } from '../../api-types.ts';
import { formatDuration, formatMinutes, formatNumber, formatPercent, formatWord } from '../../format.ts';
import { link } from '../../router.ts';
import { Badge, Card, Facts, Figures } from '../../ui/layout.tsx';
import { Answer } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { useApi } from '../../use-api.ts';
import { dayNames } from '../../weekdays.ts';
import { Bar, useContactCount } from './campaign-progress.tsx';
import { CONTACT_STATUSES, CONTACT_TONES } from './campaign-status.ts';

const RENEWED_EVERY_MS = 10_000;

export function OverviewTab({ campaign }: { campaign: Campaign }) {
  return (
    <>
      {/* Drawn anew with the status: what ended the campaign may be newer than the last renewal. */}
      {campaign._count.calls > 0 && <Stats campaign={campaign} key={`stats ${campaign.status}`} />}
      <div class="columns">
        {campaign._count.contacts > 0 && <ContactsCard campaign={campaign} key={`contacts ${campaign.status}`} />}
        <FactsCard campaign={campaign} />
      </div>
    </>
  );
}

/** A paused campaign's calls go on to their ends. */
const everyOf = ({ status }: Campaign): number | undefined =>
  status === 'RUNNING' || status === 'PAUSED' ? RENEWED_EVERY_MS : undefined;

function Stats({ campaign }: { campaign: Campaign }) {
  const everyMs = everyOf(campaign);
  const stats = useApi('getCampaignStats', { params: { id: campaign.id } }, everyMs === undefined ? {} : { everyMs });
  return (
    <Answer of={stats}>
      {({ data }) => {
        const ended = data.completedCalls + data.failedCalls + data.voicemails;
        return (
          <Figures
            figures={[
              [
                'Calls answered',
                <>
                  {formatNumber(data.completedCalls)}{' '}
                  <small key="share">{ended > 0 && formatPercent(data.completedCalls / ended)}</small>
                </>,
              ],
              ['With a conversation', formatNumber(data.successfulCalls)],
              ['Answering machines', formatNumber(data.voicemails)],
              ['Not answered', formatNumber(data.failedCalls)],
              ['Average length', formatDuration(data.averageCallDuration)],
              [
                'In all',
                <>
                  {formatMinutes(data.totalMinutes)} <small key="unit">min</small>
                </>,
              ],
            ]}
          />
        );
      }}
    </Answer>
  );
}

function ContactsCard({ campaign }: { campaign: Campaign }) {
  const { id } = campaign;
  const everyMs = everyOf(campaign);
  const counts: Record<Contact['status'], number | null> = {
    PENDING: useContactCount(id, 'PENDING', everyMs),
    CALLING: useContactCount(id, 'CALLING', everyMs),
    COMPLETED: useContactCount(id, 'COMPLETED', everyMs),
    VOICEMAIL: useContactCount(id, 'VOICEMAIL', everyMs),
    FAILED: useContactCount(id, 'FAILED', everyMs),
    DO_NOT_CALL: useContactCount(id, 'DO_NOT_CALL', everyMs),
  };
  const { PENDING: pending, CALLING: calling } = counts;
  const { contacts } = campaign._count;
  return (
    <Card title="Contacts">
      <Bar
        finished={pending === null || calling === null ? null : Math.max(0, contacts - pending - calling)}
        contacts={contacts}
      />
      <dl class="counts">
        {CONTACT_STATUSES.map((status) => (
          <Count key={status} campaignId={id} status={status} count={counts[status]} />
        ))}
      </dl>
    </Card>
  );
}

function Count({ campaignId, status, count }: { campaignId: string; status: Contact['status']; count: number | null }) {
  return (
    <>
      <dt>
        <Badge tone={CONTACT_TONES[status]}>{formatWord(status)}</Badge>
      </dt>
      <dd class="number">
        {count === null ? (
          '…'
        ) : count === 0 ? (
          '0'
        ) : (
          <a href={link(`/campaigns/${campaignId}`, { tab: 'contacts', status })}>{formatNumber(count)}</a>
        )}
      </dd>
    </>
  );
}

function FactsCard({ campaign }: { campaign: Campaign }) {
  const agent = useApi('getAgent', { params: { id: campaign.agentId } });
  const business = useApi('getBusiness', { params: { id: campaign.businessId } });
  const numbers = useApi('listPhoneNumbers', { query: { campaignId: campaign.id, limit: 100 } });
  const { callingWindow: window } = campaign;
  const days = WEEKDAYS.filter((day) => window.days.includes(day));
  return (
    <Card title="How it calls">
      <Facts
        facts={[
          [
            'Agent',
            <a key="agent" href={link(`/agents/${campaign.agentId}`)}>
              {agent.answer?.data.name ?? campaign.agentId}
            </a>,
          ],
          [
            'Business',
            <a key="business" href={link(`/businesses/${campaign.businessId}`)}>
              {business.answer?.data.name ?? campaign.businessId}
            </a>,
          ],
          [
            'Numbers',
            campaign.phoneNumberIds.length === 0
              ? 'None'
              : (numbers.answer?.data.map(({ phoneNumber }) => phoneNumber).join(', ') ?? '…'),
          ],
          [
            'Calls',
            `${days.length === 7 ? 'Every day' : days.map((day) => dayNames('short')[day]).join(', ')} ${window.start}–${window.end}${window.timezone ? ` (${window.timezone})` : ', where the number rings'}`,
          ],
          [
            'Limits',
            `${campaign.maxConcurrentCalls} at a time, ${campaign.maxAttempts} attempts, ${campaign.retryDelayMinutes} min apart`,
          ],
          ['Answering machine', campaign.voicemail.action === 'hangup' ? 'Hang up' : 'Leave a message'],
          ['Recording', campaign.recording.enabled ? campaign.recording.format.toUpperCase() : 'Off'],
          ['Created', <Time key="created" at={campaign.createdAt} />],
          ['Started', campaign.startedAt && <Time key="started" at={campaign.startedAt} />],
          ['Completed', campaign.completedAt && <Time key="completed" at={campaign.completedAt} />],
        ]}
      />
    </Card>
  );
}
