// A calendar whose password has changed, or whose access was withdrawn, is opened anew: what was booked meanwhile is
// written then.
import { useState } from 'preact/hooks';
import * as LIMITS from '../api-limits.ts';
import type { Calendar } from '../api-types.ts';
import { call } from '../client.ts';
import { useForm } from '../form.ts';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/fields/field.tsx';
import { SubmitForm } from '../ui/submit-form.tsx';
import { say } from '../ui/toast.tsx';
import { t } from '../words/words.ts';
import { AccountSignIn } from './account-sign-in.tsx';

interface Props {
  businessId: string;
  calendar: Calendar;
  onClose: () => void;
  onOpened: () => void;
}

export function OpenCalendar({ businessId, calendar, onClose, onOpened }: Props) {
  const { kind, name } = calendar;
  const [signIn, setSignIn] = useState('');
  const form = useForm({ password: '' }, async ({ values: { password } }) => {
    const params = { id: businessId, calendarId: calendar.id };
    await call('updateCalendar', { params, body: kind === 'caldav' ? { password } : { signIn } });
    const { data } = await call('refreshCalendar', { params });
    say(data.error === null ? t('Read {name}', { name }) : `${name}: ${data.error}`);
    onOpened();
    onClose();
  });
  return (
    <Dialog
      title={kind === 'caldav' ? t('New password of {name}', { name }) : t('Sign in for {name}', { name })}
      onClose={onClose}
    >
      <SubmitForm
        form={form}
        shown={['password']}
        send={t('Open it again')}
        disabled={kind !== 'caldav' && signIn === ''}
        onCancel={onClose}
      >
        {kind === 'google' || kind === 'microsoft' ? (
          <AccountSignIn kind={kind} onSignedIn={({ id }) => setSignIn(id)} />
        ) : (
          <TextField
            label={t('New app password')}
            hint={t('It is kept sealed and shown to nobody.')}
            type="password"
            {...form.field('password')}
            limits={LIMITS.UpdateCalendarBody.password}
            autocomplete="new-password"
            required
          />
        )}
      </SubmitForm>
    </Dialog>
  );
}
