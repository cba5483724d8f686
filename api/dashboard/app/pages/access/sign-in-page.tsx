// Sign-in by password, and by the second factor if the user has one.
import { useState } from 'preact/hooks';
import type { Session } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { go, link, route } from '../../router.ts';
import { signIn } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { Notice } from '../../ui/layout.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { Gate } from './gate.tsx';

export default function SignInPage() {
  const [pendingToken, setPendingToken] = useState<string | null>(null);
  const enter = ({ token, refreshToken, user }: Session) => {
    const next = route.peek().query.get('next');
    signIn({ token, refreshToken }, user);
    // Always a page of the dashboard: an address after the hash cannot lead to another site.
    go(`#${next ?? '/'}`, { replace: true });
  };
  return pendingToken === null ? (
    <PasswordForm onPending={setPendingToken} onSession={enter} />
  ) : (
    <CodeForm pendingToken={pendingToken} onSession={enter} onBack={() => setPendingToken(null)} />
  );
}

function PasswordForm({
  onPending,
  onSession,
}: {
  onPending: (pendingToken: string) => void;
  onSession: (session: Session) => void;
}) {
  const form = useForm({ email: route.value.query.get('email') ?? '', password: '' }, async ({ values }) => {
    const { data } = await call('login', { body: values });
    if (data.requires2FA && data.pendingToken !== undefined) onPending(data.pendingToken);
    else if (data.user && data.token && data.refreshToken) onSession(data as Session);
  });
  return (
    <Gate
      title="Sign in"
      below={
        <>
          <a href={link('/register')}>Create an account</a>
          <a href={link('/forgot-password', { email: form.values.email })}>Forgot your password?</a>
        </>
      }
    >
      {route.value.query.has('done') && <Notice tone="good">{route.value.query.get('done')}</Notice>}
      <SubmitForm form={form} shown={['email', 'password']} send="Sign in" hasWideButton>
        <TextField label="E-mail address" type="email" autocomplete="username" required {...form.field('email')} />
        <TextField
          label="Password"
          type="password"
          autocomplete="current-password"
          required
          {...form.field('password')}
        />
      </SubmitForm>
    </Gate>
  );
}

function CodeForm({
  pendingToken,
  onSession,
  onBack,
}: {
  pendingToken: string;
  onSession: (session: Session) => void;
  onBack: () => void;
}) {
  const form = useForm({ code: '' }, async ({ values }) => {
    const { data } = await call('verifySecondFactor', { body: { pendingToken, code: values.code.trim() } });
    onSession(data);
  });
  return (
    <Gate
      title="Second factor"
      below={
        <Button look="plain" onClick={onBack}>
          Back to the password
        </Button>
      }
    >
      <SubmitForm form={form} shown={['code']} send="Sign in" hasWideButton>
        <TextField
          label="Code"
          hint="Six digits from your authenticator app, or one of your recovery codes"
          autocomplete="one-time-code"
          inputMode="numeric"
          required
          autofocus
          {...form.field('code')}
        />
      </SubmitForm>
    </Gate>
  );
}
