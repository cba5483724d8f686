// Start, pause, resume: the transitions that the status allows, and their effects.

import type { ComponentChildren } from 'preact';
import type { Campaign, StartedCampaign } from '../../api-types.ts';
import { call } from '../../client.ts';
import { formatDateTime, formatNumber } from '../../format.ts';
import { link } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { Card, Notice } from '../../ui/layout.tsx';
import { attempt, say } from '../../ui/toast.tsx';
import { t, words } from '../../words/words.ts';

type Preflight = StartedCampaign['preflight'];

interface MoveProps {
  campaign: Campaign;
  /** Called with the forecast of a start. */
  onMoved: (preflight: Preflight | null) => void;
}

export function Transitions({ campaign, onMoved }: MoveProps) {
  const { status, _count, phoneNumberIds, scheduledAt } = campaign;
  const isPrepared = phoneNumberIds.length > 0;
  const hasContacts = _count.contacts > 0;
  switch (status) {
    case 'DRAFT':
      return (
        <Card title={isPrepared && hasContacts ? t('Ready to start') : t('Before it can start')}>
          <ul class="plain-list">
            <Need isMet={isPrepared} href={link(`/campaigns/${campaign.id}`, { tab: 'settings' })}>
              {t('A phone number, which it answers and shows')}
            </Need>
            <Need isMet={hasContacts} href={link(`/campaigns/${campaign.id}`, { tab: 'contacts' })}>
              {t('Contacts to call, unless it only answers')}
            </Need>
          </ul>
          <div>
            <StartButton campaign={campaign} onMoved={onMoved} />
          </div>
        </Card>
      );
    case 'SCHEDULED':
      return (
        <Now
          text={
            scheduledAt === null
              ? t('It starts by itself. Pausing keeps it from starting.')
              : t('It starts by itself at {time}. Pausing keeps it from starting.', {
                  time: formatDateTime(scheduledAt),
                })
          }
        >
          <StartButton campaign={campaign} onMoved={onMoved} text={t('Start now')} />
          <PauseButton campaign={campaign} onMoved={onMoved} />
        </Now>
      );
    case 'RUNNING':
      return (
        <Now
          text={t(
            'Contacts are called in their calling window, and calls to its numbers are answered. Pausing stops new attempts; calls in progress go on, and its numbers are not answered.',
          )}
        >
          <PauseButton campaign={campaign} onMoved={onMoved} />
        </Now>
      );
    case 'PAUSED':
      return (
        <Now text={t('Nobody is called, and its numbers are not answered. Resuming goes on where it stopped.')}>
          <ResumeButton campaign={campaign} onMoved={onMoved} />
        </Now>
      );
    case 'COMPLETED':
      return (
        <Now
          text={t(
            'Every contact is finished. Calls to its numbers are still answered. Contacts added now are not called.',
          )}
        />
      );
    case 'FAILED':
      return (
        <Now
          tone="bad"
          text={t('A contact was due, and there was no trunk to call it over. Set up a trunk, then start again.')}
        >
          <StartButton campaign={campaign} onMoved={onMoved} />
        </Now>
      );
  }
}

function Now({
  text,
  tone = 'neutral',
  children,
}: {
  text: string;
  tone?: 'neutral' | 'bad';
  children?: ComponentChildren;
}) {
  return (
    <Notice tone={tone}>
      <div class="row spread">
        <span class="now-text">{text}</span>
        <span class="row">{children}</span>
      </div>
    </Notice>
  );
}

function Need({ isMet, href, children }: { isMet: boolean; href: string; children: string }) {
  return (
    <li class="need">
      <span aria-hidden="true">{isMet ? '✓' : '○'}</span>
      <span>
        {children}
        <span class="visually-hidden">{isMet ? t(': there') : t(': missing')}</span>
      </span>
      {!isMet && <a href={href}>{t('Add')}</a>}
    </li>
  );
}

function StartButton({ campaign, onMoved, text = t('Start') }: MoveProps & { text?: string }) {
  const { id, name, _count, maxConcurrentCalls, callingWindow } = campaign;
  const start = () =>
    confirm({
      title: t('Start {name}?', { name }),
      text:
        _count.contacts === 0
          ? t('It has no contacts: it answers calls to its numbers, and calls nobody.')
          : t('{count} contacts will be called, at most {calls} at a time, between {start} and {end} ({where}).', {
              count: formatNumber(_count.contacts),
              calls: maxConcurrentCalls,
              start: callingWindow.start,
              end: callingWindow.end,
              where: callingWindow.timezone || t('where they live'),
            }),
      action: _count.contacts === 0 ? t('Start') : t('Start calling'),
      look: 'primary',
      perform: async () => {
        const { data } = await call('startCampaign', { params: { id } });
        onMoved(data.preflight);
        say(t('Started {name}', { name }));
      },
    });
  return (
    <Button right="work" look="primary" onClick={start}>
      {text}
    </Button>
  );
}

function PauseButton({ campaign: { id, name }, onMoved }: MoveProps) {
  const pause = () =>
    attempt(
      async () => {
        await call('pauseCampaign', { params: { id } });
        onMoved(null);
      },
      t('Paused {name}', { name }),
    );
  return (
    <Button right="work" onClick={() => void pause()}>
      {t('Pause')}
    </Button>
  );
}

function ResumeButton({ campaign: { id, name }, onMoved }: MoveProps) {
  const resume = () =>
    attempt(
      async () => {
        const { data } = await call('resumeCampaign', { params: { id } });
        onMoved(data.preflight);
      },
      t('Resumed {name}', { name }),
    );
  return (
    <Button right="work" look="primary" onClick={() => void resume()}>
      {t('Resume')}
    </Button>
  );
}

const REASONS: Record<string, string> = {
  do_not_call: words('on the do-not-call list'),
  minutes: words('no minutes left this month'),
  no_trunk: words('no trunk to call over'),
  trunk_down: words('the trunk is down: they wait until it is up'),
  spend: words('a limit of spending is reached'),
  destination: words('calls there are not allowed'),
  numbers: words('no number of the campaign is active'),
};

function willCallText(willCall: number): string {
  if (willCall === 0) return t('No contact waits to be called.');
  return willCall === 1
    ? t('One contact will be called.')
    : t('{count} contacts will be called.', { count: formatNumber(willCall) });
}

/** The service's forecast for the contacts that wait. */
export function PreflightNotice({ preflight: { willCall, willSkip } }: { preflight: Preflight }) {
  const skipped = Object.entries(willSkip).filter(([, count]) => count > 0);
  return (
    <Notice tone={skipped.length > 0 ? 'warn' : 'good'}>
      <span>
        {willCallText(willCall)}{' '}
        {skipped.length > 0 &&
          t('Not called: {list}.', {
            list: skipped
              .map(([reason, count]) => `${formatNumber(count)} (${t(REASONS[reason] ?? reason)})`)
              .join(', '),
          })}
      </span>
    </Notice>
  );
}
