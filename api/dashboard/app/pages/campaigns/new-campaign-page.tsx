// Creates a campaign, step by step. The result is a draft, whose page asks for contacts.

import type { ComponentChildren } from 'preact';
import * as LIMITS from '../../api-limits.ts';
import type { CreateCampaignBody } from '../../api-types.ts';
import { call } from '../../client.ts';
import { type Form, useForm } from '../../form.ts';
import { formatLanguage } from '../../format.ts';
import { go, leave, link, route } from '../../router.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { TextArea, TextField } from '../../ui/fields/field.tsx';
import { Card, Empty, Page } from '../../ui/layout.tsx';
import { Answer, ErrorNotice } from '../../ui/status.tsx';
import { Steps } from '../../ui/steps.tsx';
import { say } from '../../ui/toast.tsx';
import { useUnsaved } from '../../unsaved.ts';
import { useAll } from '../../use-all.ts';
import { faultOf as asFault } from '../../use-api.ts';
import { t, words } from '../../words/words.ts';
import { LimitsCard, NumbersField, TextsCard, WindowCard } from './campaign-fields.tsx';
import { type CampaignValues, campaignBodyOf, NEW_CAMPAIGN } from './campaign-form.ts';
import { CampaignWishes } from './campaign-wishes.tsx';
import { ChoiceList } from './choice-list.tsx';

const STEPS = [
  ['agent', words('Agent')],
  ['business', words('Business')],
  ['numbers', words('Numbers')],
  ['calls', words('Calls')],
] as const;
type Step = (typeof STEPS)[number][0];

/** The fields of each step: the page opens the step of the first fault. */
const FIELDS: Record<Step, readonly string[]> = {
  agent: ['name', 'description', 'agentId'],
  business: ['businessId'],
  numbers: ['phoneNumberIds', 'scheduledAt'],
  calls: [
    'callingWindow',
    'maxConcurrentCalls',
    'maxAttempts',
    'retryDelayMinutes',
    'recording',
    'listeningNotice',
    'greetingTemplate',
    'instructions',
    'voicemail',
    'toolIds',
    'outputs',
    'criteria',
  ],
};

export default function NewCampaignPage() {
  const { query } = route.value;
  const given = { agentId: query.get('agent') ?? '', businessId: query.get('business') ?? '' };
  const form = useForm<CampaignValues>({ ...NEW_CAMPAIGN, ...given }, async ({ values }) => {
    const { name, agentId, businessId, scheduledAt } = values;
    const body: CreateCampaignBody = {
      ...campaignBodyOf(values),
      name,
      agentId,
      businessId,
      status: scheduledAt === '' ? 'DRAFT' : 'SCHEDULED',
    };
    try {
      const { data } = await call('createCampaign', { body });
      leave(link(`/campaigns/${data.id}`, { tab: 'contacts' }));
      say(t('Created {name}. Now its contacts.', { name: data.name }));
    } catch (fault) {
      const { code, faults } = asFault(fault);
      // Another campaign may have started with a number since the list was read.
      if (code === 'NUMBER_IN_USE') toStep('numbers', { replace: true });
      else toFault(faults.map(({ field }) => field));
      throw fault;
    }
  });
  useUnsaved(form.isChanged);
  const step = stepOf(query.get('step'), form.values);
  return (
    <Page
      title={t('New campaign')}
      back={{ href: link('/campaigns'), text: t('Campaigns') }}
      lead={t('Nobody is called before you start it.')}
    >
      <Steps
        texts={[...STEPS.map(([, text]) => t(text)), t('Contacts')]}
        at={STEPS.findIndex(([name]) => name === step)}
      />
      <StepContent step={step} form={form} />
      <ErrorNotice error={form.error} shown={FIELDS[step]} />
    </Page>
  );
}

/** The step named in the address, if no earlier step is incomplete. */
function stepOf(wanted: string | null, { name, agentId, businessId }: CampaignValues): Step {
  const step = STEPS.find(([each]) => each === wanted)?.[0] ?? 'agent';
  if (step === 'agent' || name === '' || agentId === '') return 'agent';
  return businessId === '' ? 'business' : step;
}

function toStep(step: Step, { replace = false } = {}): void {
  const { path, query } = route.peek();
  go(link(path, { ...Object.fromEntries(query), step: step === 'agent' ? undefined : step }), { replace });
}

