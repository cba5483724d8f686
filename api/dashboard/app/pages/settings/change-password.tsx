// The form by which users change their own password.
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { link } from '../../router.ts';
import { signIn } from '../../session.ts';
import { TextField } from '../../ui/fields/field.tsx';
import { Card } from '../../ui/layout.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { say } from '../../ui/toast.tsx';
import { t } from '../../words/words.ts';

const EMPTY = { currentPassword: '', newPassword: '' };

export function ChangePassword({ email, onChanged }: { email: string; onChanged: () => void }) {
  const form = useForm(EMPTY, async ({ values, rebase }) => {
    const { data } = await call('changePassword', { body: values });
    signIn(data, data.user);
    rebase(EMPTY);
    say(t('Your password is changed. All other sessions have ended.'));
    onChanged();
  });
  return (
    <Card title={t('Password')}>
      <SubmitForm
        right="own"
        form={form}
        shown={['currentPassword', 'newPassword']}
        send={t('Change the password')}
        beside={<a href={link('/forgot-password', { email })}>{t('Forgot the old one?')}</a>}
      >
        {/* Password managers store the new one under it. */}
        <input type="email" autocomplete="username" value={email} readOnly hidden />
        <TextField
          label={t('Old password')}
          type="password"
          autocomplete="current-password"
          required
          {...form.field('currentPassword')}
        />
        <TextField
          label={t('New password')}
          type="password"
          hint={t('12 characters or more. All other sessions end; API keys stay.')}
          autocomplete="new-password"
          required
          {...form.field('newPassword')}
        />
      </SubmitForm>
    </Card>
  );
}
