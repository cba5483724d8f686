// One agent, or a new one.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import * as LIMITS from '../../api-limits.ts';
import type { Agent, ConversationSettings, Voice } from '../../api-types.ts';
import { call } from '../../client.ts';
import { type Form, useForm } from '../../form.ts';
import { formatDateTime, formatLanguage } from '../../format.ts';
import type { PageProps } from '../../page-props.ts';
import { leave, link } from '../../router.ts';
import { TalkButton } from '../../talk/talk-button.tsx';
import { ToolsCard } from '../../tools/tools-field.tsx';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { Checkbox, TextArea, TextField } from '../../ui/fields/field.tsx';
import { Badge, Card, Notice, Page } from '../../ui/layout.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import { Answer } from '../../ui/status.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { currentTab, Tabs } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { say } from '../../ui/toast.tsx';
import { useUnsaved } from '../../unsaved.ts';
import { useApi } from '../../use-api.ts';
import { savedText } from '../../versions/saved.ts';
import { Versions } from '../../versions/versions.tsx';
import { t, words } from '../../words/words.ts';
import { type AgentValues, createBodyOf, NEW_AGENT, updateBodyOf, valuesOfAgent } from './agent-form.ts';
import { AgentUsage } from './agent-usage.tsx';
import { ModelFields, TurnFields, WordFields } from './conversation-fields.tsx';
import { LanguagesCard } from './languages-card.tsx';
import { VoicePicker } from './voice-picker.tsx';

const back = () => ({ href: link('/agents'), text: t('Agents') });
const FIELDS = [
  ...['name', 'description', 'voiceId', 'language', 'additionalLanguages', 'languages', 'conversation', 'toolIds'],
];

const TABS: Array<['settings' | 'versions', string]> = [
  ['settings', words('Settings')],
  ['versions', words('Versions')],
];

export default function AgentPage({ params }: PageProps) {
  return params.id === undefined ? <NewAgent /> : <SavedAgent id={params.id} />;
}

function NewAgent() {
  const voices = useApi('listVoices', {});
  return (
    <Page
      title={t('New agent')}
      back={back()}
      lead={t('A name and a voice are enough. Everything else has a default that suits most calls.')}
    >
      <Answer of={voices}>{({ data }) => <NewAgentForm voices={data} />}</Answer>
    </Page>
  );
}

function NewAgentForm({ voices }: { voices: readonly Voice[] }) {
  const voiceId = voices.find(({ isDefault }) => isDefault)?.id ?? voices[0]?.id ?? '';
  const form = useForm({ ...NEW_AGENT, voiceId }, async ({ values }) => {
    const { data, warnings } = await call('createAgent', { body: createBodyOf(values) });
    leave(link(`/agents/${data.id}`));
    say([t('Created {name}', { name: data.name }), ...(warnings ?? [])].join('. '));
  });
  useUnsaved(form.isChanged);
  return (
    <SubmitForm form={form} shown={FIELDS} send={t('Create the agent')}>
      <AgentFields form={form} voices={voices} />
    </SubmitForm>
  );
}

function SavedAgent({ id }: { id: string }) {
  const agent = useApi('getAgent', { params: { id } });
  const voices = useApi('listVoices', {});
  const campaigns = useApi('listCampaigns', { query: { agentId: id, limit: 20 } });
  const spoken = campaigns.answer?.data[0];
  const [saved, setSaved] = useState<Agent | null>(null);
  const shown = saved ?? agent.answer?.data ?? null;
  const tab = currentTab(TABS);
  const remove = () =>
    confirm({
      title: t('Delete {name}?', { name: shown?.name ?? '' }),
      text: t('No campaign can use it any more. Calls that it has made keep its name.'),
      action: t('Delete the agent'),
      perform: async () => {
        await call('deleteAgent', { params: { id } });
        leave(back().href);
        say(t('Deleted {name}', { name: shown?.name ?? '' }));
      },
    });
  return (
    <Page
      title={shown?.name ?? t('Agent')}
      back={back()}
      lead={
        shown && (
          <span class="row">
            {shown.deletedAt !== null ? (
              <Badge tone="bad">{t('Deleted')}</Badge>
            ) : shown.isActive ? (
              <Badge tone="good">{t('Active')}</Badge>
            ) : (
              <Badge>{t('Inactive')}</Badge>
            )}
            <span>
              {t('Created')} <Time at={shown.createdAt} />
            </span>
          </span>
        )
      }
      actions={
        shown?.deletedAt === null && (
          <>
            {spoken !== undefined && (
              <TalkButton campaignId={spoken.id} label={t('Talk to {name}', { name: shown.name })} look="primary" />
            )}
            <Button look="danger" onClick={remove}>
              {t('Delete')}
            </Button>
          </>
        )
      }
    >
      <Tabs tabs={TABS.map(([name, text]) => [name, t(text)])} current={tab} />
      {tab === 'versions' && <Versions of="agent" id={id} onRestored={setSaved} />}
      {tab === 'settings' && (
        <Answer of={voices}>
          {({ data: list }) => (
            <Answer of={agent}>
              {({ data }) =>
                data.deletedAt === null ? (
                  <AgentEditor agent={saved ?? data} voices={list} onSaved={setSaved}>
                    <AgentUsage agentId={id} calls={data._count?.calls ?? 0} campaigns={campaigns} />
                  </AgentEditor>
                ) : (
                  <Notice tone="warn">
                    {t('This agent was deleted on {time}. It is kept because calls refer to it.', {
                      time: formatDateTime(data.deletedAt),
                    })}
                  </Notice>
                )
              }
            </Answer>
          )}
        </Answer>
      )}
    </Page>
  );
}