function toFault(fields: readonly string[]): void {
  const found = STEPS.find(([step]) =>
    FIELDS[step].some((name) =>
      fields.some((field) => field === name || (/^[.[]/.test(field.slice(name.length)) && field.startsWith(name))),
    ),
  );
  // At once: the step must be there when its fault is shown.
  if (found !== undefined) toStep(found[0], { replace: true });
}

function StepContent({ step, form }: { step: Step; form: Form<CampaignValues> }) {
  const agents = useAll('listAgents');
  const businesses = useAll('listBusinesses');
  const numbers = useAll('listPhoneNumbers');
  const { values, field } = form;
  switch (step) {
    case 'agent':
      return (
        <StepForm next="business" isReady={values.agentId !== ''}>
          <Card title={t('What is it for?')}>
            <TextField
              label={t('Name')}
              {...field('name')}
              placeholder={t('Spring colour offer')}
              limits={LIMITS.CreateCampaignBody.name}
              required
            />
            <TextArea
              label={t('Description')}
              hint={t('For people only.')}
              {...field('description')}
              rows={2}
              limits={LIMITS.CreateCampaignBody.description}
            />
          </Card>
          <Card title={t('Who speaks?')}>
            <Answer of={agents}>
              {(list) =>
                list.length === 0 ? (
                  <Empty
                    title={t('No agents yet')}
                    action={<ButtonLink href={link('/agents/new')}>{t('Create an agent')}</ButtonLink>}
                  >
                    {t('An agent gives the campaign its voice.')}
                  </Empty>
                ) : (
                  <ChoiceList
                    label={t('Agent')}
                    {...field('agentId')}
                    choices={list.map(({ id, name, language, description, isActive }) => ({
                      id,
                      name,
                      about: [formatLanguage(language), isActive ? description : t('inactive')]
                        .filter(Boolean)
                        .join(', '),
                      disabled: !isActive,
                    }))}
                  />
                )
              }
            </Answer>
          </Card>
        </StepForm>
      );
    case 'business':
      return (
        <StepForm previous="agent" next="numbers" isReady={values.businessId !== ''}>
          <Card title={t('For whom?')}>
            <Answer of={businesses}>
              {(list) =>
                list.length === 0 ? (
                  <Empty
                    title={t('No businesses yet')}
                    action={<ButtonLink href={link('/businesses/new')}>{t('Create a business')}</ButtonLink>}
                  >
                    {t('A business is what the agent knows: hours, services, answers.')}
                  </Empty>
                ) : (
                  <ChoiceList
                    label={t('Business')}
                    {...field('businessId')}
                    choices={list.map(({ id, name, industry, timezone }) => ({
                      id,
                      name,
                      about: [industry, timezone].filter(Boolean).join(', '),
                    }))}
                  />
                )
              }
            </Answer>
          </Card>
        </StepForm>
      );
    case 'numbers':
      return (
        <StepForm previous="business" next="calls" isReady>
          <Card title={t('Over which numbers?')}>
            <p class="soft">{t('The campaign answers calls to them, and shows them in turns when it calls.')}</p>
            <Answer of={numbers}>{(list) => <NumbersField form={form} numbers={list} campaignId={null} />}</Answer>
          </Card>
          <Card title={t('When does it start?')}>
            <TextField
              label={t('Starts by itself at')}
              hint={t('In your time. Empty: a draft that you start by hand. It cannot be scheduled later on.')}
              type="datetime-local"
              {...field('scheduledAt')}
            />
          </Card>
        </StepForm>
      );
    case 'calls':
      return (
        <form class="stack" onSubmit={form.submit}>
          <div class="columns">
            <TextsCard form={form} />
            <div class="stack">
              <WindowCard form={form} />
              <LimitsCard form={form} />
            </div>
          </div>
          <CampaignWishes form={form} />
          <div class="row">
            <Button onClick={() => toStep('numbers')}>{t('Back')}</Button>
            <Button look="primary" isBusy={form.isSending}>
              {values.scheduledAt === '' ? t('Create the draft') : t('Create the campaign')}
            </Button>
          </div>
        </form>
      );
  }
}

function StepForm({
  previous,
  next,
  isReady,
  children,
}: {
  previous?: Step;
  next: Step;
  isReady: boolean;
  children: ComponentChildren;
}) {
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        toStep(next);
      }}
    >
      {children}
      <div class="row">
        {previous !== undefined && <Button onClick={() => toStep(previous)}>{t('Back')}</Button>}
        <Button look="primary" disabled={!isReady}>
          {t('Continue')}
        </Button>
      </div>
    </form>
  );
}
