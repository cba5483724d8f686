// Sends a code by mail; with it the user sets a new password, which ends all sessions.
import { useState } from 'preact/hooks';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { go, link, route } from '../../router.ts';
import { TextField } from '../../ui/fields/field.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { t } from '../../words/words.ts';
import { Gate } from './gate.tsx';
import { NoMailServer } from './no-mail-server.tsx';

export default function ForgotPasswordPage() {
  const [sent, setSent] = useState<Sent | null>(null);
  return sent === null ? <AddressForm onSent={setSent} /> : <ResetForm sent={sent} />;
}

interface Sent {
  email: string;
  delivery: 'mail' | 'file';
}

const Below = () => <a href={link('/sign-in')}>{t('Back to the sign-in')}</a>;

function AddressForm({ onSent }: { onSent: (sent: Sent) => void }) {
  const form = useForm({ email: route.value.query.get('email') ?? '' }, async ({ values }) => {
    const { data } = await call('forgotPassword', { body: values });
    onSent({ email: values.email, delivery: data.delivery });
  });
  return (
    <Gate title={t('Forgot your password?')} below={<Below />}>
      <SubmitForm right="own" form={form} shown={['email']} send={t('Send the code')} hasWideButton>
        <TextField
          label={t('E-mail address')}
          hint={t('We send a code to it, if there is a user with this address')}
          type="email"
          autocomplete="username"
          required
          {...form.field('email')}
        />
      </SubmitForm>
    </Gate>
  );
}

function ResetForm({ sent: { email, delivery } }: { sent: Sent }) {
  const form = useForm({ code: '', newPassword: '' }, async ({ values }) => {
    await call('resetPassword', { body: { email, code: values.code.trim(), newPassword: values.newPassword } });
    go(link('/sign-in', { email, done: t('Your password is set. Sign in with it.') }));
  });
  return (
    <Gate title={t('Set a new password')} below={<Below />}>
      {delivery === 'file' && <NoMailServer />}
      <SubmitForm right="own" form={form} shown={['code', 'newPassword']} send={t('Set the password')} hasWideButton>
        <TextField
          label={t('Code')}
          hint={t('Six digits from the mail to {email}; good for 15 minutes', { email })}
          autocomplete="one-time-code"
          inputMode="numeric"
          required
          {...form.field('code')}
        />
        <TextField
          label={t('New password')}
          type="password"
          hint={t('12 characters or more. All sessions end.')}
          autocomplete="new-password"
          required
          {...form.field('newPassword')}
        />
      </SubmitForm>
    </Gate>
  );
}
