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
        <Card title={isPrepared && hasContacts ? 'Ready to start' : 'Before it can start'}>
          <ul class="plain-list">
            <Need isMet={isPrepared} href={link(`/campaigns/${campaign.id}`, { tab: 'settings' })}>
              A phone number, which it answers and shows
            </Need>
            <Need isMet={hasContacts} href={link(`/campaigns/${campaign.id}`, { tab: 'contacts' })}>
              Contacts to call, unless it only answers
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
          text={`It starts by itself ${scheduledAt === null ? '' : `at ${formatDateTime(scheduledAt)}`}. Pausing keeps it from starting.`}
        >
          <StartButton campaign={campaign} onMoved={onMoved} text="Start now" />
          <PauseButton campaign={campaign} onMoved={onMoved} />
        </Now>
      );
    case 'RUNNING':
      return (
        <Now text="Contacts are called in their calling window, and calls to its numbers are answered. Pausing stops new attempts; calls in progress go on, and its numbers are not answered.">
          <PauseButton campaign={campaign} onMoved={onMoved} />
        </Now>
      );
    case 'PAUSED':
      return (
        <Now text="Nobody is called, and its numbers are not answered. Resuming goes on where it stopped.">
          <ResumeButton campaign={campaign} onMoved={onMoved} />
        </Now>
      );
    case 'COMPLETED':
      return (
        <Now text="Every contact is finished. Calls to its numbers are still answered. Contacts added now are not called." />
      );
    case 'FAILED':
      return (
        <Now
          tone="bad"
          text="A contact was due, and there was no trunk to call it over. Set up a trunk, then start again."
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
        <span class="visually-hidden">{isMet ? ': there' : ': missing'}</span>
      </span>
      {!isMet && <a href={href}>Add</a>}
    </li>
  );
}

function StartButton({ campaign, onMoved, text = 'Start' }: MoveProps & { text?: string }) {
  const { id, name, _count, maxConcurrentCalls, callingWindow } = campaign;
  const start = () =>
    confirm({
      title: `Start ${name}?`,
      text:
        _count.contacts === 0
          ? 'It has no contacts: it answers calls to its numbers, and calls nobody.'
          : `${formatNumber(_count.contacts)} contacts will be called, at most ${maxConcurrentCalls} at a time, between ${callingWindow.start} and ${callingWindow.end}${callingWindow.timezone ? ` (${callingWindow.timezone})` : ' where they live'}.`,
      action: _count.contacts === 0 ? 'Start' : 'Start calling',
      look: 'primary',
      perform: async () => {
        const { data } = await call('startCampaign', { params: { id } });
        onMoved(data.preflight);
        say(`Started ${name}`);
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
    attempt(async () => {
      await call('pauseCampaign', { params: { id } });
      onMoved(null);
    }, `Paused ${name}`);
  return (
    <Button right="work" onClick={() => void pause()}>
      Pause
    </Button>
  );
}

function ResumeButton({ campaign: { id, name }, onMoved }: MoveProps) {
  const resume = () =>
    attempt(async () => {
      const { data } = await call('resumeCampaign', { params: { id } });
      onMoved(data.preflight);
    }, `Resumed ${name}`);
  return (
    <Button right="work" look="primary" onClick={() => void resume()}>
      Resume
    </Button>
  );
}

const REASONS: Record<string, string> = {
  do_not_call: 'on the do-not-call list',
  minutes: 'no minutes left this month',
  no_trunk: 'no trunk to call over',
  numbers: 'no number of the campaign is active',
};

function willCallText(willCall: number): string {
  if (willCall === 0) return 'No contact waits to be called.';
  return willCall === 1 ? 'One contact will be called.' : `${formatNumber(willCall)} contacts will be called.`;
}

/** The service's forecast for the contacts that wait. */
export function PreflightNotice({ preflight: { willCall, willSkip } }: { preflight: Preflight }) {
  const skipped = Object.entries(willSkip).filter(([, count]) => count > 0);
  return (
    <Notice tone={skipped.length > 0 ? 'warn' : 'good'}>
      <span>
        {willCallText(willCall)}{' '}
        {skipped.length > 0 &&
          `Not called: ${skipped.map(([reason, count]) => `${formatNumber(count)} (${REASONS[reason] ?? reason})`).join(', ')}.`}
      </span>
    </Notice>
  );
}
