// The parts of a recipient that notices and alerts share: channel and address, quiet hours, and the example's button.
import { useState } from 'preact/hooks';
import type { NoticeMessage, NoticeRule } from '../api-types.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox, TextField } from '../ui/fields/field.tsx';
import { attempt, say } from '../ui/toast.tsx';
import { t, words } from '../words/words.ts';
import { CHANNEL_NAMES } from './notice-words.ts';

export const CHANNELS = Object.entries(CHANNEL_NAMES).map(([value, text]) => ({
  value: value as NoticeRule['by'],
  text,
}));

export const ADDRESSES: Record<NoticeRule['by'], { label: string; hint?: string; placeholder: string }> = {
  mail: { label: words('Mail address'), placeholder: 'you@example.com' },
  sms: {
    label: words('Phone number'),
    hint: words('A text by a number of this business, with a link and no name.'),
    placeholder: '+14155550123',
  },
  slack: {
    label: words('Address from Slack'),
    hint: words('In Slack: Apps, Incoming Webhooks, choose a channel, copy the address. It is kept secret.'),
    placeholder: 'https://hooks.slack.com/services/…',
  },
  teams: {
    label: words('Address from Teams'),
    hint: words(
      'In the channel: Workflows, “Post to a channel when a webhook request is received”. It is kept secret.',
    ),
    placeholder: 'https://…',
  },
  webhook: {
    label: words('Address of the program'),
    hint: words('It is kept secret.'),
    placeholder: 'https://example.com/calls',
  },
};
const NIGHT = { from: '21:00', to: '07:00' };

export function QuietHours({
  quiet,
  onChange,
  faultOf,
}: {
  quiet: NoticeRule['quiet'];
  onChange: (quiet: NoticeRule['quiet']) => void;
  faultOf: (part: string) => string | undefined;
}) {
  return (
    <>
      <Checkbox
        label={t('Not at night')}
        hint={t('What happens then is told when the night is over.')}
        value={quiet !== null}
        onChange={(isOn) => onChange(isOn ? NIGHT : null)}
      />
      {quiet !== null && (
        <div class="parts two">
          <TextField
            label={t('Quiet from')}
            type="time"
            fault={faultOf('quiet.from')}
            value={quiet.from}
            onChange={(from) => onChange({ ...quiet, from })}
            required
          />
          <TextField
            label={t('Until')}
            type="time"
            fault={faultOf('quiet.to')}
            value={quiet.to}
            onChange={(to) => onChange({ ...quiet, to })}
            required
          />
        </div>
      )}
    </>
  );
}

export function Example({ isDisabled, onTest }: { isDisabled: boolean; onTest: () => Promise<NoticeMessage> }) {
  const [isSending, setSending] = useState(false);
  const send = async () => {
    setSending(true);
    await attempt(async () => say(exampleText(await onTest())));
    setSending(false);
  };
  return (
    <div class="row">
      <Button isSmall disabled={isDisabled || isSending} onClick={() => void send()}>
        {t('Send an example')}
      </Button>
      {isDisabled && <span class="small soft">{t('Save first.')}</span>}
    </div>
  );
}

function exampleText({ status, error, to }: NoticeMessage): string {
  if (status === 'sent') return t('The example went to {to}.', { to });
  if (status === 'waiting') return t('The example waits for the mail server.');
  return t('The example did not arrive: {reason}.', { reason: error ?? t('nobody took it') });
}
