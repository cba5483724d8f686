// One campaign: its state, its contacts and its settings.
import { useState } from 'preact/hooks';
import type { CampaignDetails, StartedCampaign } from '../../api-types.ts';
import { call } from '../../client.ts';
import { formatDateTime } from '../../format.ts';
import type { PageProps } from '../../page-props.ts';
import { leave, link } from '../../router.ts';
import { TalkButton } from '../../talk/talk-button.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { Badge, Notice, Page } from '../../ui/layout.tsx';
import { Answer } from '../../ui/status.tsx';
import { currentTab, Tabs } from '../../ui/table.tsx';
import { say } from '../../ui/toast.tsx';
import { useApi } from '../../use-api.ts';
import { t, words } from '../../words/words.ts';
import { CAMPAIGN_TONES, CAMPAIGN_WORDS } from './campaign-status.ts';
import { ContactsTab } from './contacts-tab.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { PreviewTab } from './preview-tab.tsx';
import { SettingsTab } from './settings-tab.tsx';
import { PreflightNotice, Transitions } from './transitions.tsx';
import { WebsiteTab } from './website-tab.tsx';

type TabName = 'overview' | 'contacts' | 'preview' | 'website' | 'settings';
const TABS: Array<[TabName, string]> = [
  ['overview', words('Overview')],
  ['contacts', words('Contacts')],
  ['preview', words('Preview')],
  ['website', words('Website')],
  ['settings', words('Settings')],
];
const back = () => ({ href: link('/campaigns'), text: t('Campaigns') });
const RENEWED_EVERY_MS = 5_000;

export default function CampaignPage({ params }: PageProps) {
  const id = params.id ?? '';
  const campaign = useApi('getCampaign', { params: { id } }, { everyMs: RENEWED_EVERY_MS });
  return (
    <Answer of={campaign}>
      {({ data }) => <LoadedCampaign campaign={data} onChange={campaign.reload} key={id} />}
    </Answer>
  );
}

function LoadedCampaign({ campaign, onChange }: { campaign: CampaignDetails; onChange: () => void }) {
  const [preflight, setPreflight] = useState<StartedCampaign['preflight'] | null>(null);
  const { id, name, status, deletedAt } = campaign;
  const tab = currentTab(TABS);
  const remove = () =>
    confirm({
      title: t('Delete {name}?', { name }),
      text: t(
        'Its contacts are not called any more, and its numbers are free for other campaigns. Calls that were made stay.',
      ),
      typed: name,
      action: t('Delete the campaign'),
      perform: async () => {
        await call('deleteCampaign', { params: { id } });
        leave(back().href);
        say(t('Deleted {name}', { name }));
      },
    });
  return (
    <Page
      title={name}
      back={back()}
      lead={
        <span class="row">
          <Badge tone={deletedAt === null ? CAMPAIGN_TONES[status] : 'bad'}>
            {deletedAt === null ? t(CAMPAIGN_WORDS[status]) : t('Deleted')}
          </Badge>
          {campaign.description !== null && <span>{campaign.description}</span>}
        </span>
      }
      actions={
        <>
          {deletedAt === null && <TalkButton campaignId={id} />}
          <ButtonLink href={link('/calls', { campaignId: id })}>{t('Its calls')}</ButtonLink>
          {deletedAt === null && (
            <Button look="danger" onClick={remove}>
              {t('Delete')}
            </Button>
          )}
        </>
      }
    >
      {deletedAt !== null ? (
        <Notice tone="warn">
          {t('This campaign was deleted on {time}. It is kept because calls refer to it.', {
            time: formatDateTime(deletedAt),
          })}
        </Notice>
      ) : (
        <Transitions
          campaign={campaign}
          onMoved={(next) => {
            setPreflight(next);
            onChange();
          }}
        />
      )}
      {/* The one of the start is old as soon as contacts are added or called. */}
      {preflight !== null && <PreflightNotice preflight={campaign.preflight ?? preflight} />}
      {preflight === null && campaign.preflight?.willSkip.numbers !== undefined && (
        <PreflightNotice preflight={campaign.preflight} />
      )}
      <Tabs tabs={TABS.map(([name, text]) => [name, t(text)])} current={tab} />
      <Part tab={tab} campaign={campaign} onChange={onChange} />
    </Page>
  );
}

function Part({ tab, campaign, onChange }: { tab: TabName; campaign: CampaignDetails; onChange: () => void }) {
  switch (tab) {
    case 'overview':
      return <OverviewTab campaign={campaign} />;
    case 'contacts':
      return <ContactsTab campaign={campaign} onChange={onChange} />;
    case 'preview':
      return <PreviewTab campaign={campaign} />;
    case 'website':
      return <WebsiteTab campaign={campaign} />;
    case 'settings':
      return <SettingsTab campaign={campaign} onSaved={onChange} />;
  }
}
