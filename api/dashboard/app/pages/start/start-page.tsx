// The wizard: from the address of a web site to an agent that answers a number, step by step. Each step can be
// skipped, and left and gone on with later.

import { useState } from 'preact/hooks';
import type { Account, Business, Site } from '../../api-types.ts';
import { call } from '../../client.ts';
import { link, route, setQuery } from '../../router.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Select } from '../../ui/fields/field.tsx';
import { Card, Page } from '../../ui/layout.tsx';
import { Answer, Loading } from '../../ui/status.tsx';
import { Steps } from '../../ui/steps.tsx';
import { useApi, useLoaded } from '../../use-api.ts';
import { chooseLanguage, languageChoices, pageLanguage, t } from '../../words/words.ts';
import { ownCountry } from '../../zones.ts';
import { FactsStep } from './facts-step.tsx';
import { NumberStep } from './number-step.tsx';
import { passed, type Setup, type SetupStep, STEPS, useSetup } from './setup.ts';
import { TalkStep } from './talk-step.tsx';
import { VoiceStep } from './voice-step.tsx';
import { readSite, WebsiteStep } from './website-step.tsx';

export default function StartPage() {
  const account = useApi('getAccount', {});

  return (
    <Page
      title={t('Set up your telephone')}
      lead={t('Five steps, about five minutes. Each can be skipped, and changed later.')}
      actions={<LanguageSelect />}
    >
      <Answer of={account}>{({ data }) => <Wizard account={data} />}</Answer>
    </Page>
  );
}

function LanguageSelect() {
  return (
    <Select
      label={t('This page in')}
      value={pageLanguage()}
      onChange={(language) => void chooseLanguage(language)}
      choices={languageChoices()}
    />
  );
}

function Wizard({ account }: { account: Account }) {
  const { setup, keep } = useSetup(account);
  const [site, setSite] = useState<Site | null>(null);
  const wanted = route.value.query.get('step');
  const step = STEPS.find(([name]) => name === wanted)?.[0] ?? setup.step;
  const at = STEPS.findIndex(([name]) => name === step);
  const pass = (change: Partial<Setup> = {}, { isSkipped = false } = {}) => {
    setQuery({ step: undefined });
    keep(passed({ ...setup, ...change }, step, { isSkipped }));
  };
  return (
    <>
      <Steps
        texts={STEPS.map(([, text]) => t(text))}
        at={at < 0 ? STEPS.length : at}
        skipped={setup.skipped.map((name) => STEPS.findIndex(([each]) => each === name))}
        linkTo={(index) => link('/start', { step: STEPS[index]?.[0] })}
      />
      <StepContent
        step={step}
        setup={setup}
        site={site}
        onSite={setSite}
        onPass={pass}
        onSkip={() => pass({}, { isSkipped: true })}
      />
    </>
  );
}

interface StepProps {
  step: SetupStep;
  setup: Setup;
  site: Site | null;
  /** Null: its facts are saved. */
  onSite: (site: Site | null) => void;
  /** The step is done. */
  onPass: (change?: Partial<Setup>) => void;
  onSkip: () => void;
}

function StepContent({ step, setup, site, onSite, onPass, onSkip }: StepProps) {
  const { website, language, agentId, campaignId } = setup;
  const business = useApi('getBusiness', setup.businessId === null ? null : { params: { id: setup.businessId } });
  const saved = business.answer?.data ?? null;
  if (setup.businessId !== null && business.isLoading && saved === null) return <Loading />;
  const country = setup.country ?? ownCountry();
  switch (step) {
    case 'website':
      return (
        <WebsiteStep
          website={website ?? ''}
          onRead={(url, read) => {
            onSite(read);
            onPass({ website: url, language: read.language ?? language, country: read.country });
          }}
          onSkip={onSkip}
        />
      );
    case 'facts':
      return <Facts setup={setup} site={site} saved={saved} onSite={onSite} onPass={onPass} onSkip={onSkip} />;
    case 'voice':
      return (
        <VoiceStep
          language={language ?? 'en'}
          country={country}
          agentId={agentId}
          onSaved={async (id, spoken) =>
            onPass({ agentId: id, language: spoken, ...(await joined({ ...setup, agentId: id }, saved?.name)) })
          }
          onSkip={onSkip}
        />
      );
    case 'talk':
      return campaignId === null ? (
        <Missing setup={setup} onSkip={onSkip} />
      ) : (
        <TalkStep language={language ?? 'en'} campaignId={campaignId} onDone={() => onPass()} onSkip={onSkip} />
      );
    case 'number':
      return campaignId === null ? (
        <Missing setup={setup} onSkip={onSkip} />
      ) : (
        <NumberStep campaignId={campaignId} country={country} onTaken={() => onPass()} onSkip={onSkip} />
      );
    case 'done':
      return <Done setup={setup} />;
  }
}

