// The tab of a campaign's page on which its settings are changed.
import * as LIMITS from '../../api-limits.ts';
import type { Campaign } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { RerunCard } from '../../results/rerun-card.tsx';
import { DestinationsCard } from '../../transfers/destinations-card.tsx';
import { Select, TextArea, TextField } from '../../ui/fields/field.tsx';
import { Card } from '../../ui/layout.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import { Answer } from '../../ui/status.tsx';
import { say } from '../../ui/toast.tsx';
import { useUnsaved } from '../../unsaved.ts';
import { useAll } from '../../use-all.ts';
import { t } from '../../words/words.ts';
import { LimitsCard, NumbersField, TextsCard, WindowCard } from './campaign-fields.tsx';
import { campaignBodyOf, valuesOfCampaign } from './campaign-form.ts';
import { CampaignWishes } from './campaign-wishes.tsx';
import { SplitCard } from './split-card.tsx';

const SHOWN = [
  'name',
  'description',
  'agentId',
  'businessId',
  'phoneNumberIds',
  'scheduledAt',
  'callingWindow',
  'maxConcurrentCalls',
  'maxAttempts',
  'retryDelayMinutes',
  'greetingTemplate',
  'instructions',
  'voicemail',
  'toolIds',
  'outputs',
  'criteria',
  'destinations',
  'split',
];

export function SettingsTab({ campaign, onSaved }: { campaign: Campaign; onSaved: () => void }) {
  const agents = useAll('listAgents');
  const businesses = useAll('listBusinesses');
  const numbers = useAll('listPhoneNumbers');
  const form = useForm(
    valuesOfCampaign(campaign),
    async ({ changes, rebase }) => {
      const { data } = await call('updateCampaign', { params: { id: campaign.id }, body: campaignBodyOf(changes) });
      rebase(valuesOfCampaign(data));
      onSaved();
      say(t('Saved. It takes effect on the next call.'));
    },
    async () => valuesOfCampaign((await call('getCampaign', { params: { id: campaign.id } })).data),
  );
  useUnsaved(form.isChanged, { of: 'tab' });
  const { values, field } = form;
  const chooseAgent = (agentId: string) => {
    form.set('agentId', agentId);
    // Its versions are another agent's.
    form.set('split', []);
  };
  return (
    <>
      <form class="stack" onSubmit={form.submit}>
        <div class="columns">
          <Card title={t('The campaign')}>
            <TextField label={t('Name')} {...field('name')} limits={LIMITS.CreateCampaignBody.name} required />
            <TextArea
              label={t('Description')}
              hint={t('For people only.')}
              {...field('description')}
              rows={2}
              limits={LIMITS.CreateCampaignBody.description}
            />
            <Select
              label={t('Agent')}
              {...field('agentId')}
              onChange={chooseAgent}
              choices={choicesOf(agents.answer, values.agentId, (agent) => agent.isActive)}
            />
            <Select
              label={t('Business')}
              {...field('businessId')}
              choices={choicesOf(businesses.answer, values.businessId, () => true)}
            />
            {(campaign.status === 'SCHEDULED' || campaign.scheduledAt !== null) && (
              <TextField
                label={t('Starts by itself at')}
                hint={t('In your time.')}
                type="datetime-local"
                {...field('scheduledAt')}
              />
            )}
          </Card>
          <Card title={t('Phone numbers')}>
            <p class="small soft">{t('It answers calls to them, and shows them in turns when it calls.')}</p>
            <Answer of={numbers}>
              {(list) => <NumbersField form={form} numbers={list} campaignId={campaign.id} />}
            </Answer>
          </Card>
        </div>
        <div class="columns">
          <TextsCard form={form} />
          <div class="stack">
            <WindowCard form={form} />
            <LimitsCard form={form} />
          </div>
        </div>
        <CampaignWishes form={form} />
        <SplitCard form={form} />
        <DestinationsCard
          hint={t('With one or more of them, they take the place of the business’s.')}
          rows={values.destinations}
          onChange={(rows) => form.set('destinations', rows)}
          faultOf={form.faultOf}
        />
        <SaveBar form={form} shown={SHOWN} />
      </form>
      <RerunCard businessId={campaign.businessId} campaignId={campaign.id} hasChanges={form.isChanged} />
    </>
  );
}

/** Includes the current choice even if the list is not loaded or no longer contains it. */
function choicesOf<T extends { id: string; name: string }>(
  list: readonly T[] | null,
  chosen: string,
  isOffered: (item: T) => boolean,
) {
  const offered = (list ?? []).filter((item) => item.id === chosen || isOffered(item));
  const choices = offered.map((item) => ({
    value: item.id,
    text: isOffered(item) ? item.name : t('{name} (inactive)', { name: item.name }),
  }));
  return offered.some(({ id }) => id === chosen)
    ? choices
    : [{ value: chosen, text: list === null ? '…' : t('A deleted one') }, ...choices];
}