function AgentEditor({
  agent,
  voices,
  onSaved,
  children,
}: {
  agent: Agent;
  voices: readonly Voice[];
  onSaved: (agent: Agent) => void;
  children: ComponentChildren;
}) {
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const form = useForm(
    valuesOfAgent(agent),
    async ({ changes, values, rebase }) => {
      const answer = await call('updateAgent', {
        params: { id: agent.id },
        body: updateBodyOf(changes, values, voices),
      });
      rebase(valuesOfAgent(answer.data));
      onSaved(answer.data);
      setWarnings(answer.warnings ?? []);
      say(savedText(answer.data));
    },
    async () => valuesOfAgent((await call('getAgent', { params: { id: agent.id } })).data),
  );
  useUnsaved(form.isChanged, { of: 'tab' });
  return (
    <form class="stack" onSubmit={form.submit}>
      {warnings.map((warning) => (
        <Notice tone="warn" key={warning}>
          {warning}
        </Notice>
      ))}
      <AgentFields form={form} voices={voices}>
        {children}
      </AgentFields>
      <SaveBar form={form} shown={FIELDS} />
    </form>
  );
}

function AgentFields({
  form,
  voices,
  children,
}: {
  form: Form<AgentValues>;
  voices: readonly Voice[];
  /** Shown below the voices. */
  children?: ComponentChildren;
}) {
  const { values, set, faultOf, field } = form;
  const voice = voices.find(({ id }) => id === values.voiceId);
  const conversation = {
    settings: values.conversation,
    set: <K extends keyof ConversationSettings>(name: K, value: ConversationSettings[K]) =>
      set('conversation', { ...values.conversation, [name]: value }),
    faultOf: (name: keyof ConversationSettings) => faultOf(`conversation.${name}`, true),
  };
  const languages = [...new Set(voices.map(({ language }) => language))].map((value) => ({
    value,
    text: formatLanguage(value),
  }));
  return (
    <>
      <div class="columns">
        <Card title={t('Who it is')}>
          <TextField
            label={t('Name')}
            hint={t('Callers hear it where a greeting says {{agentName}}.')}
            {...field('name')}
            limits={LIMITS.CreateAgentBody.name}
            required
          />
          <TextArea
            label={t('Description')}
            hint={t('For people only.')}
            {...field('description')}
            rows={2}
            limits={LIMITS.CreateAgentBody.description}
          />
          <TextField
            label={t('Language')}
            hint={
              values.language.trim() === ''
                ? voice === undefined
                  ? t('As the voice. The recogniser listens for it, and answers are given in it.')
                  : t('As the voice: {language}. The recogniser listens for it, and answers are given in it.', {
                      language: formatLanguage(voice.language),
                    })
                : t('{language}. Empty: as the voice.', { language: formatLanguage(values.language.trim()) })
            }
            {...field('language')}
            limits={LIMITS.CreateAgentBody.language}
            placeholder={voice?.language ?? 'en-GB'}
            suggestions={languages}
          />
          <Checkbox
            label={t('Active')}
            hint={t('An inactive agent cannot be named by a campaign, or start with it. Running campaigns go on.')}
            {...field('isActive')}
          />
        </Card>
        <div class="stack">
          <Card>
            <VoicePicker
              voices={voices}
              value={values.voiceId}
              onChange={({ id }) => set('voiceId', id)}
              fault={faultOf('voiceId')}
            />
          </Card>
          {children}
        </div>
      </div>
      <div class="columns">
        <div class="stack">
          <LanguagesCard form={form} voices={voices} suggestions={languages} />
          <TurnFields {...conversation} />
          <ToolsCard
            hint={t(
              'In this order, after those of the campaign and of the business. A language model uses them by itself.',
            )}
            fault={faultOf('toolIds', true)}
            value={values.toolIds}
            onChange={(toolIds) => set('toolIds', toolIds)}
          />
        </div>
        <div class="stack">
          <WordFields {...conversation} />
          <ModelFields {...conversation} />
        </div>
      </div>
    </>
  );
}
