// The results and the state of a campaign.

import { WEEKDAYS } from '../../../../../db/domain/hours/weekdays.ts';
import type { Campaign, Contact } from '../../api-types.ts';
import { formatDuration, formatMinutes, formatNumber, formatPercent } from '../../format.ts';
import { link } from '../../router.ts';
import { Badge, Card, Facts, Figures } from '../../ui/layout.tsx';
import { Answer } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { useApi } from '../../use-api.ts';
import { dayNames } from '../../weekdays.ts';
import { t } from '../../words/words.ts';
import { Bar, useContactCount } from './campaign-progress.tsx';
import { CONTACT_STATUSES, CONTACT_TONES, CONTACT_WORDS } from './campaign-status.ts';

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
                t('Calls answered'),
                <>
                  {formatNumber(data.completedCalls)}{' '}
                  <small key="share">{ended > 0 && formatPercent(data.completedCalls / ended)}</small>
                </>,
              ],
              [t('With a conversation'), formatNumber(data.successfulCalls)],
              [t('Answering machines'), formatNumber(data.voicemails)],
              [t('Not answered'), formatNumber(data.failedCalls)],
              [t('Average length'), formatDuration(data.averageCallDuration)],
              [
                t('In all'),
                <>
                  {formatMinutes(data.totalMinutes)} <small key="unit">{t('min')}</small>
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
    <Card title={t('Contacts')}>
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
        <Badge tone={CONTACT_TONES[status]}>{t(CONTACT_WORDS[status])}</Badge>
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
    <Card title={t('How it calls')}>
      <Facts
        facts={[
          [
            t('Agent'),
            <a key="agent" href={link(`/agents/${campaign.agentId}`)}>
              {agent.answer?.data.name ?? campaign.agentId}
            </a>,
          ],
          [
            t('Business'),
            <a key="business" href={link(`/businesses/${campaign.businessId}`)}>
              {business.answer?.data.name ?? campaign.businessId}
            </a>,
          ],
          [
            t('Numbers'),
            campaign.phoneNumberIds.length === 0
              ? t('None')
              : (numbers.answer?.data.map(({ phoneNumber }) => phoneNumber).join(', ') ?? '…'),
          ],
          [
            t('Calls'),
            `${days.length === 7 ? t('Every day') : days.map((day) => dayNames('short')[day]).join(', ')} ${window.start}–${window.end}${window.timezone ? ` (${window.timezone})` : `, ${t('where the number rings')}`}`,
          ],
          [
            t('Limits'),
            t('{calls} at a time, {attempts} attempts, {minutes} min apart', {
              calls: campaign.maxConcurrentCalls,
              attempts: campaign.maxAttempts,
              minutes: campaign.retryDelayMinutes,
            }),
          ],
          [t('Answering machine'), campaign.voicemail.action === 'hangup' ? t('Hang up') : t('Leave a message')],
          [t('Recording'), campaign.recording.enabled ? campaign.recording.format.toUpperCase() : t('Off')],
          [t('Created'), <Time key="created" at={campaign.createdAt} />],
          [t('Started'), campaign.startedAt && <Time key="started" at={campaign.startedAt} />],
          [t('Completed'), campaign.completedAt && <Time key="completed" at={campaign.completedAt} />],
        ]}
      />
    </Card>
  );
}
