// One business: its tabs share one form, so that they are saved together.
import { useState } from 'preact/hooks';
import type { Business, Campaign } from '../../api-types.ts';
import { call } from '../../client.ts';
import { type Form, useForm } from '../../form.ts';
import type { PageProps } from '../../page-props.ts';
import { RerunCard } from '../../results/rerun-card.tsx';
import { link, route } from '../../router.ts';
import { TalkButton } from '../../talk/talk-button.tsx';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { Badge, Card, Notice, Page } from '../../ui/layout.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import { Answer } from '../../ui/status.tsx';
import { currentTab, Tabs } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { attempt, say } from '../../ui/toast.tsx';
import { useUnsaved } from '../../unsaved.ts';
import { useAll } from '../../use-all.ts';
import { useApi } from '../../use-api.ts';
import { DraftsSwitch } from '../../versions/drafts-switch.tsx';
import { savedText } from '../../versions/saved.ts';
import { Versions } from '../../versions/versions.tsx';
import { t, words } from '../../words/words.ts';
import { CampaignLinks } from '../campaigns/campaign-links.tsx';
import { AppointmentsTab, BusinessCalendars } from './appointments-tab.tsx';
import { AuditTab } from './audit-tab.tsx';
import { BasicsTab } from './basics-tab.tsx';
import { BehaviourTab } from './behaviour-tab.tsx';
import { type BusinessValues, businessBodyOf, valuesOfBusiness } from './business-form.ts';
import { ContextTab } from './context-tab.tsx';
import { DocumentsTab } from './documents-tab.tsx';
import { HoursEditor } from './hours-editor.tsx';
import { KnowledgeTab } from './knowledge-tab.tsx';
import { NoticesTab } from './notices-tab.tsx';
import { PageReader } from './page-reader.tsx';
import { ResultsTab } from './results-tab.tsx';
import { ToolsTab } from './tools-tab.tsx';
import { TransfersTab } from './transfers-tab.tsx';

const TABS = [
  ['basics', words('Basics')],
  ['hours', words('Opening hours')],
  ['appointments', words('Appointments')],
  ['knowledge', words('Services and answers')],
  ['documents', words('Documents')],
  ['behaviour', words('Behaviour')],
  ['transfers', words('Transfers')],
  ['context', words('Context')],
  ['tools', words('Tools')],
  ['results', words('Results')],
  ['notices', words('What happened')],
  ['versions', words('Versions')],
  ['changes', words('Changes')],
] as const satisfies ReadonlyArray<readonly [string, string]>;
type TabName = (typeof TABS)[number][0];

/** The fields whose faults each tab shows. */
const SHOWN: Record<TabName, readonly string[]> = {
  basics: ['name', 'industry', 'description', 'timezone', 'address', 'phone', 'email', 'currency'],
  hours: ['hours'],
  appointments: ['resources', 'bufferMinutes', 'appointmentTexts'],
  knowledge: ['services', 'faqs', 'policies'],
  documents: [],
  behaviour: [
    'systemPrompt',
    'greetingTemplate',
    'fallbackMessage',
    'dialogueFallback',
    'transferNumber',
    'voiceSettings',
    'interruptionSensitivity',
    'silenceThresholdMs',
    'maxCallDurationMinutes',
    'redaction',
  ],
  transfers: ['destinations'],
  context: ['businessContext'],
  tools: ['toolIds', 'lookup'],
  results: ['outputs', 'criteria'],
  notices: ['notify'],
  versions: [],
  changes: [],
};

const ALL_SHOWN = Object.values(SHOWN).flat();

export default function BusinessPage({ params }: PageProps) {
  const id = params.id ?? '';
  const business = useApi('getBusiness', { params: { id } });
  return <Answer of={business}>{({ data }) => <LoadedBusiness business={data} key={id} />}</Answer>;
}

function LoadedBusiness({ business }: { business: Business }) {
  const [record, setRecord] = useState(business);
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const { id, name } = record;
  const campaigns = useAll('listCampaigns');
  const own = campaigns.answer?.filter(({ businessId }) => businessId === id) ?? null;
  const [spoken] = own ?? [];
  const form = useForm(
    valuesOfBusiness(business),
    async ({ changes, rebase }) => {
      const answer = await call('updateBusiness', { params: { id }, body: businessBodyOf(changes) });
      rebase(valuesOfBusiness(answer.data));
      setRecord(answer.data);
      setWarnings(answer.warnings ?? []);
      say(savedText(answer.data));
    },
    async () => valuesOfBusiness((await call('getBusiness', { params: { id } })).data),
  );
  const isDeleted = record.deletedAt !== null;
  useUnsaved(form.isChanged && !isDeleted);
  const remove = () =>
    confirm({
      title: t('Delete {name}?', { name }),
      text: t('Its active campaigns are paused. It can be restored from this page for 90 days: keep the address.'),
      typed: name,
      action: t('Delete the business'),
      perform: async () => {
        const { data } = await call('deleteBusiness', { params: { id } });
        form.reset(valuesOfBusiness(data));
        setRecord(data);
        say(t('Deleted {name}', { name }));
      },
    });
  return (
    <Page
      title={name}
      back={{ href: link('/businesses'), text: t('Businesses') }}
      lead={
        <span class="row">
          {isDeleted && <Badge tone="bad">{t('Deleted')}</Badge>}
          {record.industry !== null && <span>{record.industry}</span>}
          <span>{record.timezone}</span>
        </span>
      }
      actions={
        !isDeleted && (
          <>
            {spoken !== undefined && <TalkButton campaignId={spoken.id} look="primary" />}
            <Button look="danger" onClick={remove}>
              {t('Delete')}
            </Button>
          </>
        )
      }
    >
      {isDeleted && <Deleted business={record} onRestored={setRecord} />}
      {warnings.map((warning) => (
        <Notice tone="warn" key={warning}>
          {warning}
        </Notice>
      ))}
      <Tabs tabs={TABS.map(([value, text]) => [value, t(text)])} current={tabOf()} />
      {isDeleted ? (
        <AuditTab id={id} />
      ) : (
        <Parts
          business={record}
          form={form}
          campaigns={own}
          onRestored={(restored) => {
            form.rebase(valuesOfBusiness(restored));
            setRecord(restored);
          }}
        />
      )}
    </Page>
  );
}

