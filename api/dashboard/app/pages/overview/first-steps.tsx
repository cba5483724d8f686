// The first steps for a new user, shown until they are done or dismissed.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Account } from '../../api-types.ts';
import { link } from '../../router.ts';
import { session } from '../../session.ts';
import { TalkButton } from '../../talk/talk-button.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/layout.tsx';
import { useApi } from '../../use-api.ts';
import { t, words } from '../../words/words.ts';
import { firstSteps, ownRecords, type Step, type StepName } from './steps.ts';

const ALL = { query: { limit: 100 } } as const;
const ONE = { query: { limit: 1 } } as const;

const keyOf = (accountId: string) => `voice.steps.dismissed.${accountId}`;

/** `onReady`: it is known whether, and how high, they stand above the rest of the page. */
export function FirstSteps({ account, onReady }: { account: Account; onReady: () => void }) {
  const [isDismissed, setDismissed] = useState(localStorage.getItem(keyOf(account.id)) !== null);
  useEffect(() => {
    if (isDismissed) onReady();
  }, [isDismissed]);
  if (isDismissed) return null;
  const dismiss = () => {
    localStorage.setItem(keyOf(account.id), '1');
    setDismissed(true);
  };
  return <OpenSteps account={account} onDismiss={dismiss} onReady={onReady} />;
}

interface OpenStepsProps {
  account: Account;
  onDismiss: () => void;
  onReady: () => void;
}

function OpenSteps({ account, onDismiss, onReady }: OpenStepsProps) {
  const isAdmin = session.value?.user.role === 'ADMIN';
  const lists = {
    calls: useApi('listCalls', ONE),
    agents: useApi('listAgents', ALL),
    businesses: useApi('listBusinesses', ALL),
    campaigns: useApi('listCampaigns', ALL),
    numbers: useApi('listPhoneNumbers', ALL),
    trunks: useApi('listTrunks', isAdmin ? ONE : null),
  };
  const numbers = lists.numbers.answer;
  const own = numbers === null ? undefined : ownRecords(numbers.data, account.createdAt)[0];
  const callsOfOwn = useApi('listCalls', own === undefined ? null : { query: { limit: 1, phoneNumberId: own.id } });
  const awaited = [...Object.values(lists).slice(0, isAdmin ? undefined : -1), ...(own ? [callsOfOwn] : [])];
  // A list that cannot be read hides the steps, and nothing else.
  const isReady = awaited.every(({ answer, error }) => answer !== null || error !== null);
  useEffect(() => {
    if (isReady) onReady();
  }, [isReady]);
  const [calls, agents, businesses] = [lists.calls.answer, lists.agents.answer, lists.businesses.answer];
  const [campaigns, trunks, ownCalls] = [lists.campaigns.answer, lists.trunks.answer, callsOfOwn.answer];
  const isKnown = calls && agents && businesses && campaigns && numbers && (trunks || !isAdmin) && (ownCalls || !own);
  if (!isKnown) return null;
  const steps = firstSteps({
    accountCreatedAt: account.createdAt,
    isAdmin,
    calls: calls.pagination.total,
    agents: agents.data,
    businesses: businesses.data,
    campaigns: campaigns.data,
    numbers: numbers.data,
    trunks: trunks?.pagination.total ?? 0,
    ownCalls: ownCalls?.pagination.total ?? 0,
  });
  if (steps.every(({ isDone }) => isDone)) return null;
  const isSetUp = account.setup?.step === 'done';
  const demo = campaigns.data.at(-1);
  return (
    <Card
      title={t('First steps')}
      actions={
        <Button look="plain" isSmall onClick={onDismiss}>
          {t('Do not show again')}
        </Button>
      }
    >
      {!isSetUp && (
        <div class="start-offer">
          <p>
            {t(
              'Give the address of your web site: hours, prices and answers are read from it, you choose a voice, and talk to your agent. About five minutes.',
            )}
          </p>
          <ButtonLink look="primary" href={link('/start')}>
            {account.setup === null ? t('Set up your telephone') : t('Go on with the set-up')}
          </ButtonLink>
        </div>
      )}
      <ol class="first-steps">
        {steps.map((step) => (
          <StepLine
            key={step.name}
            step={step}
            talk={
              demo && (
                <TalkButton
                  campaignId={demo.id}
                  label={t('Talk to the demo')}
                  look={step.isDone || !isSetUp ? 'normal' : 'primary'}
                  isSmall
                />
              )
            }
          />
        ))}
      </ol>
    </Card>
  );
}

const TEXTS: Record<StepName, { title: string; text: string; path?: string; action?: string }> = {
  talk: {
    title: words('Hear the demo answer'),
    text: words('From this browser: ask for the opening hours, interrupt it, book an appointment.'),
  },
  agent: {
    title: words('Make an agent'),
    text: words('A name, a voice and a manner.'),
    path: '/agents/new',
    action: words('New agent'),
  },
  business: {
    title: words('Describe your business'),
    text: words('Opening hours, services and questions: what the agent knows.'),
    path: '/businesses/new',
    action: words('New business'),
  },
  campaign: {
    title: words('Join them in a campaign'),
    text: words('It answers calls to its numbers, and calls lists of contacts.'),
    path: '/campaigns/new',
    action: words('New campaign'),
  },
  trunk: {
    title: words('Connect a trunk'),
    text: words('The account at your telephone provider, or your own exchange.'),
    path: '/admin/trunks',
    action: words('To the trunks'),
  },
  number: {
    title: words('Get a number'),
    text: words('Give it to the campaign that is to answer it.'),
    path: '/phone-numbers',
    action: words('To the numbers'),
  },
  call: {
    title: words('Make the first call'),
    text: words('Call the number, or place a call.'),
    path: '/calls/new',
    action: words('Place a call'),
  },
};

function StepLine({ step, talk }: { step: Step; talk: ComponentChildren }) {
  const { title, text, path, action } = TEXTS[step.name];
  return (
    <li class={step.isDone ? 'done' : ''}>
      <span class="step-mark" aria-hidden="true">
        {step.isDone ? '✓' : ''}
      </span>
      <div>
        <strong>{t(title)}</strong>
        {step.isDone && <span class="visually-hidden"> {t('(done)')}</span>}
        {!step.isDone && <div class="small soft">{t(text)}</div>}
      </div>
      {path === undefined && talk}
      {path !== undefined && !step.isDone && (
        <ButtonLink isSmall href={link(path)}>
          {action !== undefined && t(action)}
        </ButtonLink>
      )}
    </li>
  );
}
