// Registers a new account. A mail verifies the address; its link opens a separate page.
import { useState } from 'preact/hooks';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { link } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { attempt } from '../../ui/toast.tsx';
import { t } from '../../words/words.ts';
import { Gate } from './gate.tsx';
import { NoMailServer } from './no-mail-server.tsx';

export default function RegisterPage() {
  const [registered, setRegistered] = useState<{ email: string; delivery: 'mail' | 'file' } | null>(null);
  const form = useForm({ accountName: '', email: '', password: '' }, async ({ values }) => {
    const { accountName, ...credentials } = values;
    const { data } = await call('register', {
      body: { ...credentials, ...(accountName.trim() === '' ? {} : { accountName }) },
    });
    setRegistered({ email: values.email, delivery: data.delivery });
  });
  const below = <a href={link('/sign-in')}>{t('Sign in instead')}</a>;
  if (registered !== null) {
    return (
      <Gate title={t('Check your mail')} below={below}>
        {registered.delivery === 'file' && <NoMailServer />}
        <p>
          {t('A mail is on its way to {email}. Open its link to verify the address, then sign in.', {
            email: registered.email,
          })}
        </p>
        <div>
          <Button
            onClick={() =>
              void attempt(() => call('resendVerification', { body: { email: registered.email } }), t('Sent again'))
            }
          >
            {t('Send it again')}
          </Button>
        </div>
      </Gate>
    );
  }
  return (
    <Gate title={t('Create an account')} below={below}>
      <SubmitForm
        right="own"
        form={form}
        shown={['accountName', 'email', 'password']}
        send={t('Create the account')}
        hasWideButton
      >
        <TextField
          label={t('Name of your company')}
          hint={t('May be left empty')}
          autocomplete="organization"
          {...form.field('accountName')}
        />
        <TextField label={t('E-mail address')} type="email" autocomplete="username" required {...form.field('email')} />
        <TextField
          label={t('Password')}
          type="password"
          hint={t('12 characters or more')}
          autocomplete="new-password"
          required
          {...form.field('password')}
        />
      </SubmitForm>
    </Gate>
  );
}