const tabOf = (): TabName => currentTab<TabName>(TABS.map(([value, text]) => [value, text]));

const SAVED_BY_THEMSELVES = ['documents', 'versions', 'changes'] as const satisfies readonly TabName[];
type OwnTab = (typeof SAVED_BY_THEMSELVES)[number];

const isOwn = (tab: TabName): tab is OwnTab => (SAVED_BY_THEMSELVES as readonly TabName[]).includes(tab);

function Parts({
  business,
  form,
  campaigns,
  onRestored,
}: {
  business: Business;
  form: Form<BusinessValues>;
  campaigns: readonly Campaign[] | null;
  onRestored: (business: Business) => void;
}) {
  const tab = tabOf();
  if (isOwn(tab))
    return (
      <>
        {tab === 'changes' && <AuditTab id={business.id} />}
        {tab === 'versions' && (
          <>
            <DraftsSwitch business={business} onChanged={onRestored} />
            <Versions of="business" id={business.id} onRestored={onRestored} />
          </>
        )}
        {tab === 'documents' && <DocumentsTab businessId={business.id} />}
        {form.isChanged && <Notice tone="warn">{t('There are unsaved changes in the other parts.')}</Notice>}
      </>
    );
  return (
    <>
      <form class="stack" onSubmit={form.submit}>
        <Part tab={tab} business={business} form={form} />
        <SaveBar form={form} shown={ALL_SHOWN}>
          <OtherFaults tab={tab} form={form} />
        </SaveBar>
      </form>
      {tab === 'appointments' && (
        <BusinessCalendars businessId={business.id} resources={business.resources.map(({ name }) => name)} />
      )}
      {tab === 'results' && <RerunCard businessId={business.id} hasChanges={form.isChanged} />}
      {tab === 'basics' && (
        <div class="columns">
          <PageReader businessId={business.id} form={form} />
          {campaigns !== null && <BusinessUsage businessId={business.id} campaigns={campaigns} />}
        </div>
      )}
    </>
  );
}

function Part({
  tab,
  business,
  form,
}: {
  tab: Exclude<TabName, OwnTab>;
  business: Business;
  form: Form<BusinessValues>;
}) {
  switch (tab) {
    case 'basics':
      return <BasicsTab form={form} />;
    case 'hours':
      return (
        <HoursEditor
          hours={form.values.hours}
          timezone={form.values.timezone}
          onChange={(hours) => form.set('hours', hours)}
          faultOf={form.faultOf}
        />
      );
    case 'appointments':
      return <AppointmentsTab form={form} />;
    case 'knowledge':
      return <KnowledgeTab businessId={business.id} form={form} />;
    case 'behaviour':
      return <BehaviourTab form={form} />;
    case 'transfers':
      return <TransfersTab businessId={business.id} form={form} />;
    case 'context':
      return <ContextTab form={form} />;
    case 'tools':
      return <ToolsTab business={business} form={form} />;
    case 'results':
      return <ResultsTab form={form} />;
    case 'notices':
      return <NoticesTab businessId={business.id} form={form} />;
  }
}

/** Links to the other tabs that have faults. */
function OtherFaults({ tab, form }: { tab: TabName; form: Form<BusinessValues> }) {
  const { path } = route.value;
  const others = TABS.filter(([name]) => name !== tab && SHOWN[name].some((field) => form.faultOf(field, true)));
  if (others.length === 0) return <>{t('Unsaved changes')}</>;
  return (
    <>
      {t('Something is at fault in')}{' '}
      {others.map(([name, text], index) => (
        <span key={name}>
          {index > 0 && ', '}
          <a href={link(path, { tab: name })}>{t(text)}</a>
        </span>
      ))}
    </>
  );
}

function BusinessUsage({ businessId, campaigns }: { businessId: string; campaigns: readonly Campaign[] }) {
  return (
    <Card title={t('Who speaks for it')}>
      {campaigns.length === 0 ? (
        <p class="soft">
          {t('No campaign yet.')}{' '}
          <a href={link('/campaigns/new', { business: businessId })}>{t('Create one for this business')}</a>
        </p>
      ) : (
        <CampaignLinks campaigns={campaigns} />
      )}
      <a href={link('/calls', { businessId })}>{t('Its calls')}</a>
    </Card>
  );
}

function Deleted({ business, onRestored }: { business: Business; onRestored: (business: Business) => void }) {
  const restore = () =>
    attempt(
      async () => {
        const { data } = await call('restoreBusiness', { params: { id: business.id } });
        onRestored(data);
      },
      t('Restored {name}', { name: business.name }),
    );
  return (
    <Notice tone="warn">
      <strong>
        {t('Deleted on')} <Time at={business.deletedAt} />
      </strong>
      <span>{t('It can be restored for 90 days. Its campaigns stay paused until you resume them.')}</span>
      <div>
        <Button onClick={() => void restore()}>{t('Restore the business')}</Button>
      </div>
    </Notice>
  );
}