/** A page that was left while its facts were shown reads them again. */
function Facts({ setup, site, saved, onSite, onPass, onSkip }: Omit<StepProps, 'step'> & { saved: Business | null }) {
  const { website } = setup;
  const again = useLoaded(
    () => readSite(website ?? ''),
    site === null && saved === null && website !== null ? website : null,
  );
  if (site === null && saved === null && website !== null && again.answer === null && again.error === null)
    return <Loading />;
  return (
    <FactsStep
      site={site ?? again.answer}
      saved={saved}
      onSaved={async ({ id, name }) => {
        const campaign = await joined({ ...setup, businessId: id }, name);
        onSite(null);
        onPass({ businessId: id, ...campaign });
      }}
      onSkip={onSkip}
    />
  );
}

/** A campaign says which agent answers for which business: made as soon as there are both. */
async function joined(
  { businessId, agentId, campaignId }: Setup,
  name: string | undefined,
): Promise<Pick<Setup, 'campaignId'>> {
  if (businessId === null || agentId === null || campaignId !== null) return { campaignId };
  const { data } = await call('createCampaign', { body: { name: name ?? 'Reception', agentId, businessId } });
  return { campaignId: data.id };
}

const TEXTS: Record<SetupStep, string> = { ...(Object.fromEntries(STEPS) as Record<SetupStep, string>), done: '' };

function StepLinks({ steps }: { steps: readonly SetupStep[] }) {
  return (
    <div class="row">
      {steps.map((step) => (
        <ButtonLink key={step} href={link('/start', { step })}>
          {t(TEXTS[step])}
        </ButtonLink>
      ))}
    </div>
  );
}

function Missing({ setup: { businessId, agentId }, onSkip }: { setup: Setup; onSkip: () => void }) {
  const missing = [
    ...(businessId === null ? (['facts'] as const) : []),
    ...(agentId === null ? (['voice'] as const) : []),
  ];
  return (
    <Card title={t('Something is still missing')}>
      <p>{t('An agent needs a voice, and a business that it speaks for.')}</p>
      <StepLinks steps={missing} />
      <div>
        <Button look="plain" onClick={onSkip}>
          {t('Skip for now')}
        </Button>
      </div>
    </Card>
  );
}

function Done({ setup: { skipped, campaignId, businessId } }: { setup: Setup }) {
  const left = skipped.filter((step) => step !== 'website');
  return (
    <Card title={left.length === 0 ? t('It answers') : t('Ready so far')}>
      <p>
        {left.length === 0
          ? t('Call your number, or ring it from this browser. Each call is kept with its transcript.')
          : t('You left out some steps. They stay on the overview until they are done:')}
      </p>
      {left.length > 0 && <StepLinks steps={left} />}
      <div class="row">
        <ButtonLink look="primary" href={link('/')}>
          {t('To the overview')}
        </ButtonLink>
        {campaignId !== null && <ButtonLink href={link('/talk', { campaignId })}>{t('Talk to it again')}</ButtonLink>}
        {businessId !== null && (
          <ButtonLink href={link(`/businesses/${businessId}`)}>{t('Change what it knows')}</ButtonLink>
        )}
      </div>
    </Card>
  );
}
